"""Exploratory: does the effect depend on who answers, or on what they found faithful?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.dataset import (
    Dataset,
    Pairs,
    background_of,
    choices_of,
    pairs_of,
    pressure_of,
    trials_of,
)
from analysis.schema import NO_PRESSURE, PRESSURE_COLUMN
from analysis.stats.groups import (
    OneWay,
    RankCorrelation,
    TwoSample,
    one_way,
    rank_correlation,
    two_sample,
)
from analysis.stats.paired import PairedT, paired_t
from analysis.stats.undefined import Reason

COHORT: Final = "cohort"
_MOST_LEVELS: Final = 8
_FEWEST_SCENARIOS: Final = 3


@dataclass(frozen=True, slots=True)
class Subgroup:
    """The paired test inside one group; never to be read without the interaction beside it."""

    level: str
    test: PairedT


@dataclass(frozen=True, slots=True)
class Moderation:
    """Whether a grouping changes the effect of one measure in one scenario.

    `interaction` (the F test of the differences over groups) comes first. `trend` is the rank
    correlation with the order of the levels, only where the plan says that they are ordered;
    `two_groups` the t test, only for two of them.
    """

    scenario: str
    measure: str
    grouping: str
    interaction: OneWay
    trend: RankCorrelation | None
    two_groups: TwoSample | None
    groups: tuple[Subgroup, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The pairs of one measure in one scenario, and in which group each participant is."""

    pairs: Pairs
    grouping: str
    levels: Sequence[str]
    people: Mapping[str, str]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """Mean trust difference of those who found each arm faithful (or neither, or both)."""

    scenario: str
    measure: str
    choice: str
    interaction: OneWay
    groups: tuple[Subgroup, ...]


@dataclass(frozen=True, slots=True)
class FidelityTrend:
    """Over three or more pairs: mean trust difference against the pair's difference in PF.

    With fewer `scenarios` of known PF there is no trend, for the stated reason.
    """

    measure: str
    scenarios: int
    trend: RankCorrelation | None
    reason: Reason = Reason.NONE


def moderations(dataset: Dataset) -> tuple[Moderation, ...]:
    """Test every background question, and every grouping of the plan, on every rating measure."""
    groupings = _groupings(dataset)
    ordered = set(dataset.plan.get("ordered", ()))
    return tuple(
        _moderation(pairs, name, levels, people, ordered=name in ordered)
        for pairs in pairs_of(dataset)
        for name, (levels, people) in groupings.items()
    )


def comparison(grouped: Sequence[Grouped]) -> tuple[Moderation, ...]:
    """Test whether groups differ, such as those of `cohort_groups` and `pressure_groups`."""
    return tuple(
        _moderation(g.pairs, g.grouping, g.levels, g.people, ordered=g.ordered) for g in grouped
    )


def cohort_groups(dataset: Dataset) -> tuple[Grouped, ...]:
    """Participants by cohort, for every rating measure; empty for a study with one cohort."""
    cohorts = {t.participant: t.cohort for t in trials_of(dataset).values() if t.cohort}
    levels = sorted(set(cohorts.values()))
    if not 2 <= len(levels) <= _MOST_LEVELS:
        return ()
    return tuple(
        Grouped(pairs, COHORT, levels, cohorts, ordered=False) for pairs in pairs_of(dataset)
    )


def pressure_groups(dataset: Dataset) -> tuple[Grouped, ...]:
    """Participants by time pressure, least first; empty unless two levels were recorded."""
    pressure = pressure_of(dataset)
    levels, ordered = pressure_levels(pressure.values())
    if not 2 <= len(levels) <= _MOST_LEVELS:
        return ()
    return tuple(
        Grouped(
            pairs,
            PRESSURE_COLUMN,
            levels,
            {p: pressure[pairs.scenario, p] for p in pairs.ids if (pairs.scenario, p) in pressure},
            ordered=ordered,
        )
        for pairs in pairs_of(dataset)
    )


def pressure_levels(found: Iterable[str]) -> tuple[list[str], bool]:
    """Levels from least to most pressure, and whether they have an order at all.

    `none` comes before any countdown, a long countdown before a short one; other names sort last.
    """

    def place(level: str) -> tuple[int, int, str]:
        if level == NO_PRESSURE:
            return 0, 0, level
        return (1, -int(level), level) if level.isdecimal() else (2, 0, level)

    levels = sorted(set(found), key=place)
    return levels, all(place(level)[0] < 2 for level in levels)


