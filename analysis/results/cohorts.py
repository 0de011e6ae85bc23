"""Cohorts compared by models: mixed ANOVA and the ordinal model with arm x cohort."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.dataset import Dataset, Pairs, pairs_of, trials_of
from analysis.results.models import ARM
from analysis.stats.anova import AnovaRow, mixed_anova
from analysis.stats.likelihood import OrdinalData
from analysis.stats.ordinal import LikelihoodRatio, likelihood_ratio, ordinal_mixed


@dataclass(frozen=True, slots=True)
class CohortModels:
    """Both models for one measure in one scenario; `ordinal` tests the interaction."""

    scenario: str
    measure: str
    anova: tuple[AnovaRow, ...]
    ordinal: LikelihoodRatio | None


def cohort_models(dataset: Dataset) -> tuple[CohortModels, ...]:
    """Fit both for every rating measure; empty unless two cohorts have two pairs or more."""
    cohorts = {trial.participant: trial.cohort for trial in trials_of(dataset).values()}
    found = []
    for pairs in pairs_of(dataset):
        sizes: dict[str, int] = {}
        for person in pairs.ids:
            sizes[cohorts[person]] = sizes.get(cohorts[person], 0) + 1
        levels = sorted(name for name, size in sizes.items() if size >= 2)
        if len(levels) >= 2:
            found.append(_models(pairs, cohorts, levels))
    return tuple(found)


def _models(pairs: Pairs, cohorts: dict[str, str], levels: list[str]) -> CohortModels:
    table: dict[str, list[object]] = {"rating": [], "arm": [], "cohort": [], "person": []}
    predictors: dict[str, list[float]] = {ARM: []}
    for level in levels[1:]:
        predictors |= {f"cohort:{level}": [], f"{ARM}:{level}": []}
    ratings: list[int] = []
    people: list[str] = []
    for person, *both in zip(pairs.ids, pairs.reference, pairs.treatment, strict=True):
        if cohorts[person] not in levels:
            continue
        for place, (arm, rating) in enumerate(zip(pairs.arms, both, strict=True)):
            cells = (rating, arm, cohorts[person], person)
            for column, cell in zip(table.values(), cells, strict=True):
                column.append(cell)
            ratings.append(int(rating))
            people.append(person)
            predictors[ARM].append(float(place))
            for level in levels[1:]:
                inside = float(cohorts[person] == level)
                predictors[f"cohort:{level}"].append(inside)
                predictors[f"{ARM}:{level}"].append(inside * place)
    columns = {name: tuple(column) for name, column in predictors.items()}
    data = OrdinalData(tuple(ratings), columns, tuple(people))
    return CohortModels(pairs.scenario, pairs.measure, _anova(table), _interaction(data, levels))


def _anova(table: dict[str, list[object]]) -> tuple[AnovaRow, ...]:
    return mixed_anova(table, rating="rating", within="arm", between="cohort", subject="person")


def _interaction(data: OrdinalData, levels: list[str]) -> LikelihoodRatio | None:
    reduced = data
    for level in levels[1:]:
        reduced = reduced.without(f"{ARM}:{level}")
    return likelihood_ratio(ordinal_mixed(data), ordinal_mixed(reduced), df=len(levels) - 1)
