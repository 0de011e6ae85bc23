"""Titles that participants read: none may look like an id or name what is compared."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_TELLING: Final = frozenset({
    "apg", "baseline", "gate", "gated", "ungated", "pf", "provenance", "proposer", "auditor",
    "divergence", "ablation", "offline", "openai", "gemini", "gpt",
})  # fmt: skip
_WORD: Final = re.compile(r"[^\W\d_]+")
# Joined by _, long numbers and hashes, file names: how runs and recordings are named.
_ID: Final = re.compile(
    r"\S*\w_\w\S*"
    r"|\d{7,}"
    r"|\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{8,}\b"
    r"|\S*\w\.[a-z]+\Z"
    r"|\A(?=\S*\d)[^\s-]+-[^\s-]+-\S+\Z",
    re.IGNORECASE,
)


def title_problem(title: str, *, arms: Collection[str] = ()) -> str:
    """Say why participants must not read a title; an empty text where they may.

    Args:
        title: what would stand above the debate.
        arms: names of the study's arms, which no title may hold.
    """
    telling = _TELLING | {arm.lower() for arm in arms}
    named = sorted({word.lower() for word in _WORD.findall(title)} & telling)
    if named:
        return f"the word {named[0]!r} tells participants what is compared"
    found = _ID.search(title)
    return f"{found.group()!r} looks like the id of a run or a file" if found else ""
