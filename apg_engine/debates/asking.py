"""One question of a debate: who is asked, what for, and what its prompt holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apg_engine.calls import Message
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer, AnswerStatus
from apg_engine.debates.voices import Voice
from apg_engine.errors import EngineError
from apg_engine.evidence import room_for
from apg_engine.prompting import Prompt, prompt_load


class CallFailedError(EngineError):
    """A call that the debate cannot go on without has failed.

    Attributes:
        answer: what came back; it is an attempt and no turn.
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        detail = f": {answer.detail}" if answer.detail else ""
        super().__init__(
            f"round {answer.round}: {answer.role} gave no {answer.purpose} "
            f"({answer.status.value}){detail}"
        )


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asked, when and what for."""

    role: str
    round: int
    purpose: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked.

    Attributes:
        prompt: has a slot {{material}} for the pieces and {{again}} for the hint of a second try.
        slots: what else is filled in; nothing of it is recorded as an exposure.
        pieces: every text of the debate the model may see.
        schema: JSON Schema of the answer, or None for free text.
        again: the hint of a second try; calls fill it in themselves.
    """

    prompt: Prompt
    slots: Mapping[str, str]
    pieces: tuple[Piece, ...]
    schema: dict[str, Any] | None = None
    again: str = ""


def answer_needed(answer: Answer) -> Answer:
    """Give an answer back that the debate can go on with.

    Raises:
        CallFailedError: it carries no text that may be used.
    """
    if answer.status is not AnswerStatus.OK:
        raise CallFailedError(answer)
    return answer


def again_note(answer: Answer) -> str:
    """Say what was wrong with an answer that is asked for once more."""
    reason = answer.detail or "it held no text"
    return f"{prompt_load('debates/again').messages(reason=reason)[1].content}\n\n"


def question_room(voice: Voice, question: Question) -> int | None:
    """Count the characters a voice's context leaves for the material; None if it is not known."""
    others = sum(len(message.content) for message in question_messages(question, ""))
    return room_for(voice.context_tokens, reply_tokens=voice.max_tokens, others=others)


def question_messages(question: Question, lines: str) -> tuple[Message, ...]:
    """Fill a question's prompt with the lines of its material."""
    return question.prompt.messages(**question.slots, material=lines, again=question.again)
