"""The one way a debate asks anybody anything: journalled, within budget, with its exposures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
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
from apg_engine.debates.budget import DebateBudget, request_estimate
from apg_engine.debates.material import Material, Piece, material_fit
from apg_engine.debates.records import (
    NOTHING_WITHHELD,
    Answer,
    AnswerStatus,
    Exposure,
    Withheld,
)
from apg_engine.debates.scoped_journal import ScopedJournal
from apg_engine.debates.voices import Voice
from apg_engine.errors import JournalError
from apg_engine.journal import CallJournal, CallLedger
from apg_engine.llm.calling import request_json, storable
from apg_engine.spending.budget import Amount

__all__ = ["Asking", "CallFailedError", "DebateCalls", "Question", "answer_needed"]

Read = TypeVar("Read")
_SHRINKS: Final = 2
# No tokeniser makes texts of tokens that are longer in the mean; a server that does not keep to
# the limit of a call would fill the prompts of all later ones.
_CHARACTERS_OF_A_TOKEN: Final = 16
_TOO_LONG = frozenset({AnswerStatus.CONTEXT_OVERFLOW, AnswerStatus.PROMPT_CUT})
_AGAIN = frozenset({AnswerStatus.EMPTY, AnswerStatus.UNPARSED})


class DebateCalls:
    """Numbers the calls of one line of a debate and makes each of them once.

    Args:
        journal: where calls are kept; shared by all branches.
        budget: shared by all branches.
        withheld: what a fork takes out of every prompt.
        first: sequence number of the first call.
        last: the highest number this line may use; None for no end.
        on_ask: told before each call.

    Attributes:
        answers: all answers of this line and of its ended branches, failed ones too.
        prompts: labels of the prompt files that were used.
    """

    def __init__(
        self,
        journal: CallJournal,
        *,
        budget: DebateBudget,
        withheld: Withheld = NOTHING_WITHHELD,
        first: int = 1,
        last: int | None = None,
        on_ask: Callable[[Asking], None] | None = None,
    ) -> None:
        self._last = last
        self._journal, self._budget, self._withheld = journal, budget, withheld
        self._scoped = ScopedJournal(journal, budget)
        self._ledger = CallLedger(self._scoped, first=first)
        self._on_ask = on_ask
        self.answers: list[Answer] = []
        self.prompts: dict[str, None] = {}

    @property
    def withheld(self) -> Withheld:
        """What this run takes out of every prompt."""
        return self._withheld

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was noticed about replies."""
        return tuple(self._ledger.warnings)

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

    def ledger(self, asking: Asking, estimate: Amount) -> CallLedger:
        """Give the ledger to an auditor of the gate, whose calls then count for this asking."""
        self._enter(asking, estimate)
        return self._ledger

    @property
    def sequence(self) -> int:
        """The number of the last call of this line."""
        return self._ledger.sequence

    def branches(
        self, count: int, *, most_calls: int, withheld: Withheld | None = None
    ) -> tuple[DebateCalls, ...]:
        """Give lines that may run beside each other, each with sequence numbers of its own.

        What any of them has recorded is counted before one of them goes on, so that a resumed
        run meets its budget as it stood. Give them back with `join`, in the same order.

        Args:
            count: how many.
            most_calls: sequence numbers set aside for each; a branch must not make more calls.
            withheld: what they leave out of prompts, where it is not the same as here.
        """
        start = self._ledger.sequence + 1
        firsts = range(start, start + count * most_calls, most_calls)
        lines = tuple(
            DebateCalls(
                self._journal,
                budget=self._budget,
                withheld=self._withheld if withheld is None else withheld,
                first=first,
                last=first + most_calls - 1,
                on_ask=self._on_ask,
            )
            for first in firsts
        )
        for line, first in zip(lines, firsts, strict=True):
            line._scoped.count(range(first, first + most_calls))  # noqa: SLF001 (its own class)
        self._ledger.skip(count * most_calls)
        return lines

    def join(self, lines: Sequence[DebateCalls]) -> None:
        """Take over what ended branches have recorded."""
        for line in lines:
            self.answers.extend(line.answers)
            self.prompts |= line.prompts
            self._ledger.warnings.extend(line.warnings)

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

    def _make(
        self, asking: Asking, request: dict[str, Any], perform: Callable[[int], ChatReply]
    ) -> ChatReply:
        if self._last is not None and self._ledger.sequence >= self._last:
            raise JournalError(f"{asking.role}: no sequence number is left for {asking.purpose}")
        self._enter(asking, request_estimate(request, prices=self._budget.prices))
        if self._on_ask is not None:
            self._on_ask(asking)
        return self._ledger.call(role=asking.role, request=request, perform=perform)

    def _enter(self, asking: Asking, estimate: Amount) -> None:
        self._scoped.role, self._scoped.round = asking.role, asking.round
        self._scoped.estimate = estimate

    def _noted(
        self, asking: Asking, reply: ChatReply, exposures: tuple[Exposure, ...], size: int
    ) -> Answer:
        status = AnswerStatus.of_call(reply.status)
        if status is AnswerStatus.OK and not reply.text.strip():
            status = AnswerStatus.EMPTY
        answer = Answer(
            row=self._ledger.sequence,
            **asdict(asking),
            status=status,
            text=reply.text,
            detail=reply.detail,
            exposures=exposures,
            prompt_characters=size,
        )
        self.answers.append(answer)
        return answer

    def _kept(self, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """Leave out what is withheld, and show nothing twice: repetition is no second source."""
        once: dict[str, Piece] = {}
        for piece in pieces:
            once.setdefault(piece.id, piece)
        return tuple(piece for piece in once.values() if piece.id not in self._withheld.ids)


def _text_of(text: str) -> str:
    return text


def _bounded(text: str, voice: Voice) -> str:
    most = _CHARACTERS_OF_A_TOKEN * voice.max_tokens
    if len(text) > most:
        raise UnreadableAnswerError(
            f"it has {len(text)} characters, far beyond the {voice.max_tokens} tokens asked for"
        )
    return text
