"""The expected calibration error of confidences, with its interval and coverage."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

BINS: Final = 10
_DRAWS: Final = 2000


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The error over `items` decided items in BINS equal bins; `value` in 0 to 1."""

    value: float
    items: int


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The error with a 95 % percentile bootstrap interval, and what share of all was decided.

    An error over few decided items says little: read it with its coverage.
    """

    value: float
    low: float
    high: float
    decided: int
    eligible: int

    @property
    def coverage(self) -> float:
        """The share of eligible items that have a verdict and a confidence."""
        return self.decided / self.eligible


def calibration_error(
    confidences: Sequence[float], correct: Sequence[bool], *, bins: int = BINS
) -> CalibrationError:
    """Return sum over bins of (items in it / all) * |share correct - mean confidence|.

    Source: Guo et al. 2017, On Calibration of Modern Neural Networks, equation 3. Bins are
    (0, 1/bins], ..., the first with 0.

    Raises:
        ValueError: the lengths differ, nothing was decided, or a confidence is not in 0 to 1.
    """
    if len(confidences) != len(correct) or not confidences:
        raise ValueError(f"{len(confidences)} confidences for {len(correct)} answers")
    wrong = [one for one in confidences if not 0.0 <= one <= 1.0]
    if wrong:
        raise ValueError(f"confidence {wrong[0]!r} is not a number from 0 to 1")
    gaps = [0.0] * bins
    for confidence, is_correct in zip(confidences, correct, strict=True):
        gaps[_bin(confidence, bins)] += confidence - is_correct
    return CalibrationError(math.fsum(abs(gap) for gap in gaps) / len(correct), len(correct))


def calibration_report(
    confidences: Sequence[float], correct: Sequence[bool], *, eligible: int, seed: int = 0
) -> CalibrationReport:
    """Return the error with its interval by resampling items.

    Raises:
        ValueError: as `calibration_error`, or fewer items are eligible than decided.
    """
    found = calibration_error(confidences, correct)
    if eligible < found.items:
        raise ValueError(f"{found.items} items were decided of {eligible} eligible ones")
    dice = random.Random(seed)  # noqa: S311 - a bootstrap, seeded to be repeated
    # Checked above, so each draw only adds up what its items put into their bins.
    parts = [(_bin(c, BINS), c - right) for c, right in zip(confidences, correct, strict=True)]
    drawn = sorted(_error_of(dice.choices(parts, k=found.items)) for _ in range(_DRAWS))
    low, high = drawn[round(0.025 * (_DRAWS - 1))], drawn[round(0.975 * (_DRAWS - 1))]
    return CalibrationReport(found.value, low, high, found.items, eligible)


def _error_of(parts: Sequence[tuple[int, float]]) -> float:
    gaps = [0.0] * BINS
    for place, gap in parts:
        gaps[place] += gap
    return math.fsum(map(abs, gaps)) / len(parts)


def _bin(confidence: float, bins: int) -> int:
    return max(0, math.ceil(confidence * bins) - 1)
