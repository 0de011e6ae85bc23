"""Effect sizes from order alone: rank-biserial correlation, Hodges-Lehmann shift, superiority."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtri

from analysis.stats.exact import doubled_ranks
from analysis.stats.paired import Interval, level_check
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class RankEffect:
    """Matched-pairs rank-biserial correlation; positive where the treatment is higher.

    Zeros are dropped from the ranks, as in the Wilcoxon test beside it. At -1 or 1 the interval
    has no width, which `reason` marks.
    """

    value: float | None
    ci: Interval | None
    reason: Reason = Reason.NONE


def rank_biserial(differences: Sequence[int], *, level: float = 0.95) -> RankEffect:
    """(W+ - W-) / (W+ + W-), with effectsize's interval.

    The interval is Fisher's z with the SE of the signed-rank statistic over all pairs, zeros
    included. effectsize calls 0/0 a correlation of 1; here it is undefined.
    """
    level_check(level)
    ranks = doubled_ranks(differences)
    if not ranks:
        return RankEffect(None, None, Reason.NO_NONZERO)
    value = sum(ranks) / sum(abs(rank) for rank in ranks)
    if abs(value) == 1.0:
        return RankEffect(value, Interval(value, value, level), Reason.DEGENERATE)
    n = len(differences)
    se = math.sqrt((2 * n**3 + 3 * n**2 + n) / 6) / (n * (n + 1) / 2)
    reach = float(ndtri((1 + level) / 2)) * se
    centre = math.atanh(value)
    return RankEffect(value, Interval(math.tanh(centre - reach), math.tanh(centre + reach), level))


def hodges_lehmann(differences: Sequence[int]) -> float | None:
    """Median of the means of all pairs of differences, each with itself too; null without any.

    Counted by value, so that its cost depends on the scale and not on n. R's `wilcox.test` solves
    for it and prints 1.00001 where the median is 1.
    """
    counts = sorted(Counter(differences).items())
    sums: Counter[int] = Counter()
    for i, (x, count_x) in enumerate(counts):
        sums[2 * x] += count_x * (count_x + 1) // 2
        for y, count_y in counts[i + 1 :]:
            sums[x + y] += count_x * count_y
    total = sum(sums.values())
    if not total:
        return None
    return (_at(sums, (total - 1) // 2) + _at(sums, total // 2)) / 4


def superiority(differences: Sequence[int]) -> float | None:
    """Share of pairs in which the treatment is higher, ties counted half; null without pairs."""
    if not differences:
        return None
    higher = sum(1.0 if d > 0 else 0.5 if d == 0 else 0.0 for d in differences)
    return higher / len(differences)


def _at(counts: Counter[int], place: int) -> int:
    """The value at a place, from 0, of the sorted multiset."""
    for value, count in sorted(counts.items()):
        if place < count:
            return value
        place -= count
    raise IndexError(place)
