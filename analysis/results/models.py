"""Ordinal and linear models of the ratings, for one scenario and across scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from analysis.dataset import Pairs
from analysis.stats.likelihood import OrdinalData
from analysis.stats.ordinal import (
    LikelihoodRatio,
    OrdinalFit,
    likelihood_ratio,
    ordinal_mixed,
    proportional_odds,
)
from analysis.stats.undefined import Reason

ARM = "arm"
# Cochran's rule for a chi-square over a table: five a cell, here on average over level and arm.
_RATINGS_A_CELL: Final = 5


@dataclass(frozen=True, slots=True)
class OrdinalRow:
    """The cumulative-link mixed model of one measure in one scenario.

    `proportional_odds` is null where `proportional_odds_reason` says why.
    """

    scenario: str
    measure: str
    fit: OrdinalFit
    arm_test: LikelihoodRatio | None
    proportional_odds: LikelihoodRatio | None
    proportional_odds_reason: Reason


def ordinal_row(pairs: Pairs) -> OrdinalRow:
    """Fit rating on arm with a random participant, and test the arm by likelihood ratio."""
    data = long_data([pairs])
    fit = ordinal_mixed(data)
    odds = proportional_odds(data, ARM) if fit.loglik is not None else None
    sparse = len(data.ratings) < 2 * _RATINGS_A_CELL * len(fit.levels)
    return OrdinalRow(
        scenario=pairs.scenario,
        measure=pairs.measure,
        fit=fit,
        arm_test=likelihood_ratio(fit, ordinal_mixed(data.without(ARM))),
        proportional_odds=None if sparse else odds,
        proportional_odds_reason=_why_no_odds(fit, odds, sparse=sparse),
    )


def _why_no_odds(fit: OrdinalFit, odds: LikelihoodRatio | None, *, sparse: bool) -> Reason:
    if fit.loglik is None:
        return fit.reason
    if odds is None:
        return Reason.TOO_FEW_LEVELS
    return Reason.SPARSE if sparse else Reason.NONE


def long_data(scenarios: Sequence[Pairs]) -> OrdinalData:
    """One row a rating, with `arm` (0 reference, 1 treatment).

    Every scenario after the first adds `scenario:<name>` and `arm:<name>` (its interaction).
    """
    ratings: list[int] = []
    people: list[str] = []
    columns: dict[str, list[float]] = {ARM: []}
    for pairs in scenarios[1:]:
        columns |= {f"scenario:{pairs.scenario}": [], f"arm:{pairs.scenario}": []}
    for pairs in scenarios:
        for person, *both in zip(pairs.ids, pairs.reference, pairs.treatment, strict=True):
            for arm, rating in enumerate(both):
                ratings.append(int(rating))
                people.append(person)
                for name, column in columns.items():
                    column.append(_entry(name, pairs.scenario, arm))
    predictors = {name: tuple(column) for name, column in columns.items()}
    return OrdinalData(tuple(ratings), predictors, tuple(people))


def _entry(name: str, scenario: str, arm: int) -> float:
    kind, _, about = name.partition(":")
    if not about:
        return float(arm)
    return float(about == scenario) * (1.0 if kind == "scenario" else float(arm))
