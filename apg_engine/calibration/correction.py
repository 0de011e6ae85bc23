"""PF as it would be if the auditor made no mistakes, with what that claim is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from apg_engine.calibration.rates import FEWEST_CASES, Z95, Interval, Rate

# Below this the auditor tells supported from unsupported too badly to be corrected for.
LEAST_GAIN = 0.2


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected share with its 95 % interval; both None where `reason` says why."""

    value: float | None
    interval: Interval | None
    reason: str = ""


def share_correct(raw: Rate, *, tpr: Rate, fpr: Rate) -> Corrected:
    """Correct an observed share for the observer's mistakes.

    The estimate is Rogan and Gladen's (1978), (raw - FPR) / (TPR - FPR), cut to 0..1. The interval
    is Lang and Reiczigel's (2014), which also carries the uncertainty of TPR and FPR.

    Args:
        raw: sentences called supported, of all.
        tpr: the auditor's true positive rate on its card.
        fpr: its false positive rate.
    """
    if raw.value is None or tpr.value is None or fpr.value is None:
        return Corrected(None, None, "no sentence was judged, or the card holds no case")
    if min(tpr.n, fpr.n) < FEWEST_CASES:
        return Corrected(None, None, f"the card holds under {FEWEST_CASES} cases of one sort")
    # Exact, since .57 - .37 falls under .2 in floating point.
    exact = Fraction(tpr.hits, tpr.n) - Fraction(fpr.hits, fpr.n)
    gain = float(exact)
    if exact < Fraction(str(LEAST_GAIN)):
        return Corrected(None, None, f"TPR - FPR is {gain:.2f}, under {LEAST_GAIN}")
    value = (raw.value - fpr.value) / gain
    return Corrected(min(1.0, max(0.0, value)), _interval(raw, tpr, fpr))


def _interval(raw: Rate, tpr: Rate, fpr: Rate) -> Interval:
    """Lang and Reiczigel's limits: add z squared trials to `raw` and two to each of the rates."""
    p, n = (raw.hits + Z95**2 / 2) / (raw.n + Z95**2), raw.n + Z95**2
    se, n_se = (tpr.hits + 1) / (tpr.n + 2), tpr.n + 2
    sp, n_sp = (fpr.n - fpr.hits + 1) / (fpr.n + 2), fpr.n + 2
    # Above 0, because the card is large enough and its gain is at least LEAST_GAIN.
    youden = se + sp - 1
    centre = (p + sp - 1) / youden
    of_se, of_sp = se * (1 - se) / n_se, sp * (1 - sp) / n_sp
    spread = p * (1 - p) / n + of_se * centre**2 + of_sp * (1 - centre) ** 2
    shift = 2 * Z95**2 * (centre * of_se - (1 - centre) * of_sp)
    half = Z95 * math.sqrt(spread) / youden
    middle = centre + shift
    return Interval(min(1.0, max(0.0, middle - half)), min(1.0, max(0.0, middle + half)))
