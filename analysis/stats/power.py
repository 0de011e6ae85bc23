"""Power of the paired t test: what a study of this size could find, and how many it would take."""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy.special import nctdtr, stdtrit

from analysis.errors import OptionError


def power(d_z: float, n: float, *, alpha: float = 0.05) -> float:
    """Probability that a two-sided paired t test finds a true d_z with n pairs.

    Raises:
        OptionError: n is not above 1.
    """
    if not n > 1:
        raise OptionError(f"n = {n} must be more than 1")
    df = n - 1
    limit = float(stdtrit(df, 1 - alpha / 2))
    shift = d_z * math.sqrt(n)
    return 1 - float(nctdtr(df, shift, limit)) + float(nctdtr(df, shift, -limit))


def sensitivity(n: int, *, wanted: float = 0.8, alpha: float = 0.05) -> float | None:
    """The smallest d_z that n pairs find with the wanted power; null for fewer than two pairs.

    Raises:
        OptionError: The wanted power is not between alpha and 1.
    """
    _check(wanted, alpha)
    if n < 2:
        return None
    return _root(lambda d_z: power(d_z, n, alpha=alpha) - wanted, 0.0, 1.0)


def pairs_needed(d_z: float, *, wanted: float = 0.8, alpha: float = 0.05) -> int:
    """How many pairs find a true d_z with the wanted power.

    Raises:
        OptionError: d_z is zero, or the wanted power is not between alpha and 1.
    """
    return math.ceil(pairs_needed_exact(d_z, wanted=wanted, alpha=alpha) - 1e-9)


def pairs_needed_exact(d_z: float, *, wanted: float = 0.8, alpha: float = 0.05) -> float:
    """As `pairs_needed`, before rounding up: R's `pwr.t.test` prints this.

    Raises:
        OptionError: d_z is zero, or the wanted power is not between alpha and 1.
    """
    _check(wanted, alpha)
    if d_z == 0:
        raise OptionError("a d_z of 0 is found by no number of pairs")
    return _root(lambda n: power(abs(d_z), n, alpha=alpha) - wanted, 2.0, 4.0)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    if rising(low) >= 0:
        return low
    while rising(high) < 0:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if rising(middle) >= 0 else (middle, high)
    return high


def _check(wanted: float, alpha: float) -> None:
    if not 0 < alpha < wanted < 1:
        raise OptionError(f"power {wanted} must lie between alpha ({alpha}) and 1")
