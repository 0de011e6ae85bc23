"""A model that gives the answers it was handed, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apg_engine.calls import CallStatus, ChatReply, ChatRequest


class ScriptedModel:
    """Answers with its script, whatever is asked; then says that the script has ended.

    An answer may be a text or a whole reply, so that failures can be scripted too.
    """

    def __init__(self, script: Sequence[str | ChatReply], *, name: str = "scripted model") -> None:
        self._script = tuple(script)
        self.name = name
        self.requests: list[ChatRequest] = []

    @property
    def identity(self) -> dict[str, Any]:
        """Name and length of the script."""
        return {"kind": "scripted", "name": self.name}

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        """Give the answer with this number, so that a resumed run goes on where it was."""
        self.requests.append(request)
        if ordinal > len(self._script):
            detail = f"the script has {len(self._script)} answers"
            return ChatReply(CallStatus.SCRIPT_ENDED, detail=detail)
        answer = self._script[ordinal - 1]
        return answer if isinstance(answer, ChatReply) else ChatReply(CallStatus.OK, text=answer)
