"""Provenance Fidelity, read from a stored result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apg_engine.results import Pair
from studyapp.seams.engine.gate import SYNTHESIS, result_load


@dataclass(frozen=True, slots=True)
class PairFidelity:
    """PF of the two published texts, 0 to 1, by the auditor that steered the run.

    `treatment` is None where no audited draft was published, `reference` where its audit did not
    end; `reason` says so then.
    """

    reference: float | None
    treatment: float | None
    reason: str = ""


def fidelity_load(record: Mapping[str, Any]) -> PairFidelity:
    """Read from a stored result the PF of the Baseline and of the APG report."""
    result = result_load(record)
    shares = [_share(pair) for pair in result.pairs]
    first, last = (shares[0], shares[-1]) if shares else (None, None)
    if result.outcome != SYNTHESIS:
        reason = "the APG report is a Divergence Report: it is quoted from the debate, not audited"
        return PairFidelity(reference=first, treatment=None, reason=reason)
    reason = "the audit of the Baseline did not end" if first is None else ""
    return PairFidelity(reference=first, treatment=last, reason=reason)


def _share(pair: Pair) -> float | None:
    found = pair.fidelity
    return None if found is None or not found.total else found.supported / found.total
