"""What the engine asks of a chat model."""

from __future__ import annotations

from typing import Any, Protocol

from apg_engine.calls import ChatReply, ChatRequest


class ChatModel(Protocol):
    """Anything that answers a chat request. It never raises for what a server may do."""

    @property
    def name(self) -> str:
        """What the model is called in records."""

    @property
    def identity(self) -> dict[str, Any]:
        """What tells this model from another in the hash of a request; no secrets."""

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        """Answer one request, the one with this 1-based number among its role's calls."""
