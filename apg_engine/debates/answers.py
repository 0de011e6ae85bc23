"""Reading structured answers: one JSON object, values from a list, and nothing by guessing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from apg_engine.errors import EngineError

_FENCED = re.compile(r"\A\s*```[a-zA-Z0-9]*[ \t]*\n(?P<inner>.*)\n\s*```\s*\Z", re.DOTALL)


class UnreadableAnswerError(EngineError):
    """A text is not what was asked for; the message says what is missing."""


def object_read(text: str) -> dict[str, Any]:
    """Read an answer that is one JSON object, alone or in a fence.

    Raises:
        UnreadableAnswerError: there is prose around it, it is cut, it is no object, or one key of
            it stands twice, so that nobody can tell which value is meant.
    """
    fenced = _FENCED.match(text)
    try:
        data = json.loads(
            fenced["inner"] if fenced else text,
            parse_constant=_refuse_constant,
            object_pairs_hook=_once,
        )
    except (ValueError, RecursionError) as error:
        raise UnreadableAnswerError(f"it is no JSON object ({error})") from error
    if not isinstance(data, dict):
        raise UnreadableAnswerError(f"it is a JSON {type(data).__name__} and no object")
    return data


def choice_read(data: Mapping[str, Any], key: str, allowed: Sequence[str]) -> str:
    """Read a value of a list; words that merely contain one are refused.

    Raises:
        UnreadableAnswerError: it is absent or another value.
    """
    value = data.get(key)
    if not isinstance(value, str) or value not in allowed:
        raise UnreadableAnswerError(f"{key} is {value!r:.60}; allowed: {', '.join(allowed)}")
    return value


def text_read(data: Mapping[str, Any], key: str, *, most: int, empty: bool = False) -> str:
    """Read a text of at most so many characters.

    Raises:
        UnreadableAnswerError: it is no text, is too long, or is empty and must not be.
    """
    value = data.get(key)
    if not isinstance(value, str) or not (empty or value.strip()):
        raise UnreadableAnswerError(f"{key} is {value!r:.60}; allowed: a text")
    if len(value) > most:
        raise UnreadableAnswerError(f"{key} has {len(value)} characters; allowed: {most}")
    return value.strip()


def number_read(data: Mapping[str, Any], key: str, *, least: float, most: float) -> float:
    """Read a finite number within bounds; truth values and texts are refused.

    Raises:
        UnreadableAnswerError: it is absent or something else.
    """
    value = data.get(key)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= data[key] <= most:
        allowed = f"a number from {least:g} to {most:g}"
        raise UnreadableAnswerError(f"{key} is {value!r:.60}; allowed: {allowed}")
    return float(data[key])


def texts_read(data: Mapping[str, Any], key: str, *, most: int) -> tuple[str, ...]:
    """Read a list of at most so many texts; it may be empty.

    Raises:
        UnreadableAnswerError: it is no list of texts, or is too long.
    """
    value = data.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UnreadableAnswerError(f"{key} is {value!r:.60}; allowed: a list of texts")
    if len(value) > most:
        raise UnreadableAnswerError(f"{key} has {len(value)} entries; allowed: {most}")
    return tuple(value)


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("one key stands twice in an object")
    return found


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
