"""How long and how structured a report is, so that a pair's outer imbalance can be told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_HEADING: Final = re.compile(r"^ {0,3}#{1,6}\s", re.MULTILINE)
_BULLET: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s", re.MULTILINE)
_WORD: Final = re.compile(r"\w+(?:[-'\u2019.,]\w+)*")

# A reader notices a quarter more text, and a list or heading where the other report has none.
_LENGTH_RATIO: Final = 1.25


@dataclass(frozen=True, slots=True)
class ReportShape:
    """Counts of a report in markdown."""

    words: int
    headings: int
    bullets: int


def report_shape(text: str) -> ReportShape:
    """Count words, headings and list items."""
    return ReportShape(
        words=len(_WORD.findall(_BULLET.sub(" ", text))),
        headings=len(_HEADING.findall(text)),
        bullets=len(_BULLET.findall(text)),
    )


def imbalance_notes(first: ReportShape, second: ReportShape) -> tuple[str, ...]:
    """Say in which outer respects two reports differ enough to be told apart by."""
    notes = []
    longer, shorter = max(first.words, second.words), min(first.words, second.words)
    if shorter == 0 or longer / shorter > _LENGTH_RATIO:
        notes.append(f"length: {first.words} words against {second.words}")
    if (first.headings == 0) != (second.headings == 0):
        notes.append(f"headings: {first.headings} against {second.headings}")
    if (first.bullets == 0) != (second.bullets == 0):
        notes.append(f"list items: {first.bullets} against {second.bullets}")
    return tuple(notes)
