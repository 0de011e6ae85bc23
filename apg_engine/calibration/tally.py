"""What a judge said about cases whose truth is known, as counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apg_engine.calibration.rates import (
    FEWEST_CASES,
    Interval,
    Rate,
    balanced_accuracy_interval,
)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over labelled cases; *positive* is a case the evidence supports.

    Attributes:
        positives: cases that are supported in truth.
        true_positives: of these, the ones the judge calls supported.
        negatives: all other cases.
        false_positives: of these, the ones the judge calls supported.
        decided: cases with any verdict but undetermined.
    """

    positives: int
    true_positives: int
    negatives: int
    false_positives: int
    decided: int

    @property
    def n(self) -> int:
        """All cases."""
        return self.positives + self.negatives

    @property
    def tpr(self) -> Rate:
        """Share of the supported cases that are called supported."""
        return Rate(self.true_positives, self.positives)

    @property
    def fpr(self) -> Rate:
        """Share of the other cases that are called supported."""
        return Rate(self.false_positives, self.negatives)

    @property
    def precision(self) -> Rate:
        """Share of what is called supported that is."""
        return Rate(self.true_positives, self.true_positives + self.false_positives)

    @property
    def coverage(self) -> Rate:
        """Share of the cases with a decided verdict."""
        return Rate(self.decided, self.n)

    @property
    def balanced_accuracy(self) -> float | None:
        """(TPR + 1 - FPR) / 2; None unless there are cases of both sorts."""
        tpr, fpr = self.tpr.value, self.fpr.value
        return None if tpr is None or fpr is None else (1 + tpr - fpr) / 2

    @property
    def balanced_accuracy_interval(self) -> Interval:
        """A 95 % interval around it."""
        return balanced_accuracy_interval(self.tpr, self.fpr)

    @property
    def is_large(self) -> bool:
        """Both sorts have enough cases for a rate."""
        return min(self.positives, self.negatives) >= FEWEST_CASES


def tally_count(judged: Iterable[tuple[bool, bool, bool]]) -> Tally:
    """Count (is supported, is called supported, is decided) for every case."""
    positives = true_positives = negatives = false_positives = decided = 0
    for is_supported, is_called, is_decided in judged:
        positives += is_supported
        true_positives += is_supported and is_called
        negatives += not is_supported
        false_positives += is_called and not is_supported
        decided += is_decided
    return Tally(positives, true_positives, negatives, false_positives, decided)
