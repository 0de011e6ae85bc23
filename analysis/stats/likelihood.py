"""The likelihood of the cumulative-link model, in parameters without bounds.

Random intercepts are integrated out by adaptive Gauss-Hermite quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_expit

Vector = NDArray[np.float64]
Indices = NDArray[np.int64]

# Beyond this a log odds ratio is a runaway, not an estimate.
_RUNAWAY: Final = 12.0


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

    def where(self, name: str, value: float) -> OrdinalData:
        """The rows in which a predictor has a value."""
        chosen = [found == value for found in self.predictors[name]]
        kept = {key: tuple(compress(column, chosen)) for key, column in self.predictors.items()}
        ratings, people = compress(self.ratings, chosen), compress(self.participants, chosen)
        return OrdinalData(tuple(ratings), kept, tuple(people))


class OrdinalLikelihood:
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

    def natural(self, free: Vector) -> Vector:
        """Thresholds and slopes (and log SD) from the unconstrained parameters."""
        thresholds = np.cumsum(np.concatenate([free[:1], np.exp(free[1 : self.k])]))
        return np.concatenate([thresholds, free[self.k :]])

    def runaway(self, free: Vector) -> bool:
        """Did a slope or the SD leave for infinity?

        A slope does where the arms are fully separated; both do together where every participant
        moved by the same step.
        """
        natural = self.natural(free)
        slopes, log_sd = natural[self.k : self.k + self.p], natural[self.k + self.p :]
        return bool(np.any(np.abs(slopes) > _RUNAWAY) or np.any(log_sd > math.log(_RUNAWAY)))

    def maximise(self, start: Vector) -> Vector:
        """Maximise the likelihood by a quasi-Newton method."""
        options = {"gtol": 1e-6, "maxiter": 500}
        found = minimize(self.loss, start, jac=self.gradient, method="BFGS", options=options)
        return np.asarray(found.x, dtype=np.float64)

    def loss(self, free: Vector) -> float:
        """Minus the log likelihood."""
        return self.loss_natural(self.natural(free))

    def loss_natural(self, natural: Vector) -> float:
        """Minus the log likelihood in thresholds, slopes and log SD."""
        upper, lower = self.limits(natural)
        if len(natural) == self.k + self.p:
            return -float(np.sum(log_between(upper, lower)))
        return -float(np.sum(self._marginal(upper, lower, math.exp(min(natural[-1], 20.0)))))

    def gradient(self, free: Vector) -> Vector:
        """Gradient of `loss`."""
        by_natural = self.gradient_natural(self.natural(free))
        # A threshold is the first one plus the steps up to it.
        from_here = np.cumsum(by_natural[: self.k][::-1])[::-1]
        steps = from_here[1:] * np.exp(free[1 : self.k])
        return np.concatenate([from_here[:1], steps, by_natural[self.k :]])

    def gradient_natural(self, natural: Vector) -> Vector:
        """Gradient of `loss_natural`.

        With a random intercept it is the mean of the complete-data score over the posterior of u
        (Fisher's identity), by the same quadrature.
        """
        if self.nodes == 1:
            # Laplace's correction moves with the mode; differences are simpler and rarely needed.
            return gradient_of(self.loss_natural, natural)
        upper, lower = self.limits(natural)
        if len(natural) == self.k + self.p:
            return -self._score(upper, lower)
        sd = math.exp(min(natural[-1], 20.0))
        u, logs = self._nodes_of(upper, lower, sd)
        weights = np.exp(logs - logs.max(axis=0))
        weights /= weights.sum(axis=0)
        total = np.zeros(len(natural))
        for at, weight in zip(u, weights, strict=True):
            shift, by_row = sd * at[self.who], weight[self.who]
            total[:-1] += self._score(upper - shift, lower - shift, by_row)
            total[-1] -= float(np.sum(by_row * shift * _shift(upper - shift, lower - shift)))
        return -total

    def limits(self, natural: Vector) -> tuple[Vector, Vector]:
        """Upper and lower limit of the rating of each row, on the log-odds scale."""
        thresholds = np.concatenate([[-np.inf], natural[: self.k], [np.inf]])
        shift = natural[self.k : self.k + self.p] @ self.x if self.p else 0.0
        return thresholds[self.y + 1] - shift, thresholds[self.y] - shift

    def _marginal(self, upper: Vector, lower: Vector, sd: float) -> Vector:
        """Log likelihood of each participant with the random intercept integrated out."""
        if self.nodes == 1:
            mode, curvature = self._modes(upper, lower, sd)
            return self._joint(upper, lower, sd, mode) - 0.5 * np.log(curvature)
        _, logs = self._nodes_of(upper, lower, sd)
        top = logs.max(axis=0)
        return np.asarray(top + np.log(np.exp(logs - top).sum(axis=0)), dtype=np.float64)

    def _nodes_of(self, upper: Vector, lower: Vector, sd: float) -> tuple[Vector, Vector]:
        """Nodes of each participant, and the log of their share of the integral: nodes x people."""
        mode, curvature = self._modes(upper, lower, sd)
        scale = 1 / np.sqrt(curvature)
        u = mode + math.sqrt(2) * scale * self.z[:, None]
        joint = np.stack([self._joint(upper, lower, sd, at) for at in u])
        logs = joint + (self.z**2 + np.log(self.w))[:, None] + np.log(scale)
        return u, logs - 0.5 * math.log(math.pi)

    def _score(self, upper: Vector, lower: Vector, weight: Vector | float = 1.0) -> Vector:
        """Derivatives of the weighted log likelihood by thresholds and slopes."""
        logs = log_between(upper, lower)
        at_upper = weight * np.exp(log_expit(upper) + log_expit(-upper) - logs)
        at_lower = weight * np.exp(log_expit(lower) + log_expit(-lower) - logs)
        by_level = np.bincount(self.y, at_upper, self.k + 1)[: self.k]
        by_level -= np.bincount(self.y, at_lower, self.k + 1)[1:]
        slopes = -self.x @ (at_upper - at_lower) if self.p else np.zeros(0)
        return np.concatenate([by_level, slopes])

    def _joint(self, upper: Vector, lower: Vector, sd: float, u: Vector) -> Vector:
        shift = sd * u[self.who]
        logs = log_between(upper - shift, lower - shift)
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


def log_between(upper: Vector, lower: Vector) -> Vector:
    """log(logistic(upper) - logistic(lower)) without cancelling, infinite limits allowed.

    Minus infinity where a step of the search made both limits one: it is then shortened.
    """
    with np.errstate(divide="ignore"):
        gap = np.log(-np.expm1(lower - upper))
    return np.asarray(log_expit(upper) + log_expit(-lower) + gap, dtype=np.float64)


def gradient_of(function: Callable[[Vector], float], at: Vector) -> Vector:
    """Gradient by central differences."""
    result = np.empty_like(at)
    for i in range(len(at)):
        step = np.zeros_like(at)
        step[i] = 1e-5 * max(1.0, abs(at[i]))
        result[i] = (function(at + step) - function(at - step)) / (2 * step[i])
    return result


def standard_errors(gradient: Callable[[Vector], Vector], at: Vector) -> Sequence[float | None]:
    """Roots of the diagonal of the inverse Hessian; all null if it is not positive definite.

    Args:
        gradient: Gradient of minus the log likelihood.
        at: Where it is least.
    """
    size = len(at)
    rows = []
    for i in range(size):
        step = np.zeros(size)
        step[i] = 1e-4 * max(1.0, abs(at[i]))
        rows.append((gradient(at + step) - gradient(at - step)) / (2 * step[i]))
    hessian = (np.array(rows) + np.array(rows).T) / 2
    if not np.all(np.isfinite(hessian)) or np.min(np.linalg.eigvalsh(hessian)) <= 0:
        return [None] * size
    return [float(value) for value in np.sqrt(np.diag(np.linalg.inv(hessian)))]


def _shift(upper: Vector, lower: Vector) -> Vector:
    """Derivative of `log_between` when both limits move up together."""
    return 1 - _logistic(upper) - _logistic(lower)


def _logistic(value: Vector) -> Vector:
    return np.asarray(np.exp(log_expit(value)), dtype=np.float64)
