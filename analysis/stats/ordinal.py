"""Cumulative-link (proportional odds) model of ratings with a random intercept per participant.

P(y <= j) = logistic(threshold_j - x b - sd u), u standard normal for each participant. The integral
over u is done by adaptive Gauss-Hermite quadrature; one node is Laplace's approximation. Estimates,
standard errors and likelihoods match R's `ordinal::clmm`; statsmodels has no such model. Where R
returns NA standard errors because the variance is at zero, or runs off because the arms are fully
separated, this module says so instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import minimize
from scipy.special import chdtrc, ndtr

from analysis.stats.likelihood import (
    Indices,
    OrdinalData,
    OrdinalLikelihood,
    Vector,
    standard_errors,
)
from analysis.stats.undefined import Reason

NODES: Final = 10
_SD_AT_ZERO: Final = 0.01
# Log likelihoods closer than this are the same: the variance adds nothing.
_LOGLIK_STEP: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Coefficient:
    """An estimate on the log-odds scale; `se`, `z` and `p` are null where R gives NA."""

    name: str
    estimate: float
    se: float | None
    z: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class OrdinalFit:
    """A fitted model.

    `sd` is the SD between participants on the log-odds scale, null for a model without one.
    `reason` is `BOUNDARY` where that SD is at zero: then the figures are those of the model
    without it. It is `SEPARATION` where no finite estimate exists: then there are none.
    `levels` lists the ratings that occurred; unused ones have no threshold.
    """

    coefficients: tuple[Coefficient, ...]
    thresholds: tuple[Coefficient, ...]
    sd: float | None
    loglik: float | None
    levels: tuple[int, ...]
    nodes: int
    reason: Reason = Reason.NONE

    def of(self, name: str) -> Coefficient:
        """The coefficient with this name."""
        return next(c for c in self.coefficients if c.name == name)


@dataclass(frozen=True, slots=True)
class LikelihoodRatio:
    """A likelihood-ratio test of one predictor."""

    chi2: float
    df: int
    p: float


def ordinal_mixed(data: OrdinalData, *, nodes: int = NODES) -> OrdinalFit:
    """Fit the model with a random intercept; falls back to none at the boundary, and says so."""
    plain = ordinal_fixed(data)
    if plain.reason is not Reason.NONE:
        return plain
    model = OrdinalLikelihood(data, nodes=nodes)
    start = np.append(_start(plain), math.log(0.7))
    found = model.maximise(start)
    if model.runaway(found):
        return _none(model, Reason.SEPARATION)
    loglik = -model.loss(found)
    sd = math.exp(found[-1])
    if sd < _SD_AT_ZERO or plain.loglik is None or loglik - plain.loglik < _LOGLIK_STEP:
        return OrdinalFit(
            plain.coefficients, plain.thresholds, 0.0, plain.loglik, model.levels, nodes,
            Reason.BOUNDARY,
        )  # fmt: skip
    return _fit(model, found, sd=sd)


def ordinal_fixed(data: OrdinalData) -> OrdinalFit:
    """Fit the model without a random intercept (R's `clm`); it ignores who answered."""
    model = OrdinalLikelihood(data, nodes=0)
    if len(model.levels) < 2:
        return _none(model, Reason.ZERO_VARIANCE)
    found = model.maximise(model.blank())
    if model.runaway(found):
        return _none(model, Reason.SEPARATION)
    return _fit(model, found, sd=None)


def likelihood_ratio(
    full: OrdinalFit, reduced: OrdinalFit, *, df: int = 1
) -> LikelihoodRatio | None:
    """Compare nested fits; null if either has no likelihood."""
    if full.loglik is None or reduced.loglik is None:
        return None
    chi2 = max(0.0, 2 * (full.loglik - reduced.loglik))
    return LikelihoodRatio(chi2, df, float(chdtrc(df, chi2)))


def proportional_odds(data: OrdinalData, name: str) -> LikelihoodRatio | None:
    """Test whether one yes/no predictor shifts all thresholds alike (R's `nominal_test`).

    The fuller model has thresholds of its own for each value of the predictor and no random
    intercept. Null if the plain model cannot be fitted, has one threshold only, or if a value of
    the predictor never occurs.
    """
    plain = ordinal_fixed(data)
    halves = [data.where(name, value).without(name) for value in (0.0, 1.0)]
    if plain.loglik is None or len(plain.levels) < 3 or not all(half.ratings for half in halves):
        return None
    df = len(plain.levels) - 2
    chi2 = max(0.0, 2 * (_loglik_of(halves) - plain.loglik))
    return LikelihoodRatio(chi2, df, float(chdtrc(df, chi2)))


def _loglik_of(halves: Sequence[OrdinalData]) -> float:
    """Log likelihood with thresholds of each half's own and slopes in common.

    A rating that one half never gave has no threshold there: at the maximum it would coincide with
    its neighbour, which a search in logs of steps only creeps up to.
    """
    models = [OrdinalLikelihood(half, nodes=0) for half in halves]
    ends = np.cumsum([model.k for model in models])

    def places(model: OrdinalLikelihood, end: int) -> Indices:
        return np.concatenate([np.arange(end - model.k, end), ends[-1] + np.arange(model.p)])

    own = [(model, places(model, int(end))) for model, end in zip(models, ends, strict=True)]

    def loss(free: Vector) -> float:
        return sum(model.loss(free[mine]) for model, mine in own)

    def gradient(free: Vector) -> Vector:
        total = np.zeros(len(free))
        for model, mine in own:
            total[mine] += model.gradient(free[mine])
        return total

    blanks = [model.blank()[: model.k] for model in models]
    start = np.concatenate([*blanks, np.zeros(models[0].p)])
    return -float(minimize(loss, start, jac=gradient, method="BFGS").fun)


def coefficient(name: str, estimate: float, se: float | None) -> Coefficient:
    """Add z and its two-sided p to an estimate."""
    if se is None or not se > 0:
        return Coefficient(name, estimate, None, None, None)
    z = estimate / se
    return Coefficient(name, estimate, se, z, 2 * float(ndtr(-abs(z))))


def _none(model: OrdinalLikelihood, reason: Reason) -> OrdinalFit:
    return OrdinalFit((), (), None, None, model.levels, model.nodes, reason)


def _start(plain: OrdinalFit) -> Vector:
    """Start from the fit without a random intercept."""
    thresholds = np.array([c.estimate for c in plain.thresholds])
    slopes = np.array([c.estimate for c in plain.coefficients])
    return np.concatenate([thresholds[:1], np.log(np.diff(thresholds)), slopes])


def _fit(model: OrdinalLikelihood, free: Vector, *, sd: float | None) -> OrdinalFit:
    """Estimates with standard errors from the Hessian in natural parameters."""
    natural = model.natural(free)
    errors = standard_errors(model.gradient_natural, natural)
    names = [f"{a}|{b}" for a, b in zip(model.levels, model.levels[1:], strict=False)]
    rows = [
        coefficient(name, float(estimate), error)
        for name, estimate, error in zip([*names, *model.names], natural, errors, strict=False)
    ]
    return OrdinalFit(
        coefficients=tuple(rows[model.k :]),
        thresholds=tuple(rows[: model.k]),
        sd=sd,
        loglik=-model.loss(free),
        levels=model.levels,
        nodes=model.nodes,
        reason=Reason.NONE if errors[0] is not None else Reason.NOT_CONVERGED,
    )
