"""Which pieces of the record a claim is held against, and how a long one is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from apg_engine.auditors.nli_settings import Aggregation
from apg_engine.matching.index import CorpusIndex, Unit, words_in
from apg_engine.records import ItemKind, Quote

TokenSpans = Callable[[str], list[tuple[int, int]]]
# A window that is cut keeps this share of its tokens in the next one, so that no fact is halved.
_OVERLAP = 0.25


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of the record as a verified quote, with the sentence it was chosen for."""

    unit: Unit
    quote: Quote

    @property
    def text(self) -> str:
        """The words of the record."""
        return self.quote.text


def evidence_find(
    index: CorpusIndex,
    claim: str,
    *,
    candidates: int,
    aggregation: Aggregation,
    token_spans: TokenSpans,
    room: int,
) -> list[Evidence]:
    """Find the pieces nearest to a claim, none longer than `room` tokens.

    Private traces are left out: what they say must not be quoted.
    """
    near = index.near(words_in(claim), limit=3 * candidates)
    public = [n.unit for n in near if n.unit.item.kind is not ItemKind.PRIVATE and n.of_claim > 0]
    found: dict[Quote, Evidence] = {}
    for unit in public[:candidates]:
        for quote in _shapes(unit, aggregation):
            for piece in _cut(quote, token_spans, room):
                found.setdefault(piece, Evidence(unit, piece))
    return list(found.values())


def _shapes(unit: Unit, aggregation: Aggregation) -> Iterator[Quote]:
    if aggregation != "windows":
        yield Quote(unit.address, 0, len(unit.text), unit.text)
    if aggregation != "sentences":
        yield _window(unit)


def _window(unit: Unit) -> Quote:
    """Join a sentence with the one before and the one behind it, inside its item."""
    ordinal = int(unit.address.partition(".")[2])
    segments = unit.item.segments[max(0, ordinal - 2) : ordinal + 1]
    start, end = segments[0].start, segments[-1].end
    return Quote(unit.item.address, start, end, unit.item.text[start:end])


def _cut(quote: Quote, token_spans: TokenSpans, room: int) -> Iterator[Quote]:
    spans = token_spans(quote.text)
    if len(spans) <= room:
        yield quote
        return
    step = max(1, int(room * (1 - _OVERLAP)))
    for first in range(0, len(spans), step):
        inside = spans[first : first + room]
        start, end = inside[0][0], inside[-1][1]
        yield Quote(quote.address, quote.start + start, quote.start + end, quote.text[start:end])
        if first + room >= len(spans):
            return
