"""Words by which a sentence says no to something."""

from __future__ import annotations

import re

REJECTS = re.compile(
    r"\b(?:reject\w*|oppos\w*|refus\w*|veto\w*|unacceptable|untenable|indefensible|"
    r"(?:cannot|can't|will not|won't|does not|do not|not) (?:accept|agree|support|sign|endorse)\w*|"
    r"(?:not|neither\b.{0,120}|nor\b.{0,120}) acceptable|must not|"
    r"odrzuca\w*|sprzeciwia\w*|nie (?:zgadza|akceptuje|może zaakceptować|poprze)\w*)\b",
    re.IGNORECASE,
)


def rejects(text: str) -> bool:
    """Tell whether a text says no to something."""
    return bool(REJECTS.search(text))
