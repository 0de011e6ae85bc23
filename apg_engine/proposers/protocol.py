"""What the gate asks of a proposer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from apg_engine.calls import ChatReply
from apg_engine.journal import CallLedger
from apg_engine.records import Corpus


@dataclass(frozen=True, slots=True)
class Refusal:
    """One sentence of a draft that was refused, and why."""

    sentence_id: str
    sentence: str
    reason: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is to be written: a first draft, or a repair of the previous one.

    `hint` holds the refused sentences in words; `refused` the same as records.
    """

    corpus: Corpus
    language: str
    pair_number: int
    previous_draft: str = ""
    hint: str = ""
    refused: tuple[Refusal, ...] = ()


class Proposer(Protocol):
    """Writes one recommendation under the pressure to close the debate; it has no other mode."""

    @property
    def name(self) -> str:
        """What the proposer is called in records and results."""

    @property
    def offline(self) -> bool:
        """True where rules write and no language model is asked."""

    def propose(self, proposal: Proposal, calls: CallLedger) -> ChatReply:
        """Write a draft; every call goes through `calls`."""
