"""What a trial may find: an evidence index behind short, stable names of exhibits.

A chunk's exhibit name is its place in the index (E1 is the first chunk), so that both runs of a
trial, its forks and the reader of a record mean the same text by it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from apg_engine.retrieval.chunks import Chunk
from apg_engine.retrieval.embedding import Embedder
from apg_engine.retrieval.evidence_index import Hit
from apg_engine.retrieval.novelty import novelty_of


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk under its exhibit's name, and its cosine to the query."""

    id: str
    chunk: Chunk
    cosine: float


class Index(Protocol):
    """What a trial searches, as `EvidenceIndex` does it."""

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """All chunks, always in the same order."""

    @property
    def embedder(self) -> Embedder:
        """Compares texts."""

    def search(self, query: str, *, count: int, without: frozenset[str] = frozenset()) -> list[Hit]:
        """Give the nearest chunks, at most `count`."""


class Library:
    """Searches an index and compares texts; equal texts stand for one exhibit.

    Args:
        index: of the corpus.
        without: names of exhibits that a fork leaves out, with every chunk of the same text.
    """

    def __init__(self, index: Index, *, without: Collection[str] = ()) -> None:
        self._index = index
        self._names = {chunk.id: f"E{row}" for row, chunk in enumerate(index.chunks, start=1)}
        gone = {chunk.text for chunk in index.chunks if self._names[chunk.id] in without}
        self._without = frozenset(chunk.id for chunk in index.chunks if chunk.text in gone)
        self._copies: dict[str, list[str]] = {}
        for chunk in index.chunks:
            self._copies.setdefault(chunk.sha256, []).append(chunk.id)

    def read_on(self, query: str, *, count: int, known: Collection[str]) -> list[Found]:
        """Give the nearest chunks down to the last of `count` with texts that are not known.

        Args:
            query: what is sought.
            count: most texts that are not known.
            known: hashes of texts.
        """
        fresh = self.search(query, count=count, known=known)
        least = min((one.cosine for one in fresh), default=-1.0)
        passed = self.search(query, count=len(known) + count)
        old = [one for one in passed if one.chunk.sha256 in known and one.cosine >= least]
        return sorted([*fresh, *old], key=lambda one: -one.cosine)

    def search(self, query: str, *, count: int, known: Collection[str] = ()) -> list[Found]:
        """Give the nearest chunks with different texts, at most `count`, less the known ones."""
        without = self._without.union(*(self._copies[text] for text in known))
        hits = self._index.search(query, count=count, without=without) if query else []
        once = {hit.chunk.sha256: hit for hit in reversed(hits)}
        found = [hit for hit in hits if once[hit.chunk.sha256] is hit]
        return [Found(self._names[hit.chunk.id], hit.chunk, hit.cosine) for hit in found]

    def novelty(self, texts: Sequence[str], known: Sequence[str]) -> list[float]:
        """Give each text's novelty against the known ones and those before it, in 0 to 1."""
        return novelty_of(texts, known, self._index.embedder) if texts else []
