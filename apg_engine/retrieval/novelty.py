"""How new a text is beside those that are known: 1 minus the nearest cosine."""

from __future__ import annotations

from collections.abc import Sequence

from apg_engine.retrieval.embedding import Embedder


def novelty_of(texts: Sequence[str], known: Sequence[str], embedder: Embedder) -> list[float]:
    """Return the novelty of each text, in 0 to 1, against all known ones and those before it.

    PROCLAIM admits what is at least 0.20 new. Its released code compares with what P-RAG itself
    had found, and the items of a batch with nothing; here everything admitted counts, and of two
    equal items in a batch the second is old.
    """
    rows = embedder.embed([*known, *texts])
    first = len(known)
    cosines = rows[first:] @ rows.T
    return [
        _clamped(1.0 - float(line[: first + place].max(initial=0.0)))
        for place, line in enumerate(cosines)
    ]


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))
