"""What a server's error means, and whether trying again can help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

from apg_engine.calls import CallStatus

_OVERFLOW = re.compile(
    r"context[ _]length|context window|maximum context|too many tokens|prompt is too long|"
    r"exceeds? the (?:available )?context|exceeds the maximum number of tokens|"
    r"input is too long|n_ctx",
    re.IGNORECASE,
)
_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_SCHEMA = re.compile(r"response_format|json_schema|structured output|grammar", re.IGNORECASE)
_TOKENS = re.compile(
    r"max_completion_tokens|'max_tokens'|max_tokens is not supported", re.IGNORECASE
)
_QUOTA = re.compile(r"insufficient_quota|billing|quota exceeded.*plan", re.IGNORECASE)
_LONGEST_DETAIL = 300


class Remedy(StrEnum):
    """What to change before the next try; NONE means there is no next try."""

    WAIT = "wait"
    WITHOUT_TEMPERATURE = "without temperature"
    WITHOUT_SCHEMA = "without schema"
    OTHER_LIMIT_FIELD = "other limit field"
    MORE_TOKENS = "more tokens"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed try: how the call ends if it stays so, and what could mend it.

    `retry_after` is in seconds, as the server asked; None if it did not.
    """

    status: CallStatus
    remedy: Remedy
    detail: str
    http_status: int | None = None
    retry_after: float | None = None
    note: str = ""


def fault_of_status(http_status: int, message: str, headers: Mapping[str, str]) -> Fault:
    """Read an error answer of a server."""
    status, remedy = _meaning(http_status, message)
    return Fault(
        status=status,
        remedy=remedy,
        detail=f"HTTP {http_status}: {message[:_LONGEST_DETAIL] or 'no message'}",
        http_status=http_status,
        retry_after=_retry_after(headers) if remedy is Remedy.WAIT else None,
    )


def fault_of_body(message: str, http_status: int | None) -> Fault:
    """Read what came with success and is no completion, as a router's word for an error behind it.

    Args:
        message: what the body says.
        http_status: the status it names.
    """
    if http_status is not None:
        return fault_of_status(http_status, message, {})
    detail = f"the body is no chat completion: {message[:_LONGEST_DETAIL] or 'nothing'}"
    return Fault(CallStatus.UNAVAILABLE, Remedy.WAIT, detail, 200)


def fault_of_connection(message: str, *, timed_out: bool, was_connected: bool) -> Fault:
    """Read a failure without an answer.

    A server that had taken the request may have worked on it, and may charge for it twice.
    """
    return Fault(
        status=CallStatus.TIMEOUT if timed_out else CallStatus.UNAVAILABLE,
        remedy=Remedy.WAIT,
        detail=message[:_LONGEST_DETAIL],
        note="possible double charge" if was_connected else "",
    )


def _meaning(http_status: int, message: str) -> tuple[CallStatus, Remedy]:
    if http_status == 429 and _QUOTA.search(message):
        return CallStatus.UNAVAILABLE, Remedy.NONE
    if http_status in {408, 409, 425, 429} or http_status >= 500:
        return CallStatus.UNAVAILABLE, Remedy.WAIT
    if http_status == 413 or _OVERFLOW.search(message):
        return CallStatus.CONTEXT_OVERFLOW, Remedy.NONE
    if http_status in {400, 422}:
        return CallStatus.BAD_REQUEST, _adjustment(message)
    return CallStatus.BAD_REQUEST, Remedy.NONE


def _adjustment(message: str) -> Remedy:
    if _TEMPERATURE.search(message):
        return Remedy.WITHOUT_TEMPERATURE
    if _SCHEMA.search(message):
        return Remedy.WITHOUT_SCHEMA
    if _TOKENS.search(message):
        return Remedy.OTHER_LIMIT_FIELD
    return Remedy.NONE


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks to wait; a date counts from the server's own `Date`, not our clock."""
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        until, sent = _date(value), _date(headers.get("date", ""))
        return max(0.0, (until - sent).total_seconds()) if until and sent else None
    return seconds if 0 <= seconds < float("inf") else None


def _date(value: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(value)
    except ValueError:
        return None
    # RFC 5322 lets `-0000` stand for an unknown zone; HTTP dates are in UTC.
    return found if found.tzinfo else found.replace(tzinfo=UTC)
