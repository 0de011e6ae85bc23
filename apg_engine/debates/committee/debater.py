"""What the committee asks of whoever speaks for a module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from apg_engine.debates.calls import DebateCalls
from apg_engine.debates.committee.strategy import Strategy
from apg_engine.debates.committee.view import View
from apg_engine.debates.records import Answer
from apg_engine.proposers.protocol import Refusal


@dataclass(frozen=True, slots=True)
class Repair:
    """A turn that was not admitted: its text, and the sentences the record does not carry."""

    text: str
    refused: tuple[Refusal, ...]


class Debater(Protocol):
    """Plans in private, then speaks in public; both are journalled calls."""

    @property
    def name(self) -> str:
        """What it is called in records."""

    @property
    def offline(self) -> bool:
        """True where rules speak and no language model is asked."""

    def plan(self, view: View, calls: DebateCalls) -> tuple[Answer, Strategy | None]:
        """Make the private step; None where the answer could not be used."""

    def speak(
        self, view: View, strategy: Strategy | None, calls: DebateCalls, repair: Repair | None
    ) -> Answer:
        """Say the turn, or say it again without what was refused."""
