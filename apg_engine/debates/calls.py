"""The one way a debate asks anybody anything: journalled, within budget, with its exposures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.debates.answers import UnreadableAnswerError
from apg_engine.debates.asking import (
    Asking,
    CallFailedError,
    Question,
    again_note,
    answer_needed,
    question_messages,
    question_room,
)
from apg_engine.debates.call_line import CallLine
from apg_engine.debates.material import Material, Piece, material_fit
from apg_engine.debates.records import Answer, AnswerStatus
from apg_engine.debates.voices import Voice
from apg_engine.llm.calling import request_json, storable

__all__ = ["Asking", "CallFailedError", "DebateCalls", "Question", "answer_needed"]

Read = TypeVar("Read")
_SHRINKS: Final = 2
# No tokeniser makes texts of tokens that are longer in the mean; a server that does not keep to
# the limit of a call would fill the prompts of all later ones.
_CHARACTERS_OF_A_TOKEN: Final = 16
_TOO_LONG = frozenset({AnswerStatus.CONTEXT_OVERFLOW, AnswerStatus.PROMPT_CUT})
_AGAIN = frozenset({AnswerStatus.EMPTY, AnswerStatus.UNPARSED})


class DebateCalls(CallLine):
    """A line of calls that asks models, and rules in their place."""

    def ask(self, asking: Asking, voice: Voice, question: Question) -> Answer:
        """Ask a model for a text. Nothing it does raises: the status says how it ended.

        Where the prompt is too long for the model, half of the material is shown, then a quarter.

        Raises:
            ScopeSpentError: the budget does not hold the call.
            JournalMismatchError: the journal holds another call at this place.
        """
        answer, _ = self._ask_tries(asking, voice, question, _text_of)
        return answer

    def ask_read(
        self, asking: Asking, voice: Voice, question: Question, read: Callable[[str], Read]
    ) -> tuple[Answer, Read | None]:
        """Ask a model for something `read` makes of its text; what it cannot read is `unparsed`.

        An empty or unparsed answer is asked for once more, with the reason.

        Args:
            asking: who, when and what for.
            voice: the model.
            question: what is asked.
            read: raises `UnreadableAnswerError` for a text it cannot use.
        """
        return self._ask_tries(asking, voice, question, read)

    def ask_rules(
        self,
        asking: Asking,
        name: str,
        *,
        facts: Mapping[str, Any],
        pieces: Sequence[Piece],
        answer: Callable[[tuple[Piece, ...]], str],
    ) -> Answer:
        """Have rules answer in a model's place; the call is journalled like a model's.

        Args:
            asking: who, when and what for.
            name: of the rules, as records name them.
            facts: JSON data the answer depends on beyond the pieces.
            pieces: every text of the debate the rules may see.
            answer: gets the pieces that are not withheld.
        """
        kept = self._kept(pieces)
        exposures = material_fit(kept, room=None).exposures
        request = {
            "model": name,
            "round": asking.round,
            "asked_for": asking.purpose,
            "facts": dict(facts),
            "shown": [[exposure.id, exposure.sha256] for exposure in exposures],
        }
        reply = self._make(
            asking, request, lambda _: storable(ChatReply(CallStatus.OK, text=answer(kept)))
        )
        return self._noted(asking, reply, exposures, 0)

    def _ask_tries(
        self, asking: Asking, voice: Voice, question: Question, read: Callable[[str], Read]
    ) -> tuple[Answer, Read | None]:
        answer, found = self._ask_reading(asking, voice, question, read)
        if answer.status in _AGAIN:
            hinted = replace(question, again=again_note(answer))
            answer, found = self._ask_reading(asking, voice, hinted, read)
        return answer, found

    def _ask_reading(
        self, asking: Asking, voice: Voice, question: Question, read: Callable[[str], Read]
    ) -> tuple[Answer, Read | None]:
        answer = self._ask_fitting(asking, voice, question)
        if answer.status is not AnswerStatus.OK:
            return answer, None
        try:
            return answer, read(_bounded(answer.text, voice))
        except UnreadableAnswerError as error:
            self.answers[-1] = replace(answer, status=AnswerStatus.UNPARSED, detail=str(error))
            return self.answers[-1], None

    def _ask_fitting(self, asking: Asking, voice: Voice, question: Question) -> Answer:
        material = material_fit(self._kept(question.pieces), room=question_room(voice, question))
        answer = self._ask_once(asking, voice, question, material)
        for _ in range(_SHRINKS):
            if answer.status not in _TOO_LONG or not material.lines:
                break
            half = len(material.lines) // 2
            material = material_fit(self._kept(question.pieces), room=half)
            answer = self._ask_once(asking, voice, question, material)
        return answer

    def _ask_once(
        self, asking: Asking, voice: Voice, question: Question, material: Material
    ) -> Answer:
        self.prompts[question.prompt.label] = None
        chat = ChatRequest(
            messages=question_messages(question, material.lines),
            temperature=voice.temperature,
            max_tokens=voice.max_tokens,
            schema=question.schema,
            schema_name=question.prompt.name if question.schema else "",
        )
        request = {
            **request_json(voice.model, chat),
            "round": asking.round,
            "asked_for": asking.purpose,
        }
        reply = self._make(
            asking,
            request,
            lambda ordinal: storable(voice.model.complete(chat, ordinal=ordinal)),
        )
        size = sum(len(message.content) for message in chat.messages)
        return self._noted(asking, reply, material.exposures, size)


def _text_of(text: str) -> str:
    return text


def _bounded(text: str, voice: Voice) -> str:
    most = _CHARACTERS_OF_A_TOKEN * voice.max_tokens
    if len(text) > most:
        raise UnreadableAnswerError(
            f"it has {len(text)} characters, far beyond the {voice.max_tokens} tokens asked for"
        )
    return text
