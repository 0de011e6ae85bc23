"""Measure an auditor on labelled cases and write its card."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apg_engine.auditors.protocol import Auditor
from apg_engine.calibration.card import CalibrationCard
from apg_engine.calibration.identity import auditor_sha256
from apg_engine.journal import CallLedger, MemoryJournal
from apg_engine.measuring.cases import Case, Truth, evidence_shuffle
from apg_engine.measuring.claim_only import claim_only_tally
from apg_engine.measuring.judging import (
    Judged,
    cases_judge,
    contradiction_tally,
    support_tally,
)


@dataclass(frozen=True, slots=True)
class CaseSet:
    """Labelled cases with what a card says about them.

    Attributes:
        training: other cases of the same sort the claim-only control may learn from; without them
            it learns from the other folds of `cases`.
    """

    name: str
    genre: str
    language: str
    cases: tuple[Case, ...]
    training: tuple[Case, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A card and the verdicts it counts."""

    card: CalibrationCard
    judged: tuple[Judged, ...]


def auditor_measure(
    auditor: Auditor,
    case_set: CaseSet,
    *,
    date: str,
    dice: random.Random,
    calls: CallLedger | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Measurement:
    """Judge a set twice, with its own and with foreign evidence, and write the card.

    Args:
        auditor: who is measured.
        case_set: cases of known truth.
        date: day of the measurement, YYYY-MM-DD.
        dice: shuffles the evidence.
        calls: journal for a model's calls; without one nothing is kept.
        on_progress: is told how many verdicts there are.
    """
    ledger = calls or CallLedger(MemoryJournal())
    judged = cases_judge(case_set.cases, auditor=auditor, calls=ledger, on_progress=on_progress)
    foreign = cases_judge(
        evidence_shuffle(case_set.cases, dice=dice),
        auditor=auditor,
        calls=ledger,
        on_progress=_shifted(on_progress, len(judged)),
    )
    has_refuted = any(case.truth is Truth.REFUTED for case in case_set.cases)
    card = CalibrationCard(
        auditor=auditor.name,
        auditor_sha256=auditor_sha256(auditor),
        data_set=case_set.name,
        data_sha256=cases_sha256(case_set.cases),
        genre=case_set.genre,
        language=case_set.language,
        date=date,
        support=support_tally(judged),
        contradiction=contradiction_tally(judged) if has_refuted else None,
        claim_only=claim_only_tally(case_set.cases, training=case_set.training),
        shuffled=support_tally(foreign),
        note=case_set.note,
    )
    return Measurement(card, tuple(judged))


def cases_sha256(cases: Sequence[Case]) -> str:
    """Give a hash of claims, labels and the corpora they are judged against."""
    rows = [[case.id, case.claim, case.truth.value, case.corpus.sha256] for case in cases]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _shifted(told: Callable[[int], None] | None, by: int) -> Callable[[int], None] | None:
    return (lambda done: told(by + done)) if told else None
