"""The bytes of a definition file as JSON data that a database can hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from studyapp.errors import DefinitionError

_DEPTH: Final = 20
_UTF8_JSON: Final = "UTF-8 JSON"


def definition_parse(content: bytes, *, file_name: str) -> Mapping[str, Any]:
    """Parse a definition file.

    Raises:
        DefinitionError: it is no JSON object, is nested too deeply, or holds a text or number
            that cannot be stored; names the place.
    """
    data = _parsed(content, file_name)
    if not isinstance(data, dict):
        raise _refusal(file_name, "the file", type(data).__name__, "a JSON object")
    for place, found, allowed in _unstorable(data):
        raise _refusal(file_name, place, found, allowed)
    return data


def _parsed(content: bytes, file_name: str) -> Any:
    try:
        return json.loads(content, parse_constant=_constant_refuse)
    except RecursionError as error:
        found = "more levels than can be read"
        raise _refusal(file_name, "the file", found, f"at most {_DEPTH} levels") from error
    except ValueError as error:
        raise _refusal(file_name, "the file", str(error), _UTF8_JSON) from error


def _constant_refuse(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is no JSON")


def _unstorable(data: Any) -> Iterator[tuple[str, str, str]]:
    """Yield place, finding and what is allowed for each value that could not be stored."""
    waiting: list[tuple[str, Any, int]] = [("", data, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        if isinstance(value, str) and not _is_storable(value):
            yield place or "the file", repr(value)[:80], "text without NUL and lone surrogates"
        if not isinstance(value, dict | list):
            continue
        if depth == _DEPTH:
            yield place, f"more than {_DEPTH} levels", f"at most {_DEPTH} levels"
            return
        rows = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in rows:
            if isinstance(key, str) and not _is_storable(key):
                yield place or "the file", repr(key)[:80], "names without NUL and lone surrogates"
            inner = f"{place}[{key}]" if isinstance(key, int) else f"{place}.{key}".lstrip(".")
            waiting.append((inner, item, depth + 1))


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


def _refusal(file_name: str, place: str, found: str, allowed: str) -> DefinitionError:
    return DefinitionError(file=file_name, place=place, found=found, allowed=allowed)
