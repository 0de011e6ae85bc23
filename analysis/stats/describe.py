"""Describe exactly the values that are tested."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Description:
    """n, mean, SD (n - 1), median, sum, sum of squares and counts of a set of values.

    `mean` and `median` are null without values, `sd` with fewer than two. `counts` lists every
    value of the declared scale, the unused ones with zero.
    """

    n: int
    mean: float | None
    sd: float | None
    median: float | None
    total: float
    total_squares: float
    counts: dict[int, int]


def describe(values: Sequence[int], *, scale: tuple[int, int]) -> Description:
    """Describe whole numbers; `scale` gives the lowest and highest value to count."""
    n, total = len(values), sum(values)
    squares = sum(value * value for value in values)
    found = Counter(values)
    return Description(
        n=n,
        mean=total / n if n else None,
        # Whole numbers have an exact variance.
        sd=math.sqrt((n * squares - total * total) / (n * (n - 1))) if n > 1 else None,
        median=_median(values),
        total=total,
        total_squares=squares,
        counts={value: found[value] for value in range(scale[0], scale[1] + 1)},
    )


def standard_deviation(values: Sequence[float]) -> float | None:
    """SD with n - 1; null for fewer than two values.

    Values equal but for rounding of their decimals (a spread below 1e-12 of their size) have an
    SD of exactly 0, so that no test divides by noise.
    """
    n = len(values)
    if n < 2:
        return None
    mean = math.fsum(values) / n
    spread = max(values) - min(values)
    if spread <= 1e-12 * max(abs(value) for value in values):
        return 0.0
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1))


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's r; null if either side does not vary."""
    sd_x, sd_y = standard_deviation(xs), standard_deviation(ys)
    if not sd_x or not sd_y:
        return None
    mean_x, mean_y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    products = ((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return math.fsum(products) / ((len(xs) - 1) * sd_x * sd_y)


def _median(values: Sequence[int]) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    middle = len(ordered) // 2
    return (ordered[middle] + ordered[-middle - 1]) / 2
