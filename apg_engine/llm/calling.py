"""One journalled call of a chat model."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import Any

from apg_engine.calls import REPLACED, ChatReply, ChatRequest
from apg_engine.journal import CallLedger
from apg_engine.llm.protocol import ChatModel

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def model_call(
    model: ChatModel, request: ChatRequest, *, role: str, calls: CallLedger
) -> ChatReply:
    """Ask a model through the journal."""
    return calls.call(
        role=role,
        request=request_json(model, request),
        perform=lambda ordinal: storable(model.complete(request, ordinal=ordinal)),
    )


def storable(reply: ChatReply) -> ChatReply:
    """Replace NUL and halves of surrogate pairs, which no database and no UTF-8 file holds."""
    text, detail = _UNSTORABLE.sub("\ufffd", reply.text), _UNSTORABLE.sub("\ufffd", reply.detail)
    if text == reply.text:
        return replace(reply, detail=detail)
    return replace(reply, text=text, detail="; ".join(filter(None, (detail, REPLACED))))


def request_json(model: ChatModel, request: ChatRequest) -> dict[str, Any]:
    """Give the exact request as JSON: model and endpoint, settings, messages, schema; no key."""
    return {
        "model": model.identity,
        "messages": [asdict(message) for message in request.messages],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "schema": request.schema,
    }
