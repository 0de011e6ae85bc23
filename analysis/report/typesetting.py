"""Minus signs, and signs that stay on one line with their number."""

from __future__ import annotations

import re
from typing import Final

MINUS, HARD_BLANK = "\u2212", "\u00a0"
# A hyphen inside a word, a date or a range (1-5) is none.
_MINUS: Final = re.compile(r"(?<![\w.,)\]-])-(?=[.,]?\d)")
_RELATION: Final = re.compile(r"(?<=\S) ([=<>]) (?=[-+.\d\u2212])")
_UNIT: Final = re.compile(r"(?<=\d) (?=(%|s|min)(?![\w]))")


def typeset(text: str) -> str:
    """Put minus signs before negative numbers, and keep `p = .004` and `95 %` on one line."""
    text = _MINUS.sub(MINUS, text).replace("W- ", f"W{MINUS} ")
    text = _RELATION.sub(f"{HARD_BLANK}\\1{HARD_BLANK}", text)
    return _UNIT.sub(HARD_BLANK, text)
