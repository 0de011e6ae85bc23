"""What the gate found about each pair of a study, for the bundle's manifest."""

from __future__ import annotations

from typing import Any, Final

from studyapp.models import Scenario, Study
from studyapp.seams import engine

# PF is a share of at most a few hundred sentences; more digits would be noise of the division.
_DIGITS: Final = 6
_NO_RUN: Final = "the texts came without a run of the gate"


def pairs_fidelity(study: Study) -> dict[str, dict[str, Any]]:
    """Return PF of both texts and their difference, treatment minus reference, by scenario.

    What is not defined is null, with the reason beside it.
    """
    rows = study.scenarios.filter(pair__isnull=False).select_related("pair__run")
    return {row.key: _entry(row) for row in rows.order_by("position")}


def _entry(row: Scenario) -> dict[str, Any]:
    found = _fidelity(row)
    difference = None
    if found.reference is not None and found.treatment is not None:
        difference = found.treatment - found.reference
    return {
        "fidelity_reference": _rounded(found.reference),
        "fidelity_treatment": _rounded(found.treatment),
        "fidelity_difference": _rounded(difference),
        "reason": found.reason,
    }


def _fidelity(row: Scenario) -> engine.PairFidelity:
    run = row.pair.run if row.pair else None
    if run is None or run.result is None:
        return engine.PairFidelity(reference=None, treatment=None, reason=_NO_RUN)
    return engine.fidelity_load(run.result)


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, _DIGITS)
