"""Position, carry-over and order, from what was recorded (an AB/BA crossover within each trial).

Those who saw the treatment left and those who saw it right are two sequences. With d = treatment
minus reference, the effect of the arm is the mean of both sequence means of d, the effect of the
position (left minus right) half their difference; carry-over shows as a difference of the sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import stdtr, stdtrit

from analysis.dataset import Dataset, Pairs, Trial, pairs_of, trials_of
from analysis.stats.groups import TwoSample, two_sample
from analysis.stats.paired import Interval
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate with interval, t and p; null with a reason where the design allows none."""

    value: float | None
    ci: Interval | None
    t: float | None
    df: int | None
    p: float | None
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class Crossover:
    """The arm's effect freed from position, and what position, carry-over and order did."""

    scenario: str
    measure: str
    n_treatment_left: int
    n_treatment_right: int
    arm: Estimate
    position: Estimate
    carry_over: Estimate
    order: Estimate


def crossovers(dataset: Dataset) -> tuple[Crossover, ...]:
    """Estimate all four effects for each rating measure in each scenario."""
    trials = trials_of(dataset)
    return tuple(_crossover(pairs, trials, dataset.arms[1]) for pairs in pairs_of(dataset))


def _crossover(pairs: Pairs, trials: dict[tuple[str, str], Trial], treatment: str) -> Crossover:
    shown = [trials[pairs.scenario, person] for person in pairs.ids]
    sides = {True: _Side([], []), False: _Side([], [])}
    first: list[float] = []
    later: list[float] = []
    for trial, reference, treated in zip(shown, pairs.reference, pairs.treatment, strict=True):
        if trial.left_arm:
            sides[trial.left_arm == treatment].add(treated - reference, treated + reference)
        if trial.order is not None:
            (first if trial.order == 1 else later).append(treated - reference)
    left, right = sides[True], sides[False]
    difference = two_sample(left.differences, right.differences)
    return Crossover(
        scenario=pairs.scenario,
        measure=pairs.measure,
        n_treatment_left=len(left.differences),
        n_treatment_right=len(right.differences),
        arm=_arm(left.differences, right.differences, difference),
        position=_scaled(difference, 0.5),
        carry_over=_scaled(two_sample(left.sums, right.sums), 1.0),
        order=_scaled(two_sample(later, first), 1.0),
    )


@dataclass(slots=True)
class _Side:
    """Differences and sums of those who saw the treatment on one side."""

    differences: list[float]
    sums: list[float]

    def add(self, difference: float, total: float) -> None:
        self.differences.append(difference)
        self.sums.append(total)


def _arm(left: Sequence[float], right: Sequence[float], difference: TwoSample) -> Estimate:
    """Mean of both sequence means; its SE is half that of their difference."""
    if difference.df is None:
        return Estimate(None, None, None, None, None, Reason.CONFOUNDED)
    value = (math.fsum(left) / len(left) + math.fsum(right) / len(right)) / 2
    if not difference.se or difference.ci is None:
        return Estimate(value, None, None, difference.df, None, Reason.ZERO_VARIANCE)
    se, df = difference.se / 2, difference.df
    reach = float(stdtrit(df, (1 + difference.ci.level) / 2)) * se
    p = min(1.0, 2 * float(stdtr(df, -abs(value / se))))
    return Estimate(value, Interval(value - reach, value + reach), value / se, df, p)


def _scaled(test: TwoSample, factor: float) -> Estimate:
    if test.mean is None:
        return Estimate(None, None, None, None, None, Reason.CONFOUNDED)
    ci = test.ci and Interval(test.ci.low * factor, test.ci.high * factor, test.ci.level)
    return Estimate(test.mean * factor, ci, test.t, test.df, test.p, test.reason)
