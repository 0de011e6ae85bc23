"""How sure a court is: the paper's clamp, weights fitted to answers, and an isotonic alternative.

    c = clamp(w_sigma * sigma + w_q * q + delta_rs + delta_ref, 0, 1), by default 0.8 and 0.3

The paper gives neither delta a formula; both are ours:

    delta_rs  = +0.10 if both runs find the same and share most of the cited evidence,
                +0.05 if both find the same, 0 if one finds nothing, -0.10 if they contradict
    delta_ref = 0.10 * (mean reflection of the side that won - mean of the side that lost)

with reflections in 0 to 1, so that delta_ref lies in -0.10 to 0.10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from apg_engine.calibration.calibration_error import calibration_error
from apg_engine.debates.courtroom.verdicts import Finding

SAME_AND_SHARED: Final = 0.10
SAME: Final = 0.05
CONTRADICTED: Final = -0.10
REFLECTION_SPAN: Final = 0.10
SHARED_MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Parts:
    """What a confidence is made of: consensus sigma, quality q, and the two adjustments."""

    consensus: float
    quality: float
    role_switch: float = 0.0
    reflection: float = 0.0


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """The weights of sigma and q; the paper's by default."""

    consensus: float = 0.8
    quality: float = 0.3


PAPER_WEIGHTS: Final = ConfidenceWeights()
# 0 to 1 by tenths: the paper says "grid search" and no more.
_GRID: Final = tuple(
    ConfidenceWeights(consensus / 10, quality / 10)
    for consensus, quality in product(range(11), range(11))
)


@dataclass(frozen=True, slots=True)
class FittedConfidence:
    """Confidences of items, each by weights that were fitted without the item's own fold.

    `weights` has one entry a fold; `folds` gives each item's.
    """

    confidences: tuple[float, ...]
    folds: tuple[int, ...]
    weights: tuple[ConfidenceWeights, ...]


def confidence_of(parts: Parts, weights: ConfidenceWeights = PAPER_WEIGHTS) -> float:
    """Return the clamped sum, in 0 to 1."""
    total = (
        weights.consensus * parts.consensus
        + weights.quality * parts.quality
        + parts.role_switch
        + parts.reflection
    )
    return min(1.0, max(0.0, total))


def role_switch_delta(
    first: Finding, switched: Finding, *, cited: frozenset[str], cited_switched: frozenset[str]
) -> float:
    """Compare two runs of one claim with sides exchanged, by verdicts and cited evidence."""
    if Finding.INCONCLUSIVE in (first, switched):
        return 0.0
    if first is not switched:
        return CONTRADICTED
    union = cited | cited_switched
    shared = len(cited & cited_switched) / len(union) if union else 0.0
    return SAME_AND_SHARED if shared > SHARED_MOST else SAME


def reflection_delta(winner: Sequence[float], loser: Sequence[float]) -> float:
    """Compare the reflections of the side that won with those of the other; 0 without both."""
    if not winner or not loser:
        return 0.0
    return REFLECTION_SPAN * (_mean(winner) - _mean(loser))


def confidence_fit(
    items: Sequence[Parts], correct: Sequence[bool], *, folds: int = 5
) -> FittedConfidence:
    """Fit the weights by cross-validated grid search on the expected calibration error.

    Args:
        items: the parts of each decided item.
        correct: whether its verdict was right.
        folds: item i belongs to fold i modulo `folds`, so that the split is known beforehand.

    Raises:
        ValueError: the lengths differ, or there are fewer items than folds.
    """
    if len(items) != len(correct) or len(items) < folds or folds < 2:
        raise ValueError(f"{len(items)} items and {len(correct)} answers for {folds} folds")
    own = tuple(at % folds for at in range(len(items)))
    weights = tuple(_best(items, correct, own, without=fold) for fold in range(folds))
    confidences = tuple(
        confidence_of(item, weights[fold]) for item, fold in zip(items, own, strict=True)
    )
    return FittedConfidence(confidences, own, weights)


def isotonic_fit(
    scores: Sequence[float], correct: Sequence[bool], *, folds: int = 5
) -> tuple[float, ...]:
    """Map scores to shares of right answers by isotonic regression, each fold by the others.

    A score between two known ones takes the straight line between them; one outside them takes
    the nearest.

    Raises:
        ValueError: the lengths differ, or there are fewer items than folds.
    """
    if len(scores) != len(correct) or len(scores) < folds or folds < 2:
        raise ValueError(f"{len(scores)} scores and {len(correct)} answers for {folds} folds")
    return tuple(
        _isotonic(
            [s for at, s in enumerate(scores) if at % folds != own % folds],
            [c for at, c in enumerate(correct) if at % folds != own % folds],
            score,
        )
        for own, score in enumerate(scores)
    )


def _best(
    items: Sequence[Parts], correct: Sequence[bool], own: Sequence[int], *, without: int
) -> ConfidenceWeights:
    train = [at for at, fold in enumerate(own) if fold != without]
    answers = [correct[at] for at in train]

    def error(weights: ConfidenceWeights) -> tuple[float, float]:
        found = [confidence_of(items[at], weights) for at in train]
        # Of equal errors the weights nearest to the paper's.
        distance = abs(weights.consensus - 0.8) + abs(weights.quality - 0.3)
        return calibration_error(found, answers).value, distance

    return min(_GRID, key=error)


def _isotonic(scores: Sequence[float], correct: Sequence[bool], at: float) -> float:
    # The engine is imported without numpy and scipy.
    import numpy as np
    from scipy.optimize import isotonic_regression

    values = sorted(set(scores))
    known = [[c for s, c in zip(scores, correct, strict=True) if s == value] for value in values]
    fitted = isotonic_regression(
        [_mean([float(c) for c in answers]) for answers in known],
        weights=[len(answers) for answers in known],
    )
    return float(np.interp(at, values, fitted.x))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
