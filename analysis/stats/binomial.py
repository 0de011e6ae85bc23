"""Exact binomial test against one half, and intervals for a share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from scipy.special import bdtr, betaincinv, ndtri

from analysis.stats.paired import Interval, level_check
from analysis.stats.undefined import Reason

_BIG: Final = 2000  # above this the sum of exact integers is slow and bdtr has all digits


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `n`, with Wilson and Clopper-Pearson intervals and p against one half."""

    count: int
    n: int
    share: float | None
    wilson: Interval | None
    clopper_pearson: Interval | None
    p: float | None
    reason: Reason = Reason.NONE


def share(count: int, n: int, *, level: float = 0.95) -> Share:
    """Estimate a share and test it against one half (two-sided, exact); null without answers."""
    level_check(level)
    if n == 0:
        return Share(0, 0, None, None, None, None, Reason.NO_ANSWERS)
    return Share(
        count=count,
        n=n,
        share=count / n,
        wilson=wilson(count, n, level=level),
        clopper_pearson=clopper_pearson(count, n, level=level),
        p=binomial_p_half(count, n),
    )


def binomial_p_half(count: int, n: int) -> float | None:
    """Two-sided exact p of `count` in `n` against one half; null for n = 0."""
    if n == 0:
        return None
    tail = min(count, n - count)
    if n > _BIG:
        return min(1.0, 2.0 * float(bdtr(tail, n, 0.5)))
    # Twice the smaller tail; past the middle the tails overlap and p is 1.
    ways = term = 1
    for k in range(tail):
        term = term * (n - k) // (k + 1)
        ways += term
    return min(1.0, ways / int(2 ** (n - 1)))


def wilson(count: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's score interval; never outside [0, 1], never of width 0 at the ends."""
    z = float(ndtri((1 + level) / 2))
    centre = (count + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * math.sqrt(count * (n - count) / n + z * z / 4)
    low = 0.0 if count == 0 else max(0.0, centre - reach)
    high = 1.0 if count == n else min(1.0, centre + reach)
    return Interval(low, high, level)


def clopper_pearson(count: int, n: int, *, level: float = 0.95) -> Interval:
    """Clopper and Pearson's exact interval."""
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, tail))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 1 - tail))
    return Interval(low, high, level)
