"""Audit any text against any debate, without a proposer and without a gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.protocol import Auditor
from apg_engine.calibration.card import CalibrationCard
from apg_engine.calibration.card_files import ladder_card
from apg_engine.calibration.fidelity import CalibratedFidelity, fidelity_calibrate
from apg_engine.calibration.identity import auditor_sha256
from apg_engine.journal import CallJournal, CallLedger, MemoryJournal
from apg_engine.records import Corpus, Counts, Fidelity, Sentence, Trace, Verdict
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.audit import draft_audit
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.sentences import draft_sentences
from apg_engine.states import Reason

AUDIT_SCHEMA: Final = "apg-audit"
AUDIT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class TextAudit:
    """What an auditor found in a text, and the PF that code counted from it.

    Attributes:
        text: the text, byte for byte.
        sentences: claims and what is no claim, with offsets into the text.
        verdicts: one for each claim, with verified quotes.
        fidelity: supported claims of all distinct claims; None where `failure` says why.
        counts: the same under both policies and over every sentence; None where `fidelity` is.
        failure: empty, or a reason of `apg_engine.states.REASONS`.
        detail: the same for a person.
        calibrated: PF with what the auditor's card makes of it.
        auditor: its name; `auditor_sha256` is the hash of what makes it what it is.
        offline: True where rules decided and no language model was asked.
    """

    text: str
    sentences: tuple[Sentence, ...]
    verdicts: tuple[Verdict, ...]
    fidelity: Fidelity | None
    counts: Counts | None
    failure: str
    detail: str
    calibrated: CalibratedFidelity | None
    auditor: str
    auditor_sha256: str
    offline: bool
    corpus_sha256: str
    segmenter: str


def audit(
    text: str,
    trace: Trace,
    *,
    auditor: Auditor | None = None,
    card: CalibrationCard | None = None,
    journal: CallJournal | None = None,
) -> TextAudit:
    """Audit a text against a debate.

    Args:
        text: plain text or Markdown.
        trace: the debate it is to rest on.
        auditor: who judges; the offline ladder if nobody is named.
        card: the auditor's calibration card; the ladder brings its own.
        journal: where a model's calls are kept; without one they are forgotten.

    Raises:
        JournalMismatchError: the journal belongs to another text, debate or auditor.
    """
    judge = auditor or LadderAuditor()
    corpus = corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)
    sentences = draft_sentences(text)
    if not corpus.items:
        return _record(text, sentences, judge, corpus, Reason.EMPTY_CORPUS)
    ledger = CallLedger(journal if journal is not None else MemoryJournal())
    found = draft_audit(auditor=judge, sentences=sentences, corpus=corpus, calls=ledger)
    known = card if auditor else card or ladder_card()
    return _record(
        text,
        sentences,
        judge,
        corpus,
        found.failure,
        verdicts=found.verdicts,
        fidelity=found.fidelity,
        counts=found.counts if found.fidelity else None,
        detail=found.detail,
        calibrated=_calibrated(found.fidelity, judge, known, trace.language),
    )


def audit_to_dict(found: TextAudit) -> dict[str, Any]:
    """Give an audit as JSON."""
    return {"schema": AUDIT_SCHEMA, "version": AUDIT_VERSION, **_plain(asdict(found))}


def _calibrated(
    fidelity: Fidelity | None, judge: Auditor, card: CalibrationCard | None, language: str
) -> CalibratedFidelity | None:
    if fidelity is None:
        return None
    return fidelity_calibrate(
        fidelity, card=card, auditor_sha256=auditor_sha256(judge), language=language
    )


def _record(
    text: str,
    sentences: tuple[Sentence, ...],
    judge: Auditor,
    corpus: Corpus,
    failure: Reason | None,
    **found: Any,
) -> TextAudit:
    base: dict[str, Any] = {
        "verdicts": (),
        "fidelity": None,
        "counts": None,
        "detail": "the debate holds no text a claim could rest on",
        "calibrated": None,
    }
    return TextAudit(
        text=text,
        sentences=sentences,
        failure=failure.value if failure else "",
        auditor=judge.name,
        auditor_sha256=auditor_sha256(judge),
        offline=judge.offline,
        corpus_sha256=corpus.sha256,
        segmenter=SEGMENTER,
        **(base | found),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value.value if hasattr(value, "value") else value
