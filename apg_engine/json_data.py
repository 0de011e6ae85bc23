"""Parsing JSON that lay on a disk, where anybody may have edited it."""

from __future__ import annotations

import json
from typing import Any


def json_load(data: str | bytes) -> Any:
    """Parse JSON.

    Raises:
        ValueError: it is none, or lists and objects stand in each other too deep to be read.
    """
    try:
        return json.loads(data)
    except RecursionError as error:
        raise ValueError("lists and objects stand in each other too deep") from error


def is_storable(text: str) -> bool:
    """Tell whether a file in UTF-8 can hold a text: JSON and a shell can give half a character."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
