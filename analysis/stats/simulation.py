"""A-priori power for ratings, by simulation: how many pairs would find a shift in log odds?

Both ratings of a simulated participant come from latent logistic values with a given correlation
(a Gaussian copula); the treatment's are moved by the log of an odds ratio, as the ordinal model
assumes. Every simulated study is tested by the t test and by the exact sign-flip test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, ndtr

from analysis.errors import OptionError
from analysis.stats.exact import sign_flip
from analysis.stats.paired import paired_t


@dataclass(frozen=True, slots=True)
class SimulatedPower:
    """Shares of simulated studies that found the shift, with the Monte Carlo standard error."""

    n: int
    odds_ratio: float
    simulations: int
    t_test: float
    sign_flip: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class OrdinalDesign:
    """What is simulated.

    Args:
        shares: Expected shares of the reference's ratings, lowest first; they are normed to 1.
        odds_ratio: Odds of a higher rating for the treatment against the reference.
        correlation: Correlation of both latent ratings of one participant, from -1 to 1.
    """

    shares: tuple[float, ...]
    odds_ratio: float
    correlation: float = 0.0


def ordinal_power(
    design: OrdinalDesign,
    *,
    n: int,
    simulations: int,
    rng: np.random.Generator,
    alpha: float = 0.05,
) -> SimulatedPower:
    """Simulate studies of n pairs and count how often each test finds the shift.

    Raises:
        OptionError: Shares, odds ratio, correlation, n or the number of simulations make no sense.
    """
    _check(design, n, simulations)
    thresholds = logit(np.cumsum(_normed(design.shares))[:-1])
    found_t = found_flip = 0
    for _ in range(simulations):
        differences = _differences(design, thresholds, n, rng)
        t, flip = paired_t(differences).p, sign_flip(differences).p
        found_t += t is not None and t < alpha
        found_flip += flip is not None and flip < alpha
    share = found_flip / simulations
    error = math.sqrt(max(share * (1 - share), 1 / simulations) / simulations)
    return SimulatedPower(n, design.odds_ratio, simulations, found_t / simulations, share, error)


def _differences(
    design: OrdinalDesign, thresholds: NDArray[np.float64], n: int, rng: np.random.Generator
) -> list[int]:
    first = rng.standard_normal(n)
    rest = math.sqrt(1 - design.correlation**2)
    second = design.correlation * first + rest * rng.standard_normal(n)
    reference = np.searchsorted(thresholds, logit(ndtr(first)))
    treatment = np.searchsorted(thresholds, logit(ndtr(second)) + math.log(design.odds_ratio))
    return [int(d) for d in treatment - reference]


def _normed(shares: Sequence[float]) -> NDArray[np.float64]:
    given = np.array(shares, dtype=np.float64)
    return np.asarray(given / given.sum(), dtype=np.float64)


def _check(design: OrdinalDesign, n: int, simulations: int) -> None:
    if len(design.shares) < 2 or any(not share > 0 for share in design.shares):
        raise OptionError(f"shares {design.shares} must be two or more positive numbers")
    if not design.odds_ratio > 0:
        raise OptionError(f"odds ratio {design.odds_ratio} must be positive")
    if not -1 <= design.correlation <= 1:
        raise OptionError(f"correlation {design.correlation} must lie between -1 and 1")
    if n < 2 or simulations < 1:
        raise OptionError(f"n = {n} and {simulations} simulations must be at least 2 and 1")
