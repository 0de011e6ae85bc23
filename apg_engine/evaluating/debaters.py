"""Who argues a side in the standard debate: a chat model, or rules in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from apg_engine.debates.calls import Asking, DebateCalls, Question
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer, Party
from apg_engine.debates.voices import Voice
from apg_engine.evaluating.advisors import stances_read
from apg_engine.evaluating.claims import Label
from apg_engine.evaluating.stance import StanceReader
from apg_engine.prompting import json_text, prompt_load
from apg_engine.records import ItemKind

_PROMPT: Final = "evaluating/argue"
POSITION: Final = {Label.SUPPORT: "true", Label.REFUTE: "false"}
NOTHING_LEFT: Final = "I have nothing more to show."


@dataclass(frozen=True, slots=True)
class Turn:
    """What a debater is to do: argue a side of a claim in one round, with this material."""

    claim: str
    side: Label
    round: int
    rounds: int
    pieces: tuple[Piece, ...]


class Arguer(Protocol):
    """Speaks for a side."""

    @property
    def offline(self) -> bool:
        """True where no model is asked."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What makes its turns, as JSON."""

    def argue(self, party: Party, turn: Turn, calls: DebateCalls) -> Answer:
        """Write a turn; what goes wrong is the answer's status.

        Raises:
            ScopeSpentError: the budget does not hold the call.
        """


class ModelArguer:
    """A chat model."""

    offline = False

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    @property
    def identity(self) -> Mapping[str, Any]:
        """Model and settings."""
        voice = self._voice
        asked = prompt_load(_PROMPT).label
        return {**voice.model.identity, "temperature": voice.temperature, "prompt": asked}

    def argue(self, party: Party, turn: Turn, calls: DebateCalls) -> Answer:
        """Ask the model."""
        slots = {
            "claim": json_text(turn.claim),
            "position": POSITION[turn.side],
            "round": str(turn.round),
            "rounds": str(turn.rounds),
        }
        question = Question(prompt_load(_PROMPT), slots, turn.pieces)
        return calls.ask(Asking(party.id, turn.round, "turn"), self._voice, question)


class RuleArguer:
    """Quotes, of the sentences it was shown, the strongest for its side that nobody has quoted."""

    offline = True

    def __init__(self, reader: StanceReader) -> None:
        self._reader = reader

    @property
    def identity(self) -> Mapping[str, Any]:
        """The reader."""
        return {"kind": "rules", "name": self._reader.name}

    def argue(self, party: Party, turn: Turn, calls: DebateCalls) -> Answer:
        """Choose a sentence; the turn is journalled like a model's."""
        return calls.ask_rules(
            Asking(party.id, turn.round, "turn"),
            f"debater by {self._reader.name}",
            facts={"claim": turn.claim, "side": turn.side.value},
            pieces=turn.pieces,
            answer=lambda shown: self._quote(turn, shown),
        )

    def _quote(self, turn: Turn, shown: Sequence[Piece]) -> str:
        said = {piece.text for piece in shown if piece.kind is ItemKind.TURN}
        documents = [piece for piece in shown if piece.kind is ItemKind.DOCUMENT]
        read = stances_read(self._reader, turn.claim, documents)
        is_for = turn.side is Label.SUPPORT
        ranked = sorted(read, key=lambda one: -(one[2].supports if is_for else one[2].refutes))
        for _, sentence, stance in ranked:
            strength = stance.supports if is_for else stance.refutes
            other = stance.refutes if is_for else stance.supports
            if strength > other and sentence not in said:
                return sentence
        return NOTHING_LEFT
