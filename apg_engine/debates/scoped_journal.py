"""A debate's journal: safe for threads, and open for a call only within its budget."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from apg_engine.debates.budget import DebateBudget, request_estimate
from apg_engine.journal import CallJournal, CallRecord
from apg_engine.spending.budget import Amount


class LockedJournal:
    """Any journal, for several threads at once."""

    def __init__(self, journal: CallJournal) -> None:
        self._journal = journal
        self._lock = threading.Lock()

    def find(self, sequence: int) -> CallRecord | None:
        """Give the record with this sequence number, or None."""
        with self._lock:
            return self._journal.find(sequence)

    def append(self, record: CallRecord) -> None:
        """Store a record.

        Raises:
            JournalError: the sequence number is taken.
        """
        with self._lock:
            self._journal.append(record)


class ScopedJournal:
    """Reserves before a call is made and settles when it is recorded; one for each thread.

    Attributes:
        role: who is asked next.
        round: in which round; 0 outside the rounds.
        estimate: what the next call may take at most.
    """

    def __init__(self, journal: CallJournal, budget: DebateBudget) -> None:
        self._journal, self._budget = journal, budget
        self._counted: set[int] = set()
        self._open: set[int] = set()
        self.role, self.round, self.estimate = "", 0, Amount()

    def find(self, sequence: int) -> CallRecord | None:
        """Give a recorded call, or set aside what the next one may use.

        Raises:
            ScopeSpentError: there is not enough left for it.
        """
        record = self._journal.find(sequence)
        if record is not None:
            self._count(record, self.round, self.estimate)
        elif sequence not in self._open:
            self._budget.reserve(role=self.role, round_=self.round, amount=self.estimate)
            self._open.add(sequence)
        return record

    def append(self, record: CallRecord) -> None:
        """Keep a call and settle what was set aside for it; it was paid for even if it is late.

        Raises:
            JournalError: the sequence number is taken.
        """
        used = self._budget.used(record, self.estimate)
        reserved = self.estimate if record.sequence in self._open else Amount()
        self._open.discard(record.sequence)
        self._counted.add(record.sequence)
        self._budget.settle(role=self.role, round_=self.round, reserved=reserved, used=used)
        self._journal.append(record)

    def count(self, sequences: Iterable[int]) -> None:
        """Count what is recorded there before anything else is reserved."""
        for sequence in sequences:
            record = self._journal.find(sequence)
            if record is not None:
                estimate = request_estimate(record.request, prices=self._budget.prices)
                self._count(record, int(record.request.get("round", 0)), estimate)

    def _count(self, record: CallRecord, round_: int, estimate: Amount) -> None:
        if record.sequence not in self._counted:
            self._counted.add(record.sequence)
            used = self._budget.used(record, estimate)
            self._budget.settle(role=record.role, round_=round_, reserved=Amount(), used=used)
