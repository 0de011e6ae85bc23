"""May this auditor steer a gate?"""

from __future__ import annotations

from apg_engine.calibration.card import CalibrationCard
from apg_engine.errors import UncalibratedAuditorError


def gate_permit(card: CalibrationCard, *, auditor: str, forced: str = "") -> str:
    """Refuse a model auditor that its own card does not put above the claim-only control.

    It is above where the lower bound of its balanced accuracy is higher than the control's on
    the same cases: an auditor has to show that it reads the evidence.

    Args:
        card: the auditor's card.
        auditor: the auditor's name.
        forced: the name of an auditor that is to be used all the same.

    Returns:
        A warning for the result; empty where there is nothing to say.

    Raises:
        UncalibratedAuditorError: it is not above the control and was not named in `forced`.
    """
    complaint = control_complaint(card)
    if not complaint:
        return ""
    if forced != auditor:
        raise UncalibratedAuditorError(
            f"{auditor} is refused as a gate: {complaint}; to use it all the same, force it by name"
        )
    return f"the auditor was forced: {complaint}"


def control_complaint(card: CalibrationCard) -> str:
    """Say why a card does not show more than the claims alone; empty if it does."""
    if card.claim_only is None:
        return "its card holds no claim-only control"
    if not card.support.is_large or not card.claim_only.is_large:
        return "its card holds too few cases"
    control = card.claim_only.balanced_accuracy
    low = card.support.balanced_accuracy_interval.low
    if control is not None and low > control:
        return ""
    return (
        f"its balanced accuracy on {card.data_set} is {card.support.balanced_accuracy:.3f} "
        f"{card.support.balanced_accuracy_interval}, and the claims alone give {control:.3f}"
    )
