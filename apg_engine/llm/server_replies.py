"""Reading the body of a chat completion, whatever shape a compatible server gives it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from apg_engine.calls import CallStatus, Usage


@dataclass(frozen=True, slots=True)
class Answer:
    """What a body says: status, text (the cut part if truncated) and usage."""

    status: CallStatus
    text: str
    usage: Usage
    detail: str = ""


def answer_read(body: bytes) -> Answer | None:
    """Read a body; None if it is no chat completion, or one that broke off behind a router.

    Reasoning channels are not searched: an answer that is not in `content` is no answer.
    """
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        message = choice["message"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return None
    if not isinstance(message, dict) or choice.get("finish_reason") == "error":
        return None
    usage = _usage(data.get("usage"))
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return Answer(CallStatus.REFUSED, "", usage, refusal[:300])
    return _by_finish(choice.get("finish_reason"), _text(message.get("content")), usage)


def _by_finish(finish: Any, text: str, usage: Usage) -> Answer:
    if finish == "content_filter":
        return Answer(CallStatus.REFUSED, "", usage, "stopped by the server's content filter")
    if finish == "length":
        return Answer(CallStatus.TRUNCATED, text, usage, "cut at the token limit")
    if not text.strip():
        return Answer(CallStatus.EMPTY, "", usage, "the answer holds no text")
    return Answer(CallStatus.OK, text, usage)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _usage(data: Any) -> Usage:
    if not isinstance(data, dict):
        return Usage()
    return Usage(_count(data.get("prompt_tokens")), _count(data.get("completion_tokens")))


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None
