"""Replies kept by the whole request, so that equal requests of later runs are not paid for."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from apg_engine.calls import Attempt, CallStatus, ChatReply, ChatRequest, Usage
from apg_engine.disk import file_write
from apg_engine.errors import JournalError
from apg_engine.journal import request_hash
from apg_engine.json_data import json_load
from apg_engine.llm.calling import request_json
from apg_engine.llm.protocol import ChatModel

CACHE_VARIABLE: Final = "APG_CALL_CACHE"


class CachedModel:
    """A model that asks only what was never asked before.

    The key is the exact request with model, endpoint, settings, messages and schema, and how often
    this run has asked it already: a second audit of one draft is a second question, and gets its
    own answer. Only whole answers are kept.

    Args:
        model: who is asked.
        folder: where replies are kept; several runs may share it.
    """

    def __init__(self, model: ChatModel, folder: Path) -> None:
        self._model, self._folder = model, folder
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def identity(self) -> dict[str, Any]:
        """The model's identity: a kept answer is this model's answer."""
        return self._model.identity

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        """Give a kept reply, or ask and keep what comes.

        Raises:
            JournalError: a kept reply cannot be read, or is that of another request.
        """
        asked = {**request_json(self._model, request), "schema_name": request.schema_name}
        digest = request_hash(asked)
        with self._lock:
            self._asked[digest] += 1
            path = self._folder / digest[:2] / f"{digest}-{self._asked[digest]}.json"
        if path.exists():
            return _reply(path, digest)
        reply = self._model.complete(request, ordinal=ordinal)
        if reply.status is CallStatus.OK:
            _keep(path, asked, reply)
        return reply


def _keep(path: Path, asked: dict[str, Any], reply: ChatReply) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = {"request": asked, "reply": {**asdict(reply), "status": reply.status.value}}
    file_write(path, json.dumps(data, ensure_ascii=True).encode())


def _reply(path: Path, digest: str) -> ChatReply:
    try:
        data = json_load(path.read_text("utf-8"))
        kept = data["reply"]
        reply = ChatReply(
            **{
                **kept,
                "status": CallStatus(kept["status"]),
                "attempts": tuple(Attempt(**attempt) for attempt in kept["attempts"]),
                "usage": Usage(**kept["usage"]),
            }
        )
        same = request_hash(data["request"]) == digest
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"{path}: the kept reply cannot be read: {error}") from error
    if not same:
        raise JournalError(f"{path}: the kept reply is that of another request")
    return reply
