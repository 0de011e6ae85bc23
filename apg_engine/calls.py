"""What a call of a chat model is: the request, its tries, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class CallStatus(StrEnum):
    """How a call ended. Only OK carries text that may be used as an answer."""

    OK = "ok"
    EMPTY = "empty"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    CONTEXT_OVERFLOW = "context_overflow"
    PROMPT_CUT = "prompt_cut"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    BAD_REQUEST = "bad_request"
    SCRIPT_ENDED = "script_ended"


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """The exact request; two equal requests have one hash.

    Attributes:
        schema: JSON Schema the answer is asked to follow, or None for free text.
    """

    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    schema: dict[str, Any] | None = None
    schema_name: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try of a call: what came back, and how long was waited before the next try."""

    number: int
    status: str
    http_status: int | None = None
    waited_seconds: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; None where it did not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


NO_USAGE = Usage()
# Stands in `ChatReply.detail` where a reply was changed before anything was done with it.
REPLACED = "characters that cannot be stored were replaced by U+FFFD"


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a call gave; `text` may hold the cut part of a truncated answer.

    `seconds` is how long the call took with all its tries; None where nobody was asked.
    """

    status: CallStatus
    text: str = ""
    attempts: tuple[Attempt, ...] = ()
    usage: Usage = NO_USAGE
    detail: str = ""
    seconds: float | None = None
