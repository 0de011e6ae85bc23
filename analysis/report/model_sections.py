"""The report's sections on models and multiplicity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb

from analysis.report.document import Block, Heading, Listing, Notice, Paragraph, Table
from analysis.report.numbers import UNDEFINED
from analysis.report.words import Words
from analysis.results.full import Full
from analysis.results.interaction import MOST_PAIRS
from analysis.results.models import OrdinalRow
from analysis.stats.undefined import Reason


def ordinal(full: Full, words: Words) -> list[Block]:
    """The ordinal model by scenario and every test of the interaction, side by side."""
    blocks: list[Block] = [Heading(2, f"10. {words('ordinal')}")]
    if full.core.ratings and not full.ordinal:
        blocks.append(Paragraph(words("no_models")))
    rows, notes = [], []
    for row in full.ordinal:
        name = f"{row.scenario}: {row.measure}"
        if row.fit.loglik is None:
            rows.append((name, *(UNDEFINED,) * 5))
            notes.append(f"{name}: {words.say(row.fit.reason.text)}")
            continue
        slope, lrt, odds = row.fit.of("arm"), row.arm_test, row.proportional_odds
        ratio = UNDEFINED if lrt is None else f"{words.fixed(lrt.chi2)}, p {words.p_only(lrt.p)}"
        proportional = (
            UNDEFINED
            if odds is None
            else f"{words.fixed(odds.chi2)} ({odds.df}), p {words.p_only(odds.p)}"
        )
        rows.append(
            (
                name,
                words.fixed(slope.estimate),
                words.fixed(slope.se),
                ratio,
                words.fixed(row.fit.sd),
                proportional,
            )
        )
        notes += _notes(row, name, words)
    if rows:
        head = (
            words("measure"),
            words("log_odds"),
            "SE",
            "LR chi2",
            words("sd_people"),
            words("odds_test"),
        )
        blocks += [
            Table(words("ordinal_caption"), head, tuple(rows)),
            Paragraph(words("ordinal_note")),
        ]
    blocks += [Listing(tuple(notes))] if notes else []
    return [*blocks, *_interaction(full, words)]


def _notes(row: OrdinalRow, name: str, words: Words) -> Iterator[str]:
    """Why something of a fitted model is missing."""
    if row.fit.reason is not Reason.NONE:
        said = "boundary" if row.fit.reason is Reason.BOUNDARY else "unsure"
        yield words(said, name=name, why=words.say(row.fit.reason.text))
    if row.proportional_odds is None:
        yield words("no_odds", name=name, why=words.say(row.proportional_odds_reason.text))


def family(full: Full, words: Words) -> list[Block]:
    """Raw and adjusted p over the declared family."""
    rows = tuple(
        (a.name, words.p_only(a.p), words.p_only(a.holm), words.p_only(a.bh)) for a in full.family
    )
    said = "family_declared" if full.family_declared else "family_default"
    blocks: list[Block] = [Heading(2, f"11. {words('multiplicity')}"), Paragraph(words(said))]
    blocks.append(Table(words("family_caption"), (words("test"), "p", "Holm", "BH"), rows))
    gone = [a.name for a in full.family if a.p is None]
    if gone:
        blocks.append(Paragraph(words("family_gone", names=", ".join(gone))))
    return blocks


def _interaction(full: Full, words: Words) -> list[Block]:
    blocks: list[Block] = []
    for found in full.interactions:
        test = found.double_difference
        rows = tuple(
            (
                words(f"method_{method.name}"),
                words(method.scale),
                words.fixed(method.estimate, 3),
                words.p_only(method.p),
                words.say(method.note),
            )
            for method in found.methods
        )
        head = (words("method"), words("scale"), words("estimate"), "p", words("note"))
        names = {"measure": found.measure, "first": found.first, "second": found.second}
        if test.t is not None:
            figures = (
                f"{words.fixed(test.mean, sign=True)}, {words.with_ci(test.ci)}, "
                f"t({test.df}) = {words.fixed(test.t)}, {words.p_equals(test.p)}"
            )
            blocks.append(Paragraph(words("interaction", figures=figures, **names)))
        blocks.append(Table(words("interaction_caption", n=found.n, **names), head, rows, 2))
        ps = [method.p for method in found.methods if method.p is not None]
        if ps and min(ps) < 0.05 <= max(ps):
            blocks.append(Notice(words("interaction_split")))
    scenarios = Counter(row.measure for row in full.core.ratings)
    for measure, count in scenarios.items():
        if comb(count, 2) > MOST_PAIRS:
            some = words("interaction_some", measure=measure, all=comb(count, 2), count=MOST_PAIRS)
            blocks.append(Paragraph(some))
    for overall in full.overall:
        if overall.row is None:
            why = words.say(overall.reason.text)
            text = words("overall_undefined", measure=overall.measure, n=overall.n, why=why)
            blocks.append(Paragraph(text))
        else:
            f = f"F({overall.row.df[0]}, {overall.row.df[1]}) = {words.fixed(overall.row.f)}"
            text = words(
                "overall", measure=overall.measure, figures=f"{f}, {words.p_equals(overall.row.p)}"
            )
            blocks.append(Paragraph(text))
    return blocks
