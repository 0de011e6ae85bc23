"""Does the arm's effect differ between two scenarios? Several methods, side by side.

The paired double difference comes first: it needs no model. The others are shown because on the
N=33 study they disagree about .05, which no single one of them would tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from analysis.dataset import Dataset, Pairs, pairs_of
from analysis.results.models import ARM, long_data
from analysis.saying import say
from analysis.stats.anova import AnovaRow, within_anova
from analysis.stats.exact import SignFlip, Wilcoxon, sign_flip, wilcoxon
from analysis.stats.likelihood import OrdinalData
from analysis.stats.mixed import linear_mixed, ordinal_clustered, ordinal_gee
from analysis.stats.ordinal import OrdinalFit, likelihood_ratio, ordinal_mixed
from analysis.stats.paired import PairedT, paired_t
from analysis.stats.undefined import Reason

POINTS, LOG_ODDS = "scale_points", "log_odds"
MOST_PAIRS: Final = 10


@dataclass(frozen=True, slots=True)
class Method:
    """One way to test the interaction; `scale` says in what the estimate is measured.

    `name` and `scale` are keys of the report's texts.
    """

    name: str
    scale: str
    estimate: float | None
    p: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Interaction:
    """The interaction of arm and scenario for one measure; positive if `second` shows more."""

    measure: str
    first: str
    second: str
    n: int
    double_difference: PairedT
    sign_flip: SignFlip
    wilcoxon: Wilcoxon
    methods: tuple[Method, ...]
    model: OrdinalFit | None


@dataclass(frozen=True, slots=True)
class Overall:
    """Over three or more scenarios: the ANOVA's interaction of arm and scenario."""

    measure: str
    n: int
    row: AnovaRow | None
    reason: Reason = Reason.NONE


def overall_interactions(dataset: Dataset) -> tuple[Overall, ...]:
    """Test all scenarios of a measure at once, where there are three or more.

    With two scenarios the ANOVA's F is the square of the double difference's t and adds nothing.
    """
    return tuple(
        _overall(measure, scenarios)
        for measure, scenarios in _by_measure(dataset).items()
        if len(scenarios) > 2
    )


def interactions(dataset: Dataset, *, models: bool = True) -> tuple[Interaction, ...]:
    """Test every pair of scenarios (the first ten pairs) of every rating measure.

    Args:
        dataset: The study.
        models: Fit the models too; they take about a second for each pair of scenarios.
    """
    return tuple(
        _interaction(first, second, models=models)
        for scenarios in _by_measure(dataset).values()
        for first, second in list(combinations(scenarios, 2))[:MOST_PAIRS]
    )


def _by_measure(dataset: Dataset) -> dict[str, list[Pairs]]:
    found: dict[str, list[Pairs]] = {}
    for pairs in pairs_of(dataset):
        found.setdefault(pairs.measure, []).append(pairs)
    return found


def _interaction(first: Pairs, second: Pairs, *, models: bool) -> Interaction:
    one = dict(zip(first.ids, first.differences, strict=True))
    two = dict(zip(second.ids, second.differences, strict=True))
    doubles = [two[person] - one[person] for person in one if person in two]
    test = paired_t(doubles)
    flips, ranks = sign_flip(doubles), wilcoxon(doubles)
    data = long_data([first, second])
    name = f"{ARM}:{second.scenario}"
    fitted = models and test.p is not None
    fit = ordinal_mixed(data) if fitted else None
    return Interaction(
        measure=first.measure,
        first=first.scenario,
        second=second.scenario,
        n=len(doubles),
        double_difference=test,
        sign_flip=flips,
        wilcoxon=ranks,
        methods=(
            Method("double_t", POINTS, test.mean, test.p),
            Method("double_flip", POINTS, test.mean, flips.p, flips.method),
            Method("double_wilcoxon", POINTS, test.mean, ranks.p, ranks.method),
            *(_models(data, fit, name) if fit else ()),
        ),
        model=fit,
    )


def _models(data: OrdinalData, fit: OrdinalFit, name: str) -> Sequence[Method]:
    linear = linear_mixed(data).of(name)
    rows: list[Method] = []
    if linear is not None:
        text = f"t({linear.df})"
        rows.append(Method("linear_mixed", POINTS, linear.estimate, linear.p, text))
    if fit.loglik is None:
        return (*rows, Method("ordinal_mixed", LOG_ODDS, None, None, fit.reason.text))
    ratio = likelihood_ratio(fit, ordinal_mixed(data.without(name)))
    clustered, gee = ordinal_clustered(data, name), ordinal_gee(data, name)
    slope = fit.of(name)
    rows.append(Method("ordinal_mixed_wald", LOG_ODDS, slope.estimate, slope.p))
    if ratio is not None:
        rows.append(Method("ordinal_mixed_ratio", LOG_ODDS, slope.estimate, ratio.p))
    for label, found in (("ordinal_clustered", clustered), ("ordinal_gee", gee)):
        if found is not None:
            rows.append(Method(label, LOG_ODDS, found.estimate, found.p, say("population_average")))
    return rows


def _overall(measure: str, scenarios: Sequence[Pairs]) -> Overall:
    people = sorted(set.intersection(*(set(pairs.ids) for pairs in scenarios)))
    table: dict[str, list[object]] = {"rating": [], "arm": [], "scenario": [], "person": []}
    for pairs in scenarios:
        both = zip(pairs.reference, pairs.treatment, strict=True)
        halves = dict(zip(pairs.ids, both, strict=True))
        for person in people:
            for arm, rating in zip(pairs.arms, halves[person], strict=True):
                for key, value in zip(table, (rating, arm, pairs.scenario, person), strict=True):
                    table[key].append(value)
    if len(people) < 3:
        return Overall(measure, len(people), None, Reason.TOO_FEW)
    rows = within_anova(table, rating="rating", within=("arm", "scenario"), subject="person")
    found = [row for row in rows if row.source == "arm:scenario"]
    if not found:
        return Overall(measure, len(people), None, Reason.ZERO_VARIANCE)
    return Overall(measure, len(people), found[0])
