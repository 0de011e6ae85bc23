"""What a server says in words when it does not answer: each kind of server says it elsewhere."""

from __future__ import annotations

import json
import re
from typing import Any

_TAG = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_LONGEST_TEXT = 1_000
_MOST_COMPLAINTS = 5


_WHERE = ("error", "message", "detail")
_DEEPEST = 4


def error_told(body: Any) -> str:
    """Give a server's complaint as one line; empty if it made none.

    Read are the shapes of OpenAI (`error.message`, with `code`), Ollama and LM Studio (`error`),
    vLLM (`message`), FastAPI (`detail`), and the text of anything else, as of a proxy's page.

    Args:
        body: JSON that was read, or the text of a body that is none.
    """
    return _told(body, _DEEPEST)


def body_told(body: bytes) -> tuple[str, int | None]:
    """Give the complaint in a body that came with success, and the HTTP status it names."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return error_told(body.decode("utf-8", "replace")), None
    error = data.get("error") if isinstance(data, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    is_status = isinstance(code, int) and 400 <= code < 600
    return error_told(data), code if is_status else None


def _told(body: Any, depth: int) -> str:
    if isinstance(body, str):
        return _line(body)
    if isinstance(body, list) and depth:
        return "; ".join(filter(None, (_entry(one, depth) for one in body[:_MOST_COMPLAINTS])))
    if not isinstance(body, dict) or not depth:
        return ""
    told = next(filter(None, (_told(body.get(key), depth - 1) for key in _WHERE)), "")
    code = body.get("code")
    return f"{told} ({_line(code)})" if isinstance(code, str) and code not in told else told


def _entry(entry: Any, depth: int) -> str:
    """Read one entry of a list; the input that FastAPI repeats in it is our own prompt."""
    if not isinstance(entry, dict) or "msg" not in entry:
        return _told(entry, depth - 1)
    place = entry.get("loc")
    where = ".".join(map(str, place)) if isinstance(place, list) else "request"
    return f"{_line(where)}: {_told(entry['msg'], depth - 1)}"


def _line(text: str) -> str:
    """Give a text without tags and without what would steer a terminal."""
    plain = "".join(one if one.isprintable() else " " for one in _TAG.sub(" ", text))
    return " ".join(plain.split())[:_LONGEST_TEXT]
