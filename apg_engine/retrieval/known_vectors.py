"""Vectors that are known already: a text of an index is not embedded a second time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from apg_engine.retrieval.embedding import Embedder

if TYPE_CHECKING:
    from apg_engine.retrieval.embedding import Vectors

# Queries and planted texts of a few trials at once.
_OTHERS: Final = 512


class KnownVectors:
    """An embedder over an index's own vectors; it asks the real one about other texts only.

    Args:
        embedder: the one the vectors were made by.
        texts: of the index.
        vectors: a row for each text.
    """

    def __init__(self, embedder: Embedder, texts: Sequence[str], vectors: Vectors) -> None:
        self.name = embedder.name
        self._vectors = vectors
        self._rows = {text: row for row, text in enumerate(texts)}
        self._other = lru_cache(maxsize=_OTHERS)(lambda text: embedder.embed([text]))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text."""
        # The engine is imported without numpy.
        import numpy as np

        if not texts:
            return self._vectors[:0]
        return np.concatenate([self._row(text) for text in texts])

    def _row(self, text: str) -> Vectors:
        row = self._rows.get(text)
        return self._other(text) if row is None else self._vectors[row : row + 1]
