"""The nearest vectors to a vector."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from apg_engine.retrieval.embedding import WIDTH

if TYPE_CHECKING:
    from apg_engine.retrieval.embedding import Vectors


@dataclass(frozen=True, slots=True)
class Near:
    """One row of the index and its cosine to the query."""

    row: int
    cosine: float


class VectorIndex(Protocol):
    """Exact search by inner product over rows of unit length (shape n x WIDTH, float32)."""

    def search(self, query: Vectors, *, count: int) -> list[Near]:
        """Return at most `count` rows, the nearest first; ties in the order of the rows."""


def vector_index(vectors: Vectors) -> VectorIndex:
    """Build the index: by FAISS where the extra is installed, else by one product in numpy."""
    try:
        import faiss
    except ImportError:
        return _Product(vectors)
    # One of several workers: each search takes one core.
    faiss.omp_set_num_threads(1)
    return _Faiss(faiss.IndexFlatIP(WIDTH), vectors)


class _Faiss:
    def __init__(self, index: Any, vectors: Vectors) -> None:
        self._index = index
        self._index.add(vectors)

    def search(self, query: Vectors, *, count: int) -> list[Near]:
        most = min(count, int(self._index.ntotal))
        if most < 1:
            return []
        cosines, rows = self._index.search(query.reshape(1, WIDTH), most)
        return _sorted(zip(rows[0].tolist(), cosines[0].tolist(), strict=True))


class _Product:
    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def search(self, query: Vectors, *, count: int) -> list[Near]:
        cosines = (self._vectors @ query.reshape(WIDTH)).tolist()
        return _sorted(enumerate(cosines))[: max(0, count)]


def _sorted(pairs: Iterable[tuple[int, float]]) -> list[Near]:
    return sorted((Near(*pair) for pair in pairs), key=lambda one: (-one.cosine, one.row))
