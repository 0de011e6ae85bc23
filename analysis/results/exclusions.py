"""Who is left out by rules set beforehand, and what a stricter reading time would change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from analysis.dataset import Dataset, LeftOut, Trial, pairs_of, trials_of
from analysis.errors import OptionError
from analysis.schema import RATING
from analysis.stats.paired import PairedT, paired_t

# Seconds on a pair below which nobody can have read it; shown as a sensitivity row, not applied.
READING_FLOORS: Final = (30, 60, 120)


@dataclass(frozen=True, slots=True)
class SensitivityRow:
    """The paired test again, without participants under a reading time in that scenario."""

    scenario: str
    measure: str
    seconds: int
    removed: int
    test: PairedT


def exclusions_apply(dataset: Dataset) -> Dataset:
    """Leave participants out by the plan's rules, in their order; each is counted once.

    Rules: `incomplete` (did not reach the end), `too_fast` (any pair answered in less than `value`
    seconds), `straight_lining` (one and the same rating everywhere, from at least `value` ratings).

    Raises:
        OptionError: The plan names a rule that does not exist.
    """
    for entry in dataset.plan.get("exclusions", ()):
        rule = _RULES.get(entry["rule"])
        if rule is None:
            raise OptionError(
                f"exclusion rule {entry['rule']!r} in the plan; known: {', '.join(_RULES)}"
            )
        ids, text = rule(dataset, entry)
        dataset = _without(dataset, ids, text)
    return dataset


def reading_sensitivity(dataset: Dataset) -> tuple[SensitivityRow, ...]:
    """Repeat every paired test without fast readers; empty where no times were recorded."""
    trials = trials_of(dataset)
    rows = []
    for pairs in pairs_of(dataset):
        seconds = {p: trials[pairs.scenario, p].seconds for p in pairs.ids}
        if any(value is None for value in seconds.values()):
            continue
        for floor in READING_FLOORS:
            kept = [
                d
                for person, d in zip(pairs.ids, pairs.differences, strict=True)
                if (seconds[person] or 0) >= floor
            ]
            removed = len(pairs.ids) - len(kept)
            rows.append(
                SensitivityRow(pairs.scenario, pairs.measure, floor, removed, paired_t(kept))
            )
    return tuple(rows)


def _incomplete(dataset: Dataset, _: Mapping[str, Any]) -> tuple[Sequence[str], str]:
    trials = trials_of(dataset).values()
    return [t.participant for t in trials if not t.complete], "did not reach the end"


def _too_fast(dataset: Dataset, entry: Mapping[str, Any]) -> tuple[Sequence[str], str]:
    limit = float(entry["value"])

    def fast(trial: Trial) -> bool:
        return trial.seconds is not None and trial.seconds < limit

    ids = [trial.participant for trial in trials_of(dataset).values() if fast(trial)]
    return ids, f"answered a pair in under {limit:g} s"


def _straight_lining(dataset: Dataset, entry: Mapping[str, Any]) -> tuple[Sequence[str], str]:
    ratings: dict[str, list[int | str]] = {}
    for row in dataset.rows:
        if row.kind == RATING:
            ratings.setdefault(row.participant_id, []).append(row.value)
    least = int(entry.get("value", 4))
    same = [p for p, values in ratings.items() if len(values) >= least and len(set(values)) == 1]
    return same, f"gave one and the same rating {least} times or more"


_RULES: Final[Mapping[str, Callable[[Dataset, Mapping[str, Any]], tuple[Sequence[str], str]]]] = {
    "incomplete": _incomplete,
    "too_fast": _too_fast,
    "straight_lining": _straight_lining,
}


def _without(dataset: Dataset, ids: Sequence[str], rule: str) -> Dataset:
    out = tuple(sorted(set(ids)))
    gone = frozenset(out)
    return replace(
        dataset,
        rows=tuple(row for row in dataset.rows if row.participant_id not in gone),
        left_out=(*dataset.left_out, LeftOut(rule, out)),
    )
