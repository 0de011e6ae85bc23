"""Do participants agree on the reports? ICC and Krippendorff's alpha of ratings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy.special import fdtri

from analysis.stats.paired import Interval
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class Icc:
    """ICC(2,1): absolute agreement of single raters, two-way random (McGraw and Wong 1996).

    `ci` is null where the approximation of its degrees of freedom fails, or agreement is full.
    """

    items: int
    raters: int
    value: float | None
    ci: Interval | None
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha with the ordinal metric; missing ratings are allowed."""

    items: int
    ratings: int
    value: float | None
    reason: Reason = Reason.NONE


def icc(table: Sequence[Sequence[float]], *, level: float = 0.95) -> Icc:
    """Agreement of raters (columns) over items (rows) without missing ratings."""
    n, k = len(table), len(table[0]) if table else 0
    if n < 2 or k < 2:
        return Icc(n, k, None, None, Reason.TOO_FEW)
    grand = math.fsum(map(math.fsum, table)) / (n * k)
    rows = k * math.fsum((math.fsum(row) / k - grand) ** 2 for row in table)
    columns = n * math.fsum((math.fsum(c) / n - grand) ** 2 for c in zip(*table, strict=True))
    every = math.fsum((value - grand) ** 2 for row in table for value in row)
    ms_r, ms_c = rows / (n - 1), columns / (k - 1)
    ms_e = max(0.0, every - rows - columns) / ((n - 1) * (k - 1))
    below = ms_r + (k - 1) * ms_e + k * (ms_c - ms_e) / n
    if every <= 1e-12 or below <= 0:
        return Icc(n, k, None, None, Reason.ZERO_VARIANCE)
    value = (ms_r - ms_e) / below
    ci = _icc_interval(value, (ms_r, ms_c, ms_e), n, k, level)
    return Icc(n, k, value, ci, Reason.NONE if ci else Reason.NO_INTERVAL)


def krippendorff(items: Mapping[str, Sequence[int]]) -> Alpha:
    """Alpha of ordinal ratings, item to its ratings; items with one rating do not count."""
    units = [Counter(ratings) for ratings in items.values() if len(ratings) > 1]
    total: Counter[int] = sum(units, Counter())
    n, levels = sum(total.values()), sorted(total)
    if len(units) < 2 or n < 3:
        return Alpha(len(units), n, None, Reason.TOO_FEW)
    if len(levels) < 2:
        return Alpha(len(units), n, None, Reason.ZERO_VARIANCE)

    def distance(a: int, b: int) -> float:
        low, high = sorted((a, b))
        between = math.fsum(total[level] for level in levels if low <= level <= high)
        return (between - (total[a] + total[b]) / 2) ** 2

    gaps = {(a, b): distance(a, b) for a in levels for b in levels if a != b}
    observed = math.fsum(
        unit[a] * unit[b] * gap / (sum(unit.values()) - 1)
        for unit in units
        for (a, b), gap in gaps.items()
    )
    expected = math.fsum(total[a] * total[b] * gap for (a, b), gap in gaps.items()) / (n - 1)
    return Alpha(len(units), n, 1 - observed / expected)


def _icc_interval(
    value: float, squares: tuple[float, float, float], n: int, k: int, level: float
) -> Interval | None:
    ms_r, ms_c, ms_e = squares
    if ms_e <= 0 or value >= 1:
        return None
    a = k * value / (n * (1 - value))
    b = 1 + k * value * (n - 1) / (n * (1 - value))
    parts = (a * ms_c) ** 2 / (k - 1) + (b * ms_e) ** 2 / ((n - 1) * (k - 1))
    df = (a * ms_c + b * ms_e) ** 2 / parts if parts else 0.0
    if df <= 0:
        return None
    top, bottom = (1 + level) / 2, k * ms_c + (k * n - k - n) * ms_e
    f_low, f_high = float(fdtri(n - 1, df, top)), float(fdtri(df, n - 1, top))
    low = n * (ms_r - f_low * ms_e) / (f_low * bottom + n * ms_r)
    high = n * (f_high * ms_r - ms_e) / (bottom + n * f_high * ms_r)
    # Near ICC = 0 Satterthwaite's df can fall to almost nothing: F has no quantile then, or one
    # that puts the interval beside its estimate.
    return Interval(low, high, level) if low <= value <= high else None
