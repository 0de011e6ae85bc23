"""How the two texts of a pair differ on the outside: lengths, headings, lists, numbers, marks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from studyapp.domain.report_shape import report_shape

_SENTENCE_END: Final = re.compile(r"[.!?…][\"'\u201d\u2019)*_]*(?=\s|$)")
_NUMBER: Final = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,:]\d+)*%?(?!\w)")
# [3], [T4], (T4.2), T4: how texts point at a turn or a source.
_CITATION: Final = re.compile(r"\[\^?\d+\]|\b[TCSAP]\d+(?:\.\d+)?\b")
_QUOTE: Final = re.compile(r"“[^”]+”|„[^”]+”|«[^»]+»|\"[^\"\n]+\"")
_EMPHASIS: Final = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_PARAGRAPH: Final = re.compile(r"\n\s*\n")


class ShapeCount(StrEnum):
    """What is counted in a text."""

    WORDS = "words"
    SENTENCES = "sentences"
    PARAGRAPHS = "paragraphs"
    HEADINGS = "headings"
    LIST_ITEMS = "list items"
    NUMBERS = "numbers"
    CITATIONS = "citations"
    QUOTES = "quotes"
    EMPHASES = "emphases"


# From which ratio on a reader notices: texts by a quarter, what stands in them by the double.
_RATIOS: Final[Mapping[ShapeCount, float]] = MappingProxyType(
    {ShapeCount.WORDS: 1.25, ShapeCount.SENTENCES: 1.5}
)
_RATIO: Final = 2.0
# One number more or less is no pattern; five against two is.
_LEAST_DIFFERENCE: Final = 3
# Seen at first sight, so that one in only one of the texts tells them apart.
_SEEN: Final = frozenset({ShapeCount.HEADINGS, ShapeCount.LIST_ITEMS, ShapeCount.CITATIONS})


@dataclass(frozen=True, slots=True)
class ShapeRow:
    """One count of both texts. `ratio` is larger to smaller, or None where the smaller is 0."""

    count: ShapeCount
    reference: int
    treatment: int
    ratio: float | None
    is_telling: bool


def shapes_compare(reference: str, treatment: str) -> tuple[ShapeRow, ...]:
    """Count both texts and say which counts differ enough to tell them apart."""
    first, second = _counts(reference), _counts(treatment)
    return tuple(_row(count, first[count], second[count]) for count in ShapeCount)


def _counts(text: str) -> dict[ShapeCount, int]:
    shape = report_shape(text)
    return {
        ShapeCount.WORDS: shape.words,
        ShapeCount.SENTENCES: len(_SENTENCE_END.findall(text)),
        ShapeCount.PARAGRAPHS: len([part for part in _PARAGRAPH.split(text) if part.strip()]),
        ShapeCount.HEADINGS: shape.headings,
        ShapeCount.LIST_ITEMS: shape.bullets,
        ShapeCount.NUMBERS: len(_NUMBER.findall(text)),
        ShapeCount.CITATIONS: len(_CITATION.findall(text)),
        ShapeCount.QUOTES: len(_QUOTE.findall(text)),
        ShapeCount.EMPHASES: len(_EMPHASIS.findall(text)),
    }


def _row(count: ShapeCount, reference: int, treatment: int) -> ShapeRow:
    larger, smaller = max(reference, treatment), min(reference, treatment)
    ratio = larger / smaller if smaller else None
    return ShapeRow(count, reference, treatment, ratio, _is_telling(count, larger, smaller))


def _is_telling(count: ShapeCount, larger: int, smaller: int) -> bool:
    if count in _SEEN and smaller == 0 < larger:
        return True
    if count in _RATIOS:
        return larger > smaller * _RATIOS[count]
    return larger >= smaller * _RATIO and larger - smaller >= _LEAST_DIFFERENCE
