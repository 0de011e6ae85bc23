"""One journalled call of a chat model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apg_engine.calls import ChatReply, ChatRequest
from apg_engine.journal import CallLedger
from apg_engine.llm.protocol import ChatModel


def model_call(
    model: ChatModel, request: ChatRequest, *, role: str, calls: CallLedger
) -> ChatReply:
    """Ask a model through the journal."""
    return calls.call(
        role=role,
        request=request_json(model, request),
        perform=lambda ordinal: model.complete(request, ordinal=ordinal),
    )


def request_json(model: ChatModel, request: ChatRequest) -> dict[str, Any]:
    """Give the exact request as JSON: model and endpoint, settings, messages, schema; no key."""
    return {
        "model": model.identity,
        "messages": [asdict(message) for message in request.messages],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "schema": request.schema,
    }
