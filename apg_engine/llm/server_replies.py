"""Reading the body of a chat completion, whatever shape a compatible server gives it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from apg_engine.calls import CallStatus, Usage

_THOUGHT_START = re.compile(r"\s*<think>")
_THOUGHT_END = re.compile(r"</think>")
_THOUGHT_END_ALONE = re.compile(r"^</think>[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a body says: status, text (the cut part if truncated) and usage."""

    status: CallStatus
    text: str
    usage: Usage
    detail: str = ""


def answer_read(body: bytes) -> Answer | None:
    """Read a body; None if it is no chat completion, or one that broke off behind a router.

    Reasoning channels are not searched: an answer that is not in `content` is no answer, and what
    a model thought aloud at the head of `content` is taken off.
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
    text = _without_thoughts(_text(message.get("content")))
    return _by_finish(choice.get("finish_reason"), text, usage)


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


def _without_thoughts(text: str) -> str:
    """Take off a leading `<think>` block, to its last end: thoughts may quote a false one.

    Templates that open the block in the prompt leave only its end, on a line of its own.
    """
    ends = _THOUGHT_END if _THOUGHT_START.match(text) else _THOUGHT_END_ALONE
    found = [mark.end() for mark in ends.finditer(text)]
    if found:
        return text[found[-1] :].lstrip()
    return "" if ends is _THOUGHT_END else text


def _usage(data: Any) -> Usage:
    if not isinstance(data, dict):
        return Usage()
    return Usage(_count(data.get("prompt_tokens")), _count(data.get("completion_tokens")))


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None
