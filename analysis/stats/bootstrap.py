"""Bootstrap interval of the mean difference without resampling.

Whole-number differences have a bootstrap distribution that can be computed: the mean of n draws
from the observed values is their n-fold convolution. No seed, no Monte Carlo error, and the same
answer twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from analysis.stats.paired import Interval, level_check
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Bias-corrected accelerated (BCa) and percentile interval of the mean, with BCa's constants.

    `z0` counts resamples equal to the estimate half, as scipy does; R's boot counts those strictly
    below, which moves the limits by at most one step of the lattice (1/n).
    """

    bca: Interval | None
    percentile: Interval | None
    z0: float | None
    acceleration: float | None
    reason: Reason = Reason.NONE


def bootstrap_mean(
    differences: Sequence[int], *, level: float = 0.95, strict: bool = False
) -> Bootstrap:
    """Compute both intervals exactly.

    Args:
        differences: Whole numbers.
        level: Confidence level.
        strict: Count ties with the estimate as R's boot does.

    Raises:
        OptionError: `level` is not between 0 and 1.
    """
    level_check(level)
    n = len(differences)
    if n < 2:
        return Bootstrap(None, None, None, None, Reason.TOO_FEW)
    if len(set(differences)) == 1:
        point = Interval(float(differences[0]), float(differences[0]), level)
        return Bootstrap(point, point, None, None, Reason.DEGENERATE)
    lowest = min(differences)
    masses = _sum_masses(differences)
    cumulative = np.cumsum(masses)
    place = sum(differences) - n * lowest
    below = float(cumulative[place]) - float(masses[place]) * (1.0 if strict else 0.5)
    z0, acceleration = float(ndtri(below)), _acceleration(differences)
    tail = (1 - level) / 2

    def at(probability: float) -> float:
        # The smallest sum whose cumulative probability reaches the level.
        return (int(np.searchsorted(cumulative, probability)) + n * lowest) / n

    def adjusted(probability: float) -> float:
        z = z0 + float(ndtri(probability))
        return float(ndtr(z0 + z / (1 - acceleration * z)))

    return Bootstrap(
        bca=Interval(at(adjusted(tail)), at(adjusted(1 - tail)), level),
        percentile=Interval(at(tail), at(1 - tail), level),
        z0=z0,
        acceleration=acceleration,
    )


def _sum_masses(differences: Sequence[int]) -> NDArray[np.float64]:
    """Probabilities of each sum of n draws, from n times the lowest value up."""
    n, lowest = len(differences), min(differences)
    reach = max(differences) - lowest
    one = np.zeros(reach + 1)
    for value, count in Counter(differences).items():
        one[value - lowest] = count / n
    # Sums convolve, and convolutions are products of transforms: a wide scale costs no more than
    # its width. What the transform leaves below zero is rounding, some 1e-16.
    size = n * reach + 1
    length = 1 << size.bit_length()  # lengths with large prime factors are slow
    masses = np.fft.irfft(np.fft.rfft(one, length) ** n, length)[:size]
    return np.maximum(masses, 0.0)


def _acceleration(differences: Sequence[int]) -> float:
    """The jackknife's third moment; for a mean it is that of the values."""
    mean = sum(differences) / len(differences)
    squares = math.fsum((d - mean) ** 2 for d in differences)
    cubes = math.fsum((d - mean) ** 3 for d in differences)
    return float(cubes / (6 * squares**1.5))
