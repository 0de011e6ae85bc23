"""The journal of a debate in the database, read once: a branch finds what the others left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from apg_engine.debates.asking import Asking
from apg_engine.journal import CallRecord
from studyapp.models import ModelCall
from studyapp.seams.engine import RunJournal

Asks = Callable[[str, int, str], None]


@dataclass(frozen=True, slots=True)
class Hand:
    """A worker's hand on a branch.

    Attributes:
        now: clock.
        extend: holds the branch for another while, or raises `LeaseLostError`.
        asks: told before each new call who is asked, in which round and what for; raises
            `LeaseLostError` if the debate was cancelled or taken over.
    """

    now: Callable[[], datetime]
    extend: Callable[[], None]
    asks: Asks


class DebateJournal(RunJournal):
    """The engine's journal for one branch of a debate.

    What is there when the work begins is read at once: the lines of a trial are some thousand
    numbers long, and no other worker writes into this branch's.

    Args:
        debate_id: the debate.
        hand: the worker's hold on the branch.
        book: counts what a call used, in the transaction that records it.
    """

    def __init__(self, debate_id: int, hand: Hand, *, book: Callable[[], None]) -> None:
        super().__init__(of={"debate_id": debate_id}, now=hand.now, hold=self._held, check=_nothing)
        rows = ModelCall.objects.filter(debate_id=debate_id).values_list("sequence", "record")
        self._known = {sequence: CallRecord.from_dict(record) for sequence, record in rows}
        self._hand, self._book = hand, book
        self._asking: Asking | None = None

    @property
    def records(self) -> list[CallRecord]:
        """All recorded calls, in their order."""
        return [record for _, record in sorted(self._known.items())]

    def asked(self, asking: Asking) -> None:
        """Hear of a call before it is looked for."""
        self._asking = asking

    def find(self, sequence: int) -> CallRecord | None:
        """Return the recorded call, or tell that a new one is about to be made.

        Raises:
            LeaseLostError: the debate was cancelled or taken over, so no new call may be made.
        """
        asking, self._asking = self._asking, None
        found = self._known.get(sequence)
        if found is None and asking is not None:
            self._hand.asks(asking.role, asking.round, asking.purpose)
        return found

    def append(self, record: CallRecord) -> None:
        """Record a call for good, and count it.

        Raises:
            LeaseLostError: another worker holds the branch or has recorded this call.
            GenerationError: the call holds a character that the database cannot store.
        """
        super().append(record)
        self._known[record.sequence] = record

    def _held(self) -> None:
        self._hand.extend()
        self._book()


def _nothing() -> None:
    """A found call needs no leave."""
