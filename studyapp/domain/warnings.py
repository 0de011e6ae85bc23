"""The engine's short warning codes in words for researchers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

_WORDS: Final[Mapping[str, str]] = {
    # Said by a notice of its own on every page that shows such texts.
    "offline models": "",
    "symmetric": "Proposer and auditor are the same model, so it judged its own text.",
}


def warnings_tell(codes: Iterable[str]) -> tuple[str, ...]:
    """Return what to tell; what is no code is a sentence already."""
    return tuple(words for code in codes if (words := _WORDS.get(code, code)))
