"""Who answers for a role: a model or rules. Both get the same step and give the same JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from apg_engine.debates.answers import UnreadableAnswerError
from apg_engine.debates.asking import Asking, Question
from apg_engine.debates.calls import DebateCalls
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer, AnswerStatus
from apg_engine.debates.voices import Voice
from apg_engine.prompting import prompt_load

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
# What an optional step may lack; anything else ends the debate.
SOFT = frozenset(
    {
        AnswerStatus.EMPTY,
        AnswerStatus.UNPARSED,
        AnswerStatus.REFUSED,
        AnswerStatus.TRUNCATED,
    }
)


@dataclass(frozen=True)
class Step(Generic[Value_co]):
    """One thing a role is asked for.

    Attributes:
        asking: who, when and what for.
        prompt: name of the prompt file, without `debates/courtroom_`.
        slots: our own words and the claim; nothing anybody said stands in them unquoted.
        pieces: every text of the trial that may be shown.
        read: makes a value of the answer.
        schema: of the answer; None where it is prose.
    """

    asking: Asking
    prompt: str
    slots: Mapping[str, str]
    pieces: tuple[Piece, ...]
    read: Callable[[str], Value_co]
    schema: dict[str, Any] | None = None


class Seat(Protocol):
    """Answers steps of a trial."""

    @property
    def name(self) -> str:
        """What records call it."""

    @property
    def offline(self) -> bool:
        """True where no language model is asked."""

    def take(self, step: Step[Value], calls: DebateCalls) -> tuple[Answer, Value | None]:
        """Answer a step through the journal; the value is None where the answer is of no use."""


class ModelSeat:
    """Asks a chat model."""

    offline = False

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    @property
    def name(self) -> str:
        """The model's name."""
        return self._voice.model.name

    def take(self, step: Step[Value], calls: DebateCalls) -> tuple[Answer, Value | None]:
        """Ask; an answer that cannot be read is asked for once more."""
        question = Question(
            prompt_load(f"debates/courtroom_{step.prompt}"), step.slots, step.pieces, step.schema
        )
        return calls.ask_read(step.asking, self._voice, question, step.read)


Rule = Callable[[Mapping[str, str], tuple[Piece, ...]], str]


class RuleSeat:
    """Answers by rules, one for each purpose, in the form a model would.

    Args:
        name: as records show it.
        rules: by the purpose of a step; each gets the step's slots and what is shown.
    """

    offline = True

    def __init__(self, name: str, rules: Mapping[str, Rule]) -> None:
        self._name, self._rules = name, rules

    @property
    def name(self) -> str:
        """The name of the rules."""
        return self._name

    def take(self, step: Step[Value], calls: DebateCalls) -> tuple[Answer, Value | None]:
        """Apply the rule; what it gives is read as a model's answer would be."""
        rule = self._rules[step.asking.purpose]
        answer = calls.ask_rules(
            step.asking,
            self.name,
            facts=step.slots,
            pieces=step.pieces,
            answer=lambda kept: rule(step.slots, kept),
        )
        try:
            return answer, step.read(answer.text)
        except UnreadableAnswerError as error:
            return replace(answer, status=AnswerStatus.UNPARSED, detail=str(error)), None
