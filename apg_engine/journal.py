"""The append-only journal of model calls: a recorded call is found again and never repeated."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol, Self

from apg_engine.calls import NO_USAGE, REPLACED, Attempt, CallStatus, ChatReply, Usage
from apg_engine.errors import JournalError, JournalMismatchError


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call as it was made: the exact request, its hash, and what came back.

    Attributes:
        sequence: 1-based place of the call in its run, unique.
        role: proposer or auditor.
        request: the request as JSON; it never holds a key.
        reply: the text that came back.
        status: one of `apg_engine.calls.CallStatus`.
        seconds: how long the call took with all its tries, if a server was asked.
    """

    sequence: int
    role: str
    request_sha256: str
    request: dict[str, Any]
    reply: str
    status: str
    attempts: tuple[Attempt, ...] = ()
    usage: Usage = NO_USAGE
    detail: str = ""
    seconds: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the record as JSON."""
        return {**asdict(self), "attempts": [asdict(attempt) for attempt in self.attempts]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read a record back.

        Raises:
            JournalError: a field is missing, unknown or of another type.
        """
        try:
            record = cls(
                **{
                    **data,
                    "attempts": tuple(Attempt(**attempt) for attempt in data["attempts"]),
                    "usage": Usage(**data["usage"]),
                }
            )
            CallStatus(record.status)
        except (KeyError, TypeError, ValueError) as error:
            raise JournalError(f"a journal record cannot be read: {error}") from error
        if record.request_sha256 != request_hash(record.request):
            raise JournalError(f"journal record {record.sequence}: request and hash disagree")
        return record


class CallJournal(Protocol):
    """Where calls are kept. `append` must refuse a sequence that is already stored."""

    def find(self, sequence: int) -> CallRecord | None:
        """Give the record with this sequence number, or None."""

    def append(self, record: CallRecord) -> None:
        """Store a record, durably, before it is used."""


class MemoryJournal:
    """A journal that lives as long as its process."""

    def __init__(self) -> None:
        self.records: list[CallRecord] = []

    def find(self, sequence: int) -> CallRecord | None:
        """Give the record with this sequence number, or None."""
        return next((record for record in self.records if record.sequence == sequence), None)

    def append(self, record: CallRecord) -> None:
        """Store a record.

        Raises:
            JournalError: the sequence number is taken.
        """
        if self.find(record.sequence) is not None:
            raise JournalError(f"call {record.sequence} is already recorded")
        self.records.append(record)


class CallLedger:
    """Numbers the calls of one run and makes each of them once.

    Attributes:
        purpose: what the next calls are for, beyond their role; it goes into the hash of the
            request, so that a second audit is never answered with the reply to the first.
        left_out: by role, addresses of corpus sentences that a prompt had no room for.
        warnings: what was noticed about replies.

    Args:
        journal: where the calls are kept.
        first: sequence number of the first call; a branch that runs beside others has its own.
    """

    def __init__(self, journal: CallJournal, *, first: int = 1) -> None:
        self.purpose = ""
        self.left_out: dict[str, set[str]] = {}
        self.warnings: list[str] = []
        self._journal = journal
        self._sequence = first - 1
        self._by_role: Counter[str] = Counter()

    @property
    def sequence(self) -> int:
        """The number of the last call."""
        return self._sequence

    def skip(self, count: int) -> None:
        """Leave so many sequence numbers to others."""
        self._sequence += count

    def call(
        self, *, role: str, request: dict[str, Any], perform: Callable[[int], ChatReply]
    ) -> ChatReply:
        """Give the recorded reply to this request, or make the call and record it.

        `perform` gets the 1-based number of the call among its role's calls.

        Raises:
            JournalMismatchError: the journal holds another request at this place.
        """
        self._sequence += 1
        self._by_role[role] += 1
        if self.purpose:
            request = {**request, "purpose": self.purpose}
        digest = request_hash(request)
        known = self._journal.find(self._sequence)
        if known is None:
            reply = perform(self._by_role[role])
            known = self._kept(_record(self._sequence, role, digest, request, reply))
        if known.request_sha256 != digest:
            raise JournalMismatchError(
                f"call {self._sequence} ({role}): the journal holds another request; "
                "this journal belongs to another trace, configuration or version"
            )
        self._notice(role, known.detail)
        return ChatReply(
            status=CallStatus(known.status),
            text=known.reply,
            attempts=known.attempts,
            usage=known.usage,
            detail=known.detail,
            seconds=known.seconds,
        )

    def _kept(self, record: CallRecord) -> CallRecord:
        """Store a record; where another worker was faster, its record is the one that counts."""
        try:
            self._journal.append(record)
        except JournalError:
            known = self._journal.find(record.sequence)
            if known is None:
                raise
            return known
        return record

    def _notice(self, role: str, detail: str) -> None:
        if REPLACED in detail:
            self.warnings.append(f"call {self._sequence} ({role}): {REPLACED}")


def request_hash(request: Mapping[str, Any]) -> str:
    """Give the SHA-256 of a request in canonical JSON."""
    text = json.dumps(request, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _record(
    sequence: int, role: str, digest: str, request: dict[str, Any], reply: ChatReply
) -> CallRecord:
    return CallRecord(
        sequence=sequence,
        role=role,
        request_sha256=digest,
        request=request,
        reply=reply.text,
        status=reply.status.value,
        attempts=reply.attempts,
        usage=reply.usage,
        detail=reply.detail,
        seconds=reply.seconds,
    )
