"""Shapiro and Wilk's test of the differences: a note beside the results, never a switch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.stats.describe import standard_deviation
from analysis.stats.undefined import Reason

# scipy gives p near 0 for some three values; the formula for n = 3 is exact elsewhere.
_LEAST, _MOST = 3, 5000


@dataclass(frozen=True, slots=True)
class Shapiro:
    """W and p; null for fewer than 3 or more than 5000 values, or if they do not vary."""

    w: float | None
    p: float | None
    reason: Reason = Reason.NONE


def shapiro(differences: Sequence[float]) -> Shapiro:
    """Test whether differences could come from a normal distribution."""
    if len(differences) < _LEAST:
        return Shapiro(None, None, Reason.TOO_FEW)
    if len(differences) > _MOST:
        return Shapiro(None, None, Reason.TOO_MANY)
    if not standard_deviation(differences):
        return Shapiro(None, None, Reason.ZERO_VARIANCE)
    # scipy.stats takes a second to import: only the full report needs it.
    from scipy.stats import shapiro as scipy_shapiro

    found = scipy_shapiro(differences)
    return Shapiro(float(found.statistic), min(1.0, max(0.0, float(found.pvalue))))
