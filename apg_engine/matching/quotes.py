"""Is a quote really at the address it names, and at which characters?"""

from __future__ import annotations

from apg_engine.matching.tokens import tokens_of
from apg_engine.records import Corpus, Quote

_LEAST_TOKENS = 3


def quote_locate(corpus: Corpus, address: str, text: str) -> Quote | None:
    """Find a quote at its address, or None.

    Curly quotes, dashes, `>=` for its sign, case and spacing are evened out for the search; what
    comes back is the original text with `corpus[address][start:end] == text`.
    """
    if address not in corpus:
        return None
    held = corpus[address]
    wanted = text.strip()
    words = [token.norm for token in tokens_of(wanted)]
    if not words or (len(words) < _LEAST_TOKENS and wanted != held.strip()):
        return None
    exact = held.find(wanted)
    if exact >= 0:
        return Quote(address, exact, exact + len(wanted), wanted)
    return _by_tokens(address, held, words)


def _by_tokens(address: str, held: str, words: list[str]) -> Quote | None:
    tokens = tokens_of(held)
    norms = [token.norm for token in tokens]
    for first in range(len(norms) - len(words) + 1):
        if norms[first : first + len(words)] == words:
            start, end = tokens[first].start, tokens[first + len(words) - 1].end
            return Quote(address, start, end, held[start:end])
    return None
