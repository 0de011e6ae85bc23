"""What a server of chat completions may answer: whole, broken, refused, late or never."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the server does with one request."""

    body: Body | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    delay: float = 0.0
    drop: str = ""
    drip: str = ""


def text(
    content: str | None, *, finish: str = "stop", delay: float = 0.0, **message: Any
) -> Answer:
    """A whole completion with this content."""
    body = _completion({"role": "assistant", "content": content, **message}, finish)
    return Answer(body=body, delay=delay)


def refusal(words: str) -> Answer:
    """A completion whose refusal field is set."""
    return text(None, refusal=words)


def status(code: int, message: str = "fake error", *, retry_after: float | None = None) -> Answer:
    """An error answer."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    return Answer(body={"error": {"message": message}}, status=code, headers=headers)


def dropped(*, after_headers: bool = False) -> Answer:
    """The connection is closed before an answer, or in the middle of its body."""
    return Answer(drop="body" if after_headers else "start")


def dripping(part: str, *, code: int = 200) -> Answer:
    """A byte at a time and no end to it, in the headers or in the body."""
    return Answer(drip=part, status=code)


def raw(data: bytes) -> Answer:
    """A 200 with these bytes, whatever they are."""
    return Answer(raw=data)


def _completion(message: Body, finish: str) -> Body:
    return {
        "id": "fake",
        "object": "chat.completion",
        "created": 0,
        "model": "fake",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