def calibrations(dataset: Dataset) -> tuple[Calibration, ...]:
    """Split trust by the faithful choice (names may be set in the plan's `calibration`)."""
    names = dataset.plan.get("calibration") or {"rating": "trust", "choice": "faithful"}
    chosen = {
        choices.scenario: choices.answers
        for choices in choices_of(dataset)
        if choices.measure == names["choice"]
    }
    return tuple(
        _calibration(pairs, names["choice"], chosen[pairs.scenario])
        for pairs in pairs_of(dataset)
        if pairs.measure == names["rating"] and pairs.scenario in chosen
    )


def fidelity_trends(dataset: Dataset) -> tuple[FidelityTrend, ...]:
    """Correlate scenario means with the PF differences of the manifest, over three or more."""
    fidelity = dataset.fidelity
    trends = []
    for measure in dict.fromkeys(pairs.measure for pairs in pairs_of(dataset)):
        points = [
            (fidelity[pairs.scenario], sum(pairs.differences) / len(pairs.ids))
            for pairs in pairs_of(dataset)
            if pairs.measure == measure and pairs.scenario in fidelity and pairs.ids
        ]
        trends.append(_fidelity_trend(measure, points))
    return tuple(trends)


def _fidelity_trend(measure: str, points: Sequence[tuple[float, float]]) -> FidelityTrend:
    if len(points) < _FEWEST_SCENARIOS:
        return FidelityTrend(measure, len(points), None, Reason.TOO_FEW_SCENARIOS)
    xs, ys = zip(*points, strict=True)
    return FidelityTrend(measure, len(points), rank_correlation(xs, ys))


def _groupings(dataset: Dataset) -> dict[str, tuple[Sequence[str], Mapping[str, str]]]:
    background = background_of(dataset)
    found: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {}
    for measure, people in background.items():
        levels = _levels(dataset, measure, people)
        if 2 <= len(levels) <= _MOST_LEVELS:
            found[measure] = (levels, people)
    for name, rule in dataset.plan.get("groups", {}).items():
        found[name] = _regrouped(rule, background)
    return found


def _regrouped(
    rule: Mapping[str, Any], background: Mapping[str, Mapping[str, str]]
) -> tuple[Sequence[str], Mapping[str, str]]:
    group_of = {answer: group for group, members in rule["levels"].items() for answer in members}
    people = background.get(rule["of"], {})
    return list(rule["levels"]), {
        person: group_of[answer] for person, answer in people.items() if answer in group_of
    }


def _levels(dataset: Dataset, measure: str, people: Mapping[str, str]) -> list[str]:
    """Answers in the codebook's order, then others as they sort."""
    present = set(people.values())
    listed = [r.value for r in dataset.codebook if r.measure == measure and r.value in present]
    return list(dict.fromkeys([*listed, *sorted(present)]))


def _moderation(
    pairs: Pairs, name: str, levels: Sequence[str], people: Mapping[str, str], *, ordered: bool
) -> Moderation:
    groups = _split(pairs, people, levels)
    two = [groups[level] for level in levels] if len(levels) == 2 else None
    return Moderation(
        scenario=pairs.scenario,
        measure=pairs.measure,
        grouping=name,
        interaction=one_way(groups),
        trend=_trend(groups) if ordered else None,
        two_groups=two_sample(two[0], two[1]) if two else None,
        groups=tuple(Subgroup(level, paired_t(groups[level])) for level in levels),
    )


def _trend(groups: Mapping[str, Sequence[int]]) -> RankCorrelation:
    points = [(place, d) for place, level in enumerate(groups) for d in groups[level]]
    return rank_correlation([place for place, _ in points], [d for _, d in points])


def _calibration(pairs: Pairs, choice: str, answers: Mapping[str, str]) -> Calibration:
    levels = [*pairs.arms, "neither", "both"]
    groups = {k: v for k, v in _split(pairs, answers, levels).items() if v}
    return Calibration(
        scenario=pairs.scenario,
        measure=pairs.measure,
        choice=choice,
        interaction=one_way(groups),
        groups=tuple(Subgroup(level, paired_t(values)) for level, values in groups.items()),
    )


def _split(pairs: Pairs, people: Mapping[str, str], levels: Sequence[str]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {level: [] for level in levels}
    for person, difference in zip(pairs.ids, pairs.differences, strict=True):
        level = people.get(person)
        if level in groups:
            groups[level].append(difference)
    return groups
