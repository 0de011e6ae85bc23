"""Documents cut into chunks; what is a chunk and what is a document stays apart.

Two chunks of one paper are two texts and one source: evidence is counted by document, and told
apart by the hash of its text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from apg_engine.segmentation.splitter import sentences_find

# The released PROCLAIM index cuts sections into 1,200 characters that share 150.
CHUNK_LIMIT: Final = 1200
CHUNK_SHARED: Final = 150


@dataclass(frozen=True, slots=True)
class Document:
    """One source: its id in the corpus, a title that people read, its text."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: `document.text[start:end] == text`, offsets in characters."""

    document: str
    number: int
    title: str
    start: int
    end: int
    text: str

    @property
    def id(self) -> str:
        """`<document>#c<number>`, the number counted from 0 within the document."""
        return f"{self.document}#c{self.number}"

    @property
    def sha256(self) -> str:
        """The text's own name: equal text in two documents has one."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def chunks_cut(
    document: Document, *, limit: int = CHUNK_LIMIT, shared: int = CHUNK_SHARED
) -> tuple[Chunk, ...]:
    """Cut a document at the ends of sentences.

    Args:
        document: what to cut.
        limit: most characters of a chunk; a longer sentence is cut where it must be.
        shared: most characters at the end of a chunk that the next one begins with again, in
            whole sentences.

    Raises:
        ValueError: `limit` is not above `shared`, or one of them is below 0.
    """
    if not 0 <= shared < limit:
        raise ValueError(f"chunks of {limit} characters cannot share {shared}")
    spans = list(_spans(document.text, limit))
    return tuple(
        Chunk(document.id, number, document.title, start, end, document.text[start:end])
        for number, (start, end) in enumerate(_joined(spans, limit=limit, shared=shared))
    )


def _spans(text: str, limit: int) -> Iterator[tuple[int, int]]:
    for start, end in sentences_find(text, 0, len(text)):
        for cut in range(start, end, limit):
            yield cut, min(cut + limit, end)


def _joined(spans: list[tuple[int, int]], *, limit: int, shared: int) -> Iterator[tuple[int, int]]:
    first = 0
    while first < len(spans):
        last = first
        while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= limit:
            last += 1
        yield spans[first][0], spans[last][1]
        if last + 1 == len(spans):
            return
        first = _next_first(spans, first, last, limit=limit, shared=shared)


def _next_first(
    spans: list[tuple[int, int]], first: int, last: int, *, limit: int, shared: int
) -> int:
    """Go back over whole sentences that may be shared, if the next one still fits behind them."""
    begin = last + 1
    while (
        begin - 1 > first
        and spans[last][1] - spans[begin - 1][0] <= shared
        and spans[last + 1][1] - spans[begin - 1][0] <= limit
    ):
        begin -= 1
    return begin
