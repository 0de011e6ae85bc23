"""A writer and a judge that say what a test has them say."""

from __future__ import annotations

from collections.abc import Sequence

from apg_engine import (
    Corpus,
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    Models,
    Quote,
    Sentence,
    SentenceKind,
    Trace,
    Verdict,
    gate,
)
from apg_engine.calls import CallStatus, ChatReply
from apg_engine.journal import CallLedger
from apg_engine.proposers.protocol import Proposal
from tests.apg_engine.traces_for_tests import trace_of

FACT = "The pump draws 9 MW of power."


class Writer:
    """A proposer that hands out drafts in order."""

    name, offline = "writer", False

    def __init__(self, *drafts: str) -> None:
        self.drafts = drafts
        self.asked: list[Proposal] = []

    def propose(self, proposal: Proposal, calls: CallLedger) -> ChatReply:
        self.asked.append(proposal)
        return ChatReply(CallStatus.OK, text=self.drafts[len(self.asked) - 1])


class Judge:
    """An auditor that supports every sentence that holds the word good."""

    name, identity, offline = "judge", "a rule of the test", False

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        quote = Quote("T1.1", 0, len(FACT), FACT)
        return tuple(
            Verdict(
                sentence.id,
                Label.SUPPORTED if "good" in sentence.text else Label.UNDETERMINED,
                "so",
                self.name,
                supporting=(quote,) if "good" in sentence.text else (),
            )
            for sentence in sentences
            if sentence.kind is SentenceKind.CLAIM
        )


def run(*drafts: str, pairs: int = 3, trace: Trace | None = None) -> tuple[GateResult, Writer]:
    writer = Writer(*drafts)
    result = gate(
        trace or trace_of(FACT, "It rains."),
        config=GateConfig(pairs=pairs),
        models=Models(writer, Judge()),
        journal=MemoryJournal(),
    )
    return result, writer
