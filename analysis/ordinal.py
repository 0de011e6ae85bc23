"""Cumulative-link (proportional odds) model of ratings with a random intercept per participant.

P(y <= j) = logistic(threshold_j - x b - sd u), u standard normal for each participant. The integral
over u is done by adaptive Gauss-Hermite quadrature; one node is Laplace's approximation. Estimates,
standard errors and likelihoods match R's `ordinal::clmm`; statsmodels has no such model. Where R
returns NA standard errors because the variance is at zero, or runs off because the arms are fully
separated, this module says so instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import chdtrc, log_expit, ndtr

from analysis.undefined import Reason

Vector = NDArray[np.float64]
Indices = NDArray[np.int64]

NODES: Final = 10
_SD_AT_ZERO: Final = 0.01
# Log likelihoods closer than this are the same: the variance adds nothing.
_LOGLIK_STEP: Final = 1e-5
# Beyond this a log odds ratio is a runaway, not an estimate.
_RUNAWAY: Final = 12.0


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
class OrdinalData:
    """Ratings with their predictors and participants, one row a rating."""

    ratings: tuple[int, ...]
    predictors: dict[str, tuple[float, ...]]
    participants: tuple[str, ...]

    def without(self, name: str) -> OrdinalData:
        """The same data with one predictor less."""
        kept = {key: column for key, column in self.predictors.items() if key != name}
        return OrdinalData(self.ratings, kept, self.participants)


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
    model = _Model(data, nodes=nodes)
    start = np.append(model.start(plain), math.log(0.7))
    found = model.maximise(start)
    loglik = -model.loss(found)
    sd = math.exp(found[-1])
    if sd < _SD_AT_ZERO or plain.loglik is None or loglik - plain.loglik < _LOGLIK_STEP:
        return OrdinalFit(
            plain.coefficients, plain.thresholds, 0.0, plain.loglik, model.levels, nodes,
            Reason.BOUNDARY,
        )  # fmt: skip
    return model.fit(found, sd=sd)


def ordinal_fixed(data: OrdinalData) -> OrdinalFit:
    """Fit the model without a random intercept (R's `clm`); it ignores who answered."""
    model = _Model(data, nodes=0)
    if len(model.levels) < 2:
        return OrdinalFit((), (), None, None, model.levels, 0, Reason.ZERO_VARIANCE)
    found = model.maximise(model.blank())
    if model.runaway(found):
        return OrdinalFit((), (), None, None, model.levels, 0, Reason.SEPARATION)
    return model.fit(found, sd=None)


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
    intercept. Null if the plain model cannot be fitted or has one threshold only.
    """
    plain = ordinal_fixed(data)
    model = _Model(data.without(name), nodes=0)
    if plain.loglik is None or model.k < 2:
        return None
    yes = np.array(data.predictors[name]) > 0
    half = model.blank()
    start = np.concatenate([half[: model.k], half])

    def loss(free: Vector) -> float:
        both = [model.natural(np.concatenate([free[: model.k], free[2 * model.k :]]))]
        both.append(model.natural(free[model.k :]))
        logs = [_log_between(*model.limits(natural)) for natural in both]
        return -float(np.sum(np.where(yes, logs[1], logs[0])))

    found = minimize(loss, start, jac=lambda at: _gradient(loss, at), method="BFGS")
    chi2 = max(0.0, 2 * (-float(found.fun) - plain.loglik))
    return LikelihoodRatio(chi2, model.k - 1, float(chdtrc(model.k - 1, chi2)))


def coefficient(name: str, estimate: float, se: float | None) -> Coefficient:
    """Add z and its two-sided p to an estimate."""
    if se is None or not se > 0:
        return Coefficient(name, estimate, None, None, None)
    z = estimate / se
    return Coefficient(name, estimate, se, z, 2 * float(ndtr(-abs(z))))


class _Model:
    """The likelihood of one data set in unconstrained parameters.

    Parameters: first threshold, logs of the steps to the next ones, slopes, log SD (if any).
    """

    def __init__(self, data: OrdinalData, *, nodes: int) -> None:
        self.levels = tuple(sorted(set(data.ratings)))
        place = {level: index for index, level in enumerate(self.levels)}
        self.y: Indices = np.array([place[rating] for rating in data.ratings], dtype=np.int64)
        self.names = tuple(data.predictors)
        columns = [data.predictors[name] for name in self.names]
        self.x: Vector = np.array(columns, dtype=np.float64).reshape(len(columns), len(self.y))
        people = {who: index for index, who in enumerate(dict.fromkeys(data.participants))}
        self.who: Indices = np.array([people[who] for who in data.participants], dtype=np.int64)
        self.people, self.nodes = len(people), nodes
        self.k, self.p = len(self.levels) - 1, len(columns)
        if nodes:
            self.z, self.w = np.polynomial.hermite.hermgauss(nodes)

    def blank(self) -> Vector:
        """Start from the observed shares and no effects."""
        counts = np.bincount(self.y, minlength=self.k + 1)
        shares = np.cumsum(counts)[:-1] / counts.sum()
        thresholds = np.log(shares / (1 - shares))
        return np.concatenate([thresholds[:1], np.log(np.diff(thresholds)), np.zeros(self.p)])

    def start(self, plain: OrdinalFit) -> Vector:
        """Start from the fit without a random intercept."""
        thresholds = np.array([c.estimate for c in plain.thresholds])
        slopes = np.array([c.estimate for c in plain.coefficients])
        return np.concatenate([thresholds[:1], np.log(np.diff(thresholds)), slopes])

    def natural(self, free: Vector) -> Vector:
        """Thresholds and slopes (and log SD) from the unconstrained parameters."""
        thresholds = np.cumsum(np.concatenate([free[:1], np.exp(free[1 : self.k])]))
        return np.concatenate([thresholds, free[self.k :]])

    def runaway(self, free: Vector) -> bool:
        """Did a slope leave for infinity, as it does where the arms are fully separated?"""
        slopes = self.natural(free)[self.k : self.k + self.p]
        return bool(np.any(np.abs(slopes) > _RUNAWAY))

    def maximise(self, start: Vector) -> Vector:
        """Maximise the likelihood: quasi-Newton with central differences."""

        def gradient(at: Vector) -> Vector:
            return _gradient(self.loss, at)

        found = minimize(self.loss, start, jac=gradient, method="BFGS", options={"gtol": 1e-6})
        return np.asarray(found.x, dtype=np.float64)

    def loss(self, free: Vector) -> float:
        """Minus the log likelihood."""
        return self.loss_natural(self.natural(free))

    def loss_natural(self, natural: Vector) -> float:
        """Minus the log likelihood in thresholds, slopes and log SD."""
        upper, lower = self.limits(natural)
        if len(natural) == self.k + self.p:
            return -float(np.sum(_log_between(upper, lower)))
        return -float(np.sum(self._marginal(upper, lower, math.exp(min(natural[-1], 20.0)))))

    def fit(self, free: Vector, *, sd: float | None) -> OrdinalFit:
        """Estimates with standard errors from the Hessian in natural parameters."""
        natural = self.natural(free)
        errors = _standard_errors(self.loss_natural, natural)
        names = [f"{a}|{b}" for a, b in zip(self.levels, self.levels[1:], strict=False)]
        rows = [
            coefficient(name, float(estimate), error)
            for name, estimate, error in zip([*names, *self.names], natural, errors, strict=False)
        ]
        return OrdinalFit(
            coefficients=tuple(rows[self.k :]),
            thresholds=tuple(rows[: self.k]),
            sd=sd,
            loglik=-self.loss(free),
            levels=self.levels,
            nodes=self.nodes,
            reason=Reason.NONE if errors[0] is not None else Reason.NOT_CONVERGED,
        )

    def limits(self, natural: Vector) -> tuple[Vector, Vector]:
        """Upper and lower limit of the rating of each row, on the log-odds scale."""
        thresholds = np.concatenate([[-np.inf], natural[: self.k], [np.inf]])
        shift = natural[self.k : self.k + self.p] @ self.x if self.p else 0.0
        return thresholds[self.y + 1] - shift, thresholds[self.y] - shift

    def _marginal(self, upper: Vector, lower: Vector, sd: float) -> Vector:
        """Log likelihood of each participant with the random intercept integrated out."""
        mode, curvature = self._modes(upper, lower, sd)
        scale = 1 / np.sqrt(curvature)
        if self.nodes == 1:
            return self._joint(upper, lower, sd, mode) + np.log(scale)
        terms = np.stack([
            self._joint(upper, lower, sd, mode + math.sqrt(2) * scale * z) + z * z + math.log(w)
            for z, w in zip(self.z, self.w, strict=True)
        ])  # fmt: skip
        top = terms.max(axis=0)
        total = top + np.log(np.exp(terms - top).sum(axis=0))
        return np.asarray(total + np.log(scale) - 0.5 * math.log(math.pi), dtype=np.float64)

    def _joint(self, upper: Vector, lower: Vector, sd: float, u: Vector) -> Vector:
        shift = sd * u[self.who]
        logs = _log_between(upper - shift, lower - shift)
        return self._by_person(logs) - u * u / 2

    def _by_person(self, values: Vector) -> Vector:
        return np.bincount(self.who, values, self.people).astype(np.float64)

    def _modes(self, upper: Vector, lower: Vector, sd: float) -> tuple[Vector, Vector]:
        """The most likely u of each participant and the curvature there, by Newton's method.

        The log density is concave in u, so that damped steps always arrive.
        """
        u: Vector = np.zeros(self.people)
        curvature: Vector = np.ones(self.people)
        for _ in range(100):
            shift = sd * u[self.who]
            above, below = _logistic(upper - shift), _logistic(lower - shift)
            slope = self._by_person(sd * (above + below - 1)) - u
            density = above * (1 - above) + below * (1 - below)
            curvature = self._by_person(sd * sd * density) + 1
            step = np.clip(slope / curvature, -2.0, 2.0)
            u = u + step
            if float(np.max(np.abs(step))) < 1e-10:
                break
        return u, curvature


def _logistic(value: Vector) -> Vector:
    return np.asarray(np.exp(log_expit(value)), dtype=np.float64)


def _log_between(upper: Vector, lower: Vector) -> Vector:
    """log(logistic(upper) - logistic(lower)) without cancelling, infinite limits allowed."""
    gap = np.log(-np.expm1(lower - upper))
    return np.asarray(log_expit(upper) + log_expit(-lower) + gap, dtype=np.float64)


def _gradient(function: Callable[[Vector], float], at: Vector) -> Vector:
    result = np.empty_like(at)
    for i in range(len(at)):
        step = np.zeros_like(at)
        step[i] = 1e-5 * max(1.0, abs(at[i]))
        result[i] = (function(at + step) - function(at - step)) / (2 * step[i])
    return result


def _standard_errors(function: Callable[[Vector], float], at: Vector) -> Sequence[float | None]:
    """Roots of the diagonal of the inverse Hessian; all null if it is not positive definite."""
    size = len(at)
    steps = [3e-4 * max(1.0, abs(value)) * np.eye(size)[i] for i, value in enumerate(at)]
    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(i, size):
            corners = sum(
                sign_i * sign_j * function(at + sign_i * steps[i] + sign_j * steps[j])
                for sign_i in (1, -1)
                for sign_j in (1, -1)
            )
            hessian[i, j] = hessian[j, i] = corners / (4 * steps[i][i] * steps[j][j])
    if not np.all(np.isfinite(hessian)) or np.min(np.linalg.eigvalsh(hessian)) <= 0:
        return [None] * size
    return [float(value) for value in np.sqrt(np.diag(np.linalg.inv(hessian)))]
