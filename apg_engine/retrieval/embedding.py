"""Vectors of texts, behind one Protocol: rows of unit length, so that a product is a cosine."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

WIDTH: Final = 384
_WORD: Final = re.compile(r"[^\W_]+")
_COMMON: Final = frozenset(
    word
    for line in (
        "a an and are as at be been but by can for from had has have if in into is it its may no",
        "not of on or our so such than that the their them then there these they this those to was",
        "we were what when which who will with would",
    )
    for word in line.split()
)


class Embedder(Protocol):
    """Turns texts into vectors; the same text always gives the same vector."""

    @property
    def name(self) -> str:
        """What records and indexes call it, with the hash of its weights where it has some."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of WIDTH numbers of unit length (or zeros) for each text."""


class HashedWords:
    """Counts of words and neighbouring words, hashed into WIDTH numbers: no model, no download.

    Two texts are near if they share rare-looking words; synonyms are strangers. It is what runs
    offline, and is named as what it is.
    """

    name = "hashed-words-1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text."""
        # The engine is imported without numpy.
        import numpy as np

        rows = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            for term, count in _terms(text).items():
                place, sign = _place(term)
                rows[row, place] += sign * (1.0 + np.log(count))
        return unit_rows(rows)


def unit_rows(rows: Vectors) -> Vectors:
    """Scale every row to length 1; a row of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def _terms(text: str) -> Counter[str]:
    words = [_stem(word) for word in _WORD.findall(text.casefold()) if word not in _COMMON]
    pairs = [f"{one} {two}" for one, two in pairwise(words)]
    return Counter(words + pairs)


def _stem(word: str) -> str:
    """Take the plural's s, so that a word meets its plural; no more than that."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _place(term: str) -> tuple[int, float]:
    digest = hashlib.blake2b(term.encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    return number % WIDTH, 1.0 if number >> 63 else -1.0
