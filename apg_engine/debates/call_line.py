"""One line of a debate's calls: numbered, journalled, within budget, and set apart in branches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Self

from apg_engine.calls import ChatReply
from apg_engine.debates.asking import Asking
from apg_engine.debates.budget import DebateBudget, request_estimate
from apg_engine.debates.material import Piece
from apg_engine.debates.records import (
    NOTHING_WITHHELD,
    Answer,
    AnswerStatus,
    Exposure,
    Withheld,
)
from apg_engine.debates.scoped_journal import ScopedJournal
from apg_engine.errors import JournalError
from apg_engine.journal import CallJournal, CallLedger
from apg_engine.spending.budget import Amount


class CallLine:
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
    ) -> tuple[Self, ...]:
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
            type(self)(
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

    def join(self, lines: Sequence[CallLine]) -> None:
        """Take over what ended branches have recorded."""
        for line in lines:
            self.answers.extend(line.answers)
            self.prompts |= line.prompts
            self._ledger.warnings.extend(line.warnings)

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
