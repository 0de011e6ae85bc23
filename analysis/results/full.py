"""Everything a study's report holds, computed in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.dataset import Choices, Dataset, Pairs, choices_of, pairs_of
from analysis.results.core import Core, RatingRow, core
from analysis.results.crossover import Crossover, crossovers
from analysis.results.design import DesignCheck, design_check
from analysis.results.exclusions import SensitivityRow, exclusions_apply, reading_sensitivity
from analysis.results.group_models import GroupModels, group_models
from analysis.results.interaction import (
    Interaction,
    Overall,
    interactions,
    overall_interactions,
)
from analysis.results.models import OrdinalRow, ordinal_row
from analysis.results.planned import plan_missing
from analysis.results.subgroups import (
    Calibration,
    FidelityTrend,
    Moderation,
    calibrations,
    cohort_groups,
    comparison,
    fidelity_trends,
    moderations,
    pressure_groups,
)
from analysis.stats.agreement import Alpha, Icc, icc, krippendorff
from analysis.stats.bayes import ROBUSTNESS_SCALES, BayesFactor, jzs
from analysis.stats.bootstrap import Bootstrap, bootstrap_mean
from analysis.stats.effects import Effect, d_av, g_av, g_z
from analysis.stats.exact import Wilcoxon, wilcoxon
from analysis.stats.mcnemar import McNemar, mcnemar
from analysis.stats.multiplicity import Adjusted, family_adjust
from analysis.stats.normality import Shapiro, shapiro
from analysis.stats.power import sensitivity
from analysis.stats.ranks import RankEffect, hodges_lehmann, rank_biserial, superiority


@dataclass(frozen=True, slots=True)
class RatingDetail:
    """What stands beside the core row of a rating measure."""

    scenario: str
    measure: str
    g_z: Effect
    d_av: Effect
    g_av: Effect
    rank_biserial: RankEffect
    hodges_lehmann: float | None
    superiority: float | None
    wilcoxon_pratt: Wilcoxon
    bootstrap: Bootstrap
    bayes: tuple[BayesFactor, ...]
    shapiro: Shapiro
    detectable_d_z: float | None


@dataclass(frozen=True, slots=True)
class ChoicePair:
    """Two choices of the same people compared: did they pick the treatment in each?"""

    first: str
    second: str
    test: McNemar


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far participants agree on one measure, over scenarios and arms as items."""

    measure: str
    icc: Icc
    alpha: Alpha


@dataclass(frozen=True, slots=True)
class Full:
    """All results of a study."""

    core: Core
    design: DesignCheck
    details: tuple[RatingDetail, ...]
    choice_pairs: tuple[ChoicePair, ...]
    family: tuple[Adjusted, ...]
    family_declared: bool
    ordinal: tuple[OrdinalRow, ...]
    interactions: tuple[Interaction, ...]
    overall: tuple[Overall, ...]
    crossovers: tuple[Crossover, ...]
    reading: tuple[SensitivityRow, ...]
    cohorts: tuple[Moderation, ...]
    pressure: tuple[Moderation, ...]
    group_models: tuple[GroupModels, ...]
    moderations: tuple[Moderation, ...]
    calibrations: tuple[Calibration, ...]
    fidelity: tuple[FidelityTrend, ...]
    agreement: tuple[Agreement, ...]


def full(dataset: Dataset, *, models: bool = True) -> Full:
    """Compute a report's results, after the plan's exclusions.

    Args:
        dataset: The study.
        models: Fit the ordinal and linear models too (they take most of the time).

    Raises:
        OptionError: The plan asks for something unknown.
    """
    dataset = replace(dataset, notices=(*dataset.notices, *plan_missing(dataset)))
    dataset = exclusions_apply(dataset)
    rows = core(dataset)
    every = pairs_of(dataset)
    choices = choices_of(dataset)
    names = dataset.plan.get("family")
    cohorts, pressure = cohort_groups(dataset), pressure_groups(dataset)
    return Full(
        core=rows,
        design=design_check(dataset),
        details=tuple(_detail(pairs, row) for pairs, row in zip(every, rows.ratings, strict=True)),
        choice_pairs=tuple(_choice_pairs(choices)),
        family=family_adjust(_family(rows, names)),
        family_declared=names is not None,
        ordinal=tuple(ordinal_row(pairs) for pairs in every) if models else (),
        interactions=interactions(dataset, models=models),
        overall=overall_interactions(dataset) if models else (),
        crossovers=crossovers(dataset),
        reading=reading_sensitivity(dataset),
        cohorts=comparison(cohorts),
        pressure=comparison(pressure),
        group_models=group_models((*cohorts, *pressure)) if models else (),
        moderations=moderations(dataset),
        calibrations=calibrations(dataset),
        fidelity=fidelity_trends(dataset),
        agreement=tuple(_agreement(every)),
    )


def _detail(pairs: Pairs, row: RatingRow) -> RatingDetail:
    d, test = pairs.differences, row.t_test
    return RatingDetail(
        scenario=pairs.scenario,
        measure=pairs.measure,
        g_z=g_z(test),
        d_av=d_av(pairs.reference, pairs.treatment, test),
        g_av=g_av(pairs.reference, pairs.treatment, test),
        rank_biserial=rank_biserial(d),
        hodges_lehmann=hodges_lehmann(d),
        superiority=superiority(d),
        wilcoxon_pratt=wilcoxon(d, pratt=True),
        bootstrap=bootstrap_mean(d),
        bayes=tuple(jzs(test, scale=scale) for scale in ROBUSTNESS_SCALES),
        shapiro=shapiro(d),
        detectable_d_z=sensitivity(len(d)),
    )


def _family(rows: Core, names: list[str] | None) -> Mapping[str, float | None]:
    """The declared family, or every paired t and every choice of deciders."""
    tests = {f"{row.scenario}.{row.measure}": row.t_test.p for row in rows.ratings}
    tests |= {f"{row.scenario}.{row.measure}": row.treatment_of_deciders.p for row in rows.choices}
    return tests if names is None else {name: tests.get(name) for name in names}


def _choice_pairs(choices: tuple[Choices, ...]) -> list[ChoicePair]:
    """Every two choices within a scenario, and each choice across scenarios."""
    found = []
    for i, first in enumerate(choices):
        for second in choices[i + 1 :]:
            if first.scenario == second.scenario or first.measure == second.measure:
                one, two = _picked(first), _picked(second)
                names = [f"{c.scenario}.{c.measure}" for c in (first, second)]
                found.append(ChoicePair(names[0], names[1], mcnemar(one, two)))
    return found


def _picked(choices: Choices) -> dict[str, bool]:
    """Picked the treatment; `neither` and `both` count as not."""
    return {person: answer == choices.arms[1] for person, answer in choices.answers.items()}


def _agreement(every: tuple[Pairs, ...]) -> list[Agreement]:
    found = []
    for measure in dict.fromkeys(pairs.measure for pairs in every):
        items = {
            f"{pairs.scenario}.{arm}": dict(zip(pairs.ids, ratings, strict=True))
            for pairs in every
            if pairs.measure == measure
            for arm, ratings in zip(pairs.arms, (pairs.reference, pairs.treatment), strict=True)
        }
        people = sorted(set.intersection(*(set(ratings) for ratings in items.values())))
        table = [[float(ratings[person]) for person in people] for ratings in items.values()]
        alpha = krippendorff({item: tuple(ratings.values()) for item, ratings in items.items()})
        found.append(Agreement(measure, icc(table), alpha))
    return found
