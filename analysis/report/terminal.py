"""Lay the core rows out as plain text, 88 columns wide, for a terminal or a file."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from analysis.errors import ids_shorten
from analysis.report.apa import apa_line
from analysis.report.words import Words
from analysis.results.core import ChoiceRow, Core, RatingRow, row_warnings
from analysis.results.design import design_check
from analysis.results.published import DIFFERS, Claim
from analysis.stats.exact import EXACT
from analysis.stats.undefined import Reason

WIDTH: Final = 88
RULE: Final = "-" * WIDTH
_LABEL: Final = 24
_MOMENTS: Final = 26  # columns of n, M and SD
_EN: Final = Words("en")


def core_text(core: Core) -> str:
    """Every scenario's measures and choices, with what must be said about the data first."""
    lines = [*_data_lines(core)]
    for scenario in core.dataset.scenarios:
        lines += ["", RULE, f"Scenario {scenario}"]
        for row in core.ratings:
            if row.scenario == scenario:
                lines += ["", *_rating_lines(row, core.dataset.arms)]
        choices = [row for row in core.choices if row.scenario == scenario]
        if choices:
            lines += ["", *_choice_lines(choices, core.dataset.arms)]
    return "\n".join(lines) + "\n"


def published_text(claims: Sequence[Claim]) -> str:
    """The table of printed against recomputed figures."""
    head = f"{'Published against recomputed':<38}{'printed':<14}{'recomputed':<22}verdict"
    lines = [RULE, head, ""]
    for claim in claims:
        verdict = claim.verdict.upper() if claim.verdict == DIFFERS else claim.verdict
        lines.append(f"  {claim.claim:<36}{claim.printed:<14}{claim.shown:<22}{verdict}")
        lines += _wrapped(claim.note, indent=6)
    return "\n".join(lines) + "\n"


def _data_lines(core: Core) -> Iterator[str]:
    data = core.dataset
    reference, treatment = data.arms
    yield data.title or data.study or "A study"
    yield RULE
    yield _field("data", f"{data.source.file}, SHA-256 {data.source.sha256[:16]}..")
    if data.kind:
        yield from _wrapped(_field("what", data.kind), indent=0, hang=_LABEL)
    yield _field("participants", f"{len(data.participants)} analysed")
    for out in data.left_out:
        text = _field("left out", f"{len(out.ids)} {out.rule}: {ids_shorten(out.ids)}")
        yield from _wrapped(text, indent=0, hang=_LABEL)
    yield _field("difference", f"{treatment} - {reference}: above 0 means {treatment} higher")
    for sentence in design_check(data).sentences:
        yield from _wrapped(_field("design", sentence), indent=0, hang=_LABEL)
    for notice in data.notices:
        yield from ("", *_wrapped(f"!! {notice}", indent=0, hang=3))


def _rating_lines(row: RatingRow, arms: tuple[str, str]) -> Iterator[str]:
    reference, treatment = arms
    width = max(5, len(str(row.n)) + 1, len(str(row.scale[1])) + 1)
    values = "".join(f"{value:>{width}}" for value in row.reference.counts)
    name = f"  {row.measure}, {row.scale[0]} to {row.scale[1]}"
    counted = len(row.reference.counts) * width + _LABEL + _MOMENTS <= WIDTH
    yield f"{name:<{_LABEL}}{'n':>{width}}{'M':>8}{'SD':>8}" + (f"    {values}" if counted else "")
    for arm, described in ((treatment, row.treatment), (reference, row.reference)):
        counts = "".join(f"{count:>{width}}" for count in described.counts.values())
        figures = f"{described.n:>{width}}{_EN.fixed(described.mean):>8}"
        figures += f"{_EN.fixed(described.sd):>8}"
        yield f"{'    ' + arm:<{_LABEL}}{figures}" + (f"    {counts}" if counted else "")
    for label, text in _test_lines(row):
        yield from _wrapped(_field(f"    {label}", text), hang=_LABEL)
    yield from _wrapped(_field("    to paste", apa_line(row, arms, _EN)), hang=_LABEL)
    for warning in row_warnings(row):
        yield from _wrapped(_field("    !!", warning), hang=_LABEL)
    if row.incomplete:
        text = (
            f"{len(row.incomplete)} with one rating only, left out: {ids_shorten(row.incomplete)}"
        )
        yield from _wrapped(_field("    incomplete", text), indent=0, hang=_LABEL)


def _test_lines(row: RatingRow) -> Iterator[tuple[str, str]]:
    test, effect, ranks = row.t_test, row.d_z, row.wilcoxon
    mean = f"{_EN.fixed(test.mean, sign=True)}, SD {_EN.fixed(test.sd)}"
    yield "difference", f"M {mean}, {_EN.with_ci(test.ci)}"
    if test.t is None:
        yield "paired t", f"undefined: {test.reason.text}"
    else:
        text = f"t({test.df}) = {_EN.fixed(test.t)}, {_EN.p_equals(test.p)}"
        yield "paired t", f"{text}, d_z = {_EN.fixed(effect.value)}, {_EN.with_ci(effect.ci)}"
    yield "sign flip", _p_by(row.sign_flip.p, row.sign_flip.method, row.sign_flip.reason)
    sums = f"W+ = {_EN.short(ranks.w_plus)}, W- = {_EN.short(ranks.w_minus)}"
    yield "Wilcoxon", f"{sums}, {_p_by(ranks.p, ranks.method, ranks.reason)}"
    signs = f"{ranks.n_positive} up, {ranks.n_negative} down, {ranks.n_zero} equal"
    yield "sign test", f"{signs}, {_p_by(row.sign_test.p, EXACT, row.sign_test.reason)}"
    yield "equivalence", _equivalence(row)


def _p_by(p: float | None, method: str, reason: Reason) -> str:
    return f"p undefined: {reason.text}" if p is None else f"{_EN.p_equals(p)} ({method})"


def _equivalence(row: RatingRow) -> str:
    test = row.tost
    if test.p is None:
        return f"undefined: {test.reason.text}"
    verdict = "shown" if test.p < test.alpha else "not shown"
    bound = f"{verdict} within {test.bound:g}: TOST {_EN.p_equals(test.p)}"
    return f"{bound}, {_EN.level_text(test.ci)} {_EN.bracket(test.ci)}"


def _choice_lines(rows: Sequence[ChoiceRow], arms: tuple[str, str]) -> Iterator[str]:
    reference, treatment = arms
    order = (treatment, reference, "neither", "both")
    width = max(9, *(len(arm) + 2 for arm in arms))
    head = "".join(f"{answer:>{width}}" for answer in order)
    yield f"{'  choices':<{_LABEL - 4}}{head}  {treatment} of all / of deciders"
    for row in rows:
        counts = "".join(f"{row.counts[answer]:>{width}}" for answer in order)
        everyone = f"{_EN.percent(row.treatment.share)} {_short_p(row.treatment.p)}"
        deciders = row.treatment_of_deciders
        decided = f"{_EN.percent(deciders.share)} {_short_p(deciders.p)}"
        yield f"{'    ' + row.measure:<{_LABEL - 4}}{counts}  {everyone} / {decided}"
    yield f"{'':<4}p: exact binomial against one half, two-sided"


def _short_p(p: float | None) -> str:
    return "" if p is None else f"p {'<.0001' if p < 0.0001 else _EN.bare(p, 4)}"


def _field(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}{text}"


def _wrapped(text: str, *, indent: int = 0, hang: int | None = None) -> list[str]:
    later = indent if hang is None else hang
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * later,
        drop_whitespace=True,
    )  # fmt: skip
