"""A model that answers from a journal and never asks a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.errors import JournalMismatchError
from apg_engine.journal import CallRecord, request_hash
from apg_engine.llm.calling import request_json


class ReplayModel:
    """Gives back what was recorded for exactly this request, wherever in the run it stood."""

    def __init__(self, records: Sequence[CallRecord], *, identity: dict[str, Any]) -> None:
        self._by_hash = {record.request_sha256: record for record in records}
        self._identity = identity
        self.name = str(identity.get("name", "replay"))

    @property
    def identity(self) -> dict[str, Any]:
        """The identity of the model that was recorded."""
        return self._identity

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        """Find the recorded reply.

        Raises:
            JournalMismatchError: nothing was recorded for this request.
        """
        digest = request_hash(request_json(self, request))
        record = self._by_hash.get(digest)
        if record is None:
            raise JournalMismatchError(f"no recorded call has the request {digest[:12]}")
        return ChatReply(
            status=CallStatus(record.status),
            text=record.reply,
            attempts=record.attempts,
            usage=record.usage,
            detail=record.detail,
        )
