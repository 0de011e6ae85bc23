"""Who is left out by rules set beforehand, and what a stricter reading time would change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from analysis.dataset import Dataset, LeftOut, Pairs, pairs_of, trials_of
from analysis.errors import OptionError
from analysis.records import PAIR, REPORT, TRACE
from analysis.saying import say
from analysis.schema import ATTENTION, COMPLETE, FAILED, RATING
from analysis.stats.paired import PairedT, paired_t

# Seconds on a pair below which nobody can have read it; shown as a sensitivity row, not applied.
READING_FLOORS: Final = (30, 60, 120)


# What the rows of the reading sensitivity are kept by.
ELAPSED, VISIBLE, ATTENTIVE = "elapsed", "visible", "attentive"


@dataclass(frozen=True, slots=True)
class SensitivityRow:
    """The paired test again, on those who read for at least `seconds` in that scenario.

    `basis` says how reading was measured: `elapsed` from first sight to last answer, `visible`
    seconds of both reports in view without idle time. `attentive` keeps who failed no attention
    check, and has no seconds.
    """

    scenario: str
    measure: str
    basis: str
    seconds: int | None
    removed: int
    test: PairedT


def exclusions_apply(dataset: Dataset) -> Dataset:
    """Leave participants out by the plan's rules, in their order; each is counted once.

    Rules: `incomplete` (did not reach the end), `too_fast` (any pair answered in less than `value`
    seconds), `straight_lining` (one and the same rating everywhere, from at least `value` ratings),
    `attention` (more than `value` failed checks, 0 unless stated), `minimum_exposure` (any
    `item_kind` of a trial in view for less than `value` seconds), `scroll_coverage` (less than the
    share `value` of any `item_kind` ever in view).

    Raises:
        OptionError: The plan names a rule that does not exist, a value it cannot take, or a rule
            on something that the data do not hold.
    """
    for entry in dataset.plan.get("exclusions", ()):
        rule = _RULES.get(entry["rule"])
        if rule is None:
            raise OptionError(
                f"exclusion rule {entry['rule']!r} in the plan; known: {', '.join(_RULES)}"
            )
        dataset = _without(dataset, *rule(dataset, entry))
    return dataset


def reading_sensitivity(dataset: Dataset) -> tuple[SensitivityRow, ...]:
    """Repeat every paired test on attentive readers; empty where nothing of it was recorded."""
    return tuple(
        row
        for pairs in pairs_of(dataset)
        for row in (*_by_time(dataset, pairs), *_by_attention(dataset, pairs))
    )


def _by_time(dataset: Dataset, pairs: Pairs) -> Iterator[SensitivityRow]:
    trials, seen = trials_of(dataset), _visible(dataset, REPORT)
    elapsed = {p: trials[pairs.scenario, p].seconds for p in pairs.ids}
    visible = {p: seen.get((pairs.scenario, p)) for p in pairs.ids}
    for basis, seconds in ((ELAPSED, elapsed), (VISIBLE, visible)):
        known = {person: value for person, value in seconds.items() if value is not None}
        if not pairs.ids or len(known) < len(pairs.ids):
            continue
        for floor in READING_FLOORS:
            kept = {person for person, value in known.items() if value >= floor}
            yield _sensitivity(pairs, basis, floor, kept)


def _by_attention(dataset: Dataset, pairs: Pairs) -> Iterator[SensitivityRow]:
    failures = _failures(dataset)
    if failures:
        yield _sensitivity(pairs, ATTENTIVE, None, {p for p in pairs.ids if not failures.get(p)})


def _sensitivity(pairs: Pairs, basis: str, seconds: int | None, kept: set[str]) -> SensitivityRow:
    both = zip(pairs.ids, pairs.differences, strict=True)
    left = [difference for person, difference in both if person in kept]
    removed = len(pairs.ids) - len(left)
    return SensitivityRow(pairs.scenario, pairs.measure, basis, seconds, removed, paired_t(left))


_Rule = Callable[[Dataset, Mapping[str, Any]], tuple[Iterable[str], str]]


def _incomplete(dataset: Dataset, _: Mapping[str, Any]) -> tuple[Iterable[str], str]:
    # Whoever left before the first pair has answers too, but no trial.
    unfinished = [row.participant_id for row in dataset.rows if row.status != COMPLETE]
    return unfinished, say("out_incomplete")


def _too_fast(dataset: Dataset, entry: Mapping[str, Any]) -> tuple[Iterable[str], str]:
    limit = _value(entry)
    seconds = {t.participant: t.seconds for t in trials_of(dataset).values()}
    _needs(entry, "times", found=any(value is not None for value in seconds.values()))
    ids = [
        trial.participant
        for trial in trials_of(dataset).values()
        if trial.seconds is not None and trial.seconds < limit
    ]
    return ids, say("out_too_fast", seconds=f"{limit:g}")


def _straight_lining(dataset: Dataset, entry: Mapping[str, Any]) -> tuple[Iterable[str], str]:
    ratings: dict[str, list[int | str]] = {}
    for row in dataset.rows:
        if row.kind == RATING:
            ratings.setdefault(row.participant_id, []).append(row.value)
    least = int(_value(entry, default=4))
    same = [p for p, values in ratings.items() if len(values) >= least and len(set(values)) == 1]
    return same, say("out_straight_lining", least=least)


def _attention(dataset: Dataset, entry: Mapping[str, Any]) -> tuple[Iterable[str], str]:
    allowed = int(_value(entry, default=0))
    failures = _failures(dataset)
    _needs(entry, "attention checks", found=bool(failures))
    ids = [person for person, count in failures.items() if count > allowed]
    return ids, say("out_attention", allowed=allowed)


def _minimum_exposure(dataset: Dataset, entry: Mapping[str, Any]) -> tuple[Iterable[str], str]:
    kind, limit = _item_kind(entry, (TRACE, REPORT, PAIR)), _value(entry)
    rows = [
        (row.participant_id, row.visible_seconds)
        for row in dataset.records.paradata
        if row.item_kind == kind and row.visible_seconds is not None
    ]
    _needs(entry, f"paradata of a {kind}", found=bool(rows))
    ids = [person for person, seconds in rows if seconds < limit]
    return ids, say(f"out_exposure_{kind}", seconds=f"{limit:g}")


def _scroll_coverage(dataset: Dataset, entry: Mapping[str, Any]) -> tuple[Iterable[str], str]:
    kind, limit = _item_kind(entry, (TRACE, REPORT)), _value(entry)
    if limit > 1:
        raise OptionError(f"scroll_coverage takes a share from 0 to 1; found {limit:g}")
    rows = [
        (row.participant_id, row.scroll_coverage)
        for row in dataset.records.paradata
        if row.item_kind == kind and row.scroll_coverage is not None
    ]
    _needs(entry, f"scroll coverage of a {kind}", found=bool(rows))
    ids = [person for person, share in rows if share < limit]
    return ids, say(f"out_coverage_{kind}", share=f"{100 * limit:g} %")


_RULES: Final[Mapping[str, _Rule]] = {
    "incomplete": _incomplete,
    "too_fast": _too_fast,
    "straight_lining": _straight_lining,
    "attention": _attention,
    "minimum_exposure": _minimum_exposure,
    "scroll_coverage": _scroll_coverage,
}


def _value(entry: Mapping[str, Any], *, default: float | None = None) -> float:
    found = entry.get("value", default)
    if isinstance(found, int | float) and not isinstance(found, bool) and found >= 0:
        return float(found)
    raise OptionError(
        f"exclusion rule {entry['rule']} in the plan: value {found!r}; allowed: a number from 0"
    )


def _item_kind(entry: Mapping[str, Any], allowed: tuple[str, ...]) -> str:
    found = entry.get("item_kind")
    if found in allowed:
        return str(found)
    raise OptionError(
        f"exclusion rule {entry['rule']} in the plan: item_kind {found!r}; allowed: "
        f"{', '.join(allowed)}"
    )


def _needs(entry: Mapping[str, Any], what: str, *, found: bool) -> None:
    """A rule that nothing can be checked by would pass everybody and look as if it had not."""
    if not found:
        raise OptionError(
            f"exclusion rule {entry['rule']} in the plan needs {what}, which the data do not hold"
        )


def _failures(dataset: Dataset) -> dict[str, int]:
    """Failed attention checks of everyone who was asked one."""
    found: dict[str, int] = {}
    for row in dataset.rows:
        if row.kind == ATTENTION:
            failed = found.setdefault(row.participant_id, 0)
            found[row.participant_id] = failed + (row.value == FAILED)
    return found


def _visible(dataset: Dataset, kind: str) -> dict[tuple[str, str], float]:
    """Visible seconds by (scenario, participant), summed over the items of a kind."""
    found: dict[tuple[str, str], float] = {}
    for row in dataset.records.paradata:
        if row.item_kind == kind and row.visible_seconds is not None:
            key = (row.scenario, row.participant_id)
            found[key] = found.get(key, 0.0) + row.visible_seconds
    return found


def _without(dataset: Dataset, ids: Iterable[str], rule: str) -> Dataset:
    out = tuple(sorted(set(ids) & set(dataset.participants)))
    gone = frozenset(out)
    return replace(
        dataset,
        rows=tuple(row for row in dataset.rows if row.participant_id not in gone),
        left_out=(*dataset.left_out, LeftOut(rule, out)),
    )
