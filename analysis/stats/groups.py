"""Compare groups of participants: two groups, several groups, and ordered groups."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from scipy.special import chdtrc, fdtrc, stdtr, stdtrit

from analysis.stats.describe import correlation, standard_deviation
from analysis.stats.paired import Interval, level_check
from analysis.stats.undefined import Reason

_EXACT_ORDERS: Final = 7  # 5,040 orders


@dataclass(frozen=True, slots=True)
class TwoSample:
    """Student's t test of two independent groups with equal variances; first minus second."""

    n: tuple[int, int]
    mean: float | None
    se: float | None
    ci: Interval | None
    t: float | None
    df: int | None
    p: float | None
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class OneWay:
    """F test and Kruskal-Wallis test over several groups."""

    f: float | None
    df: tuple[int, int]
    p: float | None
    kruskal_h: float | None
    kruskal_p: float | None
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho; p is exact (all orders counted) up to 7 points, then by its t.

    `method` is `exact` or `t`.
    """

    n: int
    rho: float | None
    p: float | None
    reason: Reason = Reason.NONE
    method: str = "t"


def two_sample(
    first: Sequence[float], second: Sequence[float], *, level: float = 0.95
) -> TwoSample:
    """Test whether two groups have the same mean."""
    level_check(level)
    sizes, df = (len(first), len(second)), len(first) + len(second) - 2
    if min(sizes) < 1 or df < 1:
        return TwoSample(sizes, None, None, None, None, None, None, Reason.TOO_FEW)
    mean = math.fsum(first) / len(first) - math.fsum(second) / len(second)
    inside = _squares(first) + _squares(second)
    if inside == 0:
        return TwoSample(sizes, mean, 0.0, None, None, df, None, Reason.ZERO_VARIANCE)
    se = math.sqrt(inside / df * (1 / len(first) + 1 / len(second)))
    t = mean / se
    reach = float(stdtrit(df, (1 + level) / 2)) * se
    p = min(1.0, 2 * float(stdtr(df, -abs(t))))
    return TwoSample(sizes, mean, se, Interval(mean - reach, mean + reach, level), t, df, p)


def one_way(groups: Mapping[str, Sequence[float]]) -> OneWay:
    """Test whether several groups differ; empty groups do not count."""
    filled = [values for values in groups.values() if values]
    every = [value for values in filled for value in values]
    df = (len(filled) - 1, len(every) - len(filled))
    if min(df) < 1:
        return OneWay(None, df, None, None, None, Reason.TOO_FEW)
    inside = math.fsum(_squares(values) for values in filled)
    between = _squares(every) - inside
    h, h_p = _kruskal(filled)
    if inside <= 0:
        return OneWay(None, df, None, h, h_p, Reason.ZERO_VARIANCE)
    f = max(0.0, between) / df[0] / (inside / df[1])
    return OneWay(f, df, float(fdtrc(df[0], df[1], f)), h, h_p)


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> RankCorrelation:
    """Spearman's rho with midranks; as R's cor.test where there are no ties and n < 10."""
    n = len(xs)
    first, second = midranks(xs), midranks(ys)
    rho = correlation(first, second) if n > 2 else None
    if rho is None:
        reason = Reason.TOO_FEW if n <= 2 else Reason.ZERO_VARIANCE
        return RankCorrelation(n, None, None, reason)
    if n <= _EXACT_ORDERS:
        return RankCorrelation(n, rho, _orders_p(first, second), method="exact")
    if abs(rho) >= 1:
        return RankCorrelation(n, math.copysign(1.0, rho), None, Reason.DEGENERATE)
    t = rho * math.sqrt((n - 2) / (1 - rho * rho))
    return RankCorrelation(n, rho, 2 * float(stdtr(n - 2, -abs(t))))


def _orders_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Share of all orders of the second ranks that lie as far from no relation."""
    centre = (len(first) + 1) / 2
    ranks = [2 * (rank - centre) for rank in first]
    others = [2 * (rank - centre) for rank in second]

    # Midranks are halves, so that these sums are whole numbers and compare exactly.
    def together(order: Sequence[float]) -> float:
        return abs(math.fsum(map(operator.mul, ranks, order)))

    seen, orders = together(others), list(permutations(others))
    return sum(together(order) >= seen for order in orders) / len(orders)


def midranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; ties share their mean rank."""
    ordered = sorted(values)
    first: dict[float, int] = {}
    last: dict[float, int] = {}
    for place, value in enumerate(ordered, start=1):
        first.setdefault(value, place)
        last[value] = place
    return [(first[value] + last[value]) / 2 for value in values]


def _kruskal(groups: Sequence[Sequence[float]]) -> tuple[float | None, float | None]:
    every = [value for values in groups for value in values]
    ranks, n = midranks(every), len(every)
    ties = math.fsum(every.count(v) ** 3 - every.count(v) for v in set(every))
    correction = 1 - ties / (n**3 - n)
    if correction <= 0:
        return None, None
    start, total = 0, 0.0
    for values in groups:
        total += math.fsum(ranks[start : start + len(values)]) ** 2 / len(values)
        start += len(values)
    h = max(0.0, (12 / (n * (n + 1)) * total - 3 * (n + 1)) / correction)
    return h, float(chdtrc(len(groups) - 1, h))


def _squares(values: Sequence[float]) -> float:
    """Sum of squared distances from the mean; exactly 0 where values do not vary."""
    sd = standard_deviation(values)
    return 0.0 if sd is None else sd * sd * (len(values) - 1)
