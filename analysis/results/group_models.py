"""Groups of people compared by models: mixed ANOVA and the ordinal model with arm x group.

The groups are cohorts, or levels of time pressure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.dataset import Pairs
from analysis.results.models import ARM
from analysis.results.subgroups import Grouped
from analysis.stats.anova import AnovaRow, mixed_anova
from analysis.stats.likelihood import OrdinalData
from analysis.stats.ordinal import LikelihoodRatio, likelihood_ratio, ordinal_mixed


@dataclass(frozen=True, slots=True)
class GroupModels:
    """Both models for one measure in one scenario; `ordinal` tests the interaction.

    `anova` is empty where the answers do not vary enough for an F.
    """

    scenario: str
    measure: str
    grouping: str
    anova: tuple[AnovaRow, ...]
    ordinal: LikelihoodRatio | None


def group_models(grouped: Sequence[Grouped]) -> tuple[GroupModels, ...]:
    """Fit both wherever two groups have two pairs or more."""
    found = []
    for entry in grouped:
        groups = Counter(entry.people.get(person) for person in entry.pairs.ids)
        levels = [level for level in entry.levels if groups[level] >= 2]
        if len(levels) >= 2:
            found.append(_models(entry.pairs, entry.grouping, entry.people, levels))
    return tuple(found)


def _models(
    pairs: Pairs, grouping: str, groups: Mapping[str, str], levels: Sequence[str]
) -> GroupModels:
    table: dict[str, list[object]] = {"rating": [], "arm": [], grouping: [], "person": []}
    predictors: dict[str, list[float]] = {ARM: []}
    for level in levels[1:]:
        predictors |= {f"{grouping}:{level}": [], f"{ARM}:{level}": []}
    ratings: list[int] = []
    people: list[str] = []
    for person, *both in zip(pairs.ids, pairs.reference, pairs.treatment, strict=True):
        group = groups.get(person)
        if group not in levels:
            continue
        for place, (arm, rating) in enumerate(zip(pairs.arms, both, strict=True)):
            for column, cell in zip(table.values(), (rating, arm, group, person), strict=True):
                column.append(cell)
            ratings.append(int(rating))
            people.append(person)
            predictors[ARM].append(float(place))
            for level in levels[1:]:
                inside = float(group == level)
                predictors[f"{grouping}:{level}"].append(inside)
                predictors[f"{ARM}:{level}"].append(inside * place)
    columns = {name: tuple(column) for name, column in predictors.items()}
    data = OrdinalData(tuple(ratings), columns, tuple(people))
    anova = mixed_anova(table, rating="rating", within="arm", between=grouping, subject="person")
    return GroupModels(pairs.scenario, pairs.measure, grouping, anova, _interaction(data, levels))


def _interaction(data: OrdinalData, levels: Sequence[str]) -> LikelihoodRatio | None:
    reduced = data
    for level in levels[1:]:
        reduced = reduced.without(f"{ARM}:{level}")
    return likelihood_ratio(ordinal_mixed(data), ordinal_mixed(reduced), df=len(levels) - 1)
