"""The likelihood of the cumulative-link model, in parameters without bounds.

Random intercepts are integrated out by adaptive Gauss-Hermite quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
        """Did a slope leave for infinity, as it does where the arms are fully separated?"""
        slopes = self.natural(free)[self.k : self.k + self.p]
        return bool(np.any(np.abs(slopes) > _RUNAWAY))

    def maximise(self, start: Vector) -> Vector:
        """Maximise the likelihood: quasi-Newton with central differences."""

        def gradient(at: Vector) -> Vector:
            return gradient_of(self.loss, at)

        found = minimize(self.loss, start, jac=gradient, method="BFGS", options={"gtol": 1e-6})
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
    """log(logistic(upper) - logistic(lower)) without cancelling, infinite limits allowed."""
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


def standard_errors(function: Callable[[Vector], float], at: Vector) -> Sequence[float | None]:
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


def _logistic(value: Vector) -> Vector:
    return np.asarray(np.exp(log_expit(value)), dtype=np.float64)
