"""Does a turn say anything that was not said before?"""

from __future__ import annotations

from collections.abc import Iterable

from apg_engine.matching.index import content_of, words_in

# Fewer new words than this are wording, thanks and assent.
LEAST_NEW_WORDS = 4


def says_new(text: str, earlier: Iterable[str]) -> bool:
    """Tell whether a text brings a number or at least four content words nobody used before."""
    known: set[str] = set()
    for other in earlier:
        known.update(words_in(other))
    new = set(words_in(text)) - known
    return any(word[0] == "#" for word in new) or len(content_of(new)) >= LEAST_NEW_WORDS
