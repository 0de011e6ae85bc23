"""Have one sentence audited against a small debate, as the gate does it."""

from __future__ import annotations

from apg_engine import MemoryJournal, Trace, Verdict
from apg_engine.auditors.protocol import Auditor
from apg_engine.journal import CallLedger
from apg_engine.measuring.cases import trace_corpus
from apg_engine.stages.audit import draft_audit
from apg_engine.stages.sentences import draft_sentences
from tests.apg_engine.traces_for_tests import trace_of


def verdicts_by(auditor: Auditor, draft: str, trace: Trace) -> list[Verdict]:
    """Audit a draft; every quote that comes back must stand at its address."""
    corpus = trace_corpus(trace)
    audit = draft_audit(
        auditor=auditor,
        sentences=draft_sentences(draft),
        corpus=corpus,
        calls=CallLedger(MemoryJournal()),
    )
    for verdict in audit.verdicts:
        for quote in (*verdict.supporting, *verdict.opposing, *verdict.nearest):
            assert corpus[quote.address][quote.start : quote.end] == quote.text
    return list(audit.verdicts)


def verdict_by(auditor: Auditor, claim: str, *said: str) -> Verdict:
    """Audit one sentence against turns."""
    (verdict,) = verdicts_by(auditor, claim, trace_of(*said))
    return verdict
