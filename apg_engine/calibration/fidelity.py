"""PF beside what the auditor's card makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from apg_engine.calibration.card import CalibrationCard
from apg_engine.calibration.correction import Corrected, share_correct
from apg_engine.calibration.rates import Rate
from apg_engine.records import Fidelity


@dataclass(frozen=True, slots=True)
class CalibratedFidelity:
    """Raw and corrected PF of one draft.

    Attributes:
        supported: claims called supported.
        sentences: claims judged.
        corrected: PF corrected for the auditor's mistakes, 0 to 1, or None.
        low: lower end of its 95 % interval.
        high: upper end.
        reason: why there is no corrected PF.
        domain: `in domain`, `out of domain` or `no card`.
        data_set: what the card was measured on.
    """

    supported: int
    sentences: int
    corrected: float | None
    low: float | None
    high: float | None
    reason: str
    domain: str
    data_set: str


def fidelity_calibrate(
    fidelity: Fidelity,
    *,
    card: CalibrationCard | None,
    auditor_sha256: str,
    language: str,
) -> CalibratedFidelity:
    """Read a PF with the auditor's card.

    Args:
        fidelity: counted claims.
        card: the auditor's card, if it has one.
        auditor_sha256: the auditor as it is now; a card of another version corrects nothing.
        language: of the debate.
    """
    if card is None:
        return _record(fidelity, _nothing("the auditor has no calibration card"), "no card", "")
    domain = "in domain" if card.fits(language=language) else "out of domain"
    if card.auditor_sha256 != auditor_sha256:
        stale = _nothing("the card was measured with another version of the auditor")
        return _record(fidelity, stale, domain, card.data_set)
    raw = Rate(fidelity.supported, fidelity.total)
    found = share_correct(raw, tpr=card.support.tpr, fpr=card.support.fpr)
    return _record(fidelity, found, domain, card.data_set)


def _nothing(reason: str) -> Corrected:
    return Corrected(None, None, reason)


def _record(fidelity: Fidelity, found: Corrected, domain: str, data_set: str) -> CalibratedFidelity:
    return CalibratedFidelity(
        supported=fidelity.supported,
        sentences=fidelity.total,
        corrected=found.value,
        low=found.interval.low if found.interval else None,
        high=found.interval.high if found.interval else None,
        reason=found.reason,
        domain=domain,
        data_set=data_set,
    )
