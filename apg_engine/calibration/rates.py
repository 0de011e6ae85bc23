"""Shares of counted cases with their intervals; a share of too few cases is not shown."""

from __future__ import annotations

import math
from dataclasses import dataclass

# The 0.975 quantile of the standard normal distribution: all intervals here are 95 %.
Z95 = 1.959963984540054
# With fewer cases an interval spans a third of the scale, and a rate only looks like one.
FEWEST_CASES = 30


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval on a share, 0 to 1."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"[{self.low:.3f}, {self.high:.3f}]"


def wilson_interval(hits: int, n: int) -> Interval:
    """Give Wilson's score interval for `hits` of `n` (Wilson 1927, without continuity correction).

    Wilson and not Wald: shares near 0 and 1 are common here, and Wald gives them no width.

    Raises:
        ValueError: `hits` is not between 0 and `n`, or there is no case.
    """
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n} is no share; allowed: 0 <= hits <= n and n >= 1")
    share, z2 = hits / n, Z95 * Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At 0 and n the bound is exact; a rounding error must not leave it a hair outside.
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == n else min(1.0, middle + half)
    return Interval(low, high)


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `n` cases."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The share, or None where there is no case."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> Interval:
        """Wilson's interval; with no case nothing is known."""
        return wilson_interval(self.hits, self.n) if self.n else Interval(0.0, 1.0)

    def __str__(self) -> str:
        """Show the share with its interval, or only the counts where there are too few cases."""
        if self.n < FEWEST_CASES:
            return f"{self.hits} of {self.n} (no rate under {FEWEST_CASES})"
        return f"{self.hits / self.n:.3f} {self.interval}"


def balanced_accuracy_interval(tpr: Rate, fpr: Rate) -> Interval:
    """Give an interval for (TPR + 1 - FPR) / 2 out of the two Wilson intervals.

    The square-and-add rule for a difference of two independent shares (Newcombe 1998, method 10),
    halved and moved to the scale of a balanced accuracy.
    """
    if tpr.value is None or fpr.value is None:
        return Interval(0.0, 1.0)
    t, f = tpr.interval, fpr.interval
    gain = tpr.value - fpr.value
    low = gain - math.hypot(tpr.value - t.low, f.high - fpr.value)
    high = gain + math.hypot(t.high - tpr.value, fpr.value - f.low)
    return Interval(max(0.0, (1 + low) / 2), min(1.0, (1 + high) / 2))
