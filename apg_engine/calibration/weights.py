"""What a judge's vote weighs in an ensemble, from its card."""

from __future__ import annotations

from apg_engine.calibration.card import CalibrationCard

_OUT_OF_DOMAIN = 0.5


def card_weight(card: CalibrationCard | None, *, auditor_sha256: str, language: str) -> float:
    """Weigh a judge by what its card shows for certain.

    The weight is the lower bound of TPR less the upper bound of FPR (both Wilson, 95 %), at least
    0: it grows with quality and with the number of cases, and a judge at chance has none. A card
    of another genre or language counts half; no card, or one of another version, counts nothing.

    Args:
        card: the judge's card, if it has one.
        auditor_sha256: the judge as it is now.
        language: of the debate.
    """
    if card is None or card.auditor_sha256 != auditor_sha256:
        return 0.0
    shown = max(0.0, card.support.tpr.interval.low - card.support.fpr.interval.high)
    return shown if card.fits(language=language) else shown * _OUT_OF_DOMAIN
