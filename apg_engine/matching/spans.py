"""Does one corpus sentence state a claim, word for word or nearly so, and where?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from apg_engine.matching.index import CorpusIndex, Unit, words_in, words_of
from apg_engine.matching.lexicon import CRITICAL, MODALS, QUANTIFIERS, SCOPING
from apg_engine.matching.tokens import Token, stem
from apg_engine.records import Quote

_CRITICAL = frozenset(map(stem, CRITICAL))
_SCOPING = frozenset(map(stem, SCOPING))
_NEIGHBOURS = frozenset(map(stem, QUANTIFIERS | MODALS))
# A clause may be quoted out of a sentence; fewer words than this may not.
_LEAST_WORDS = 4
_LEAST_SHARE = 0.4
_DROPPED_PER_WORD = 1 / 7
_CLAUSE_START = re.compile(
    r"(?:[,;:\u2014\u2013(]|\b(?:and|but|oraz|ale|i))\W*(?:\b(?:the|an?|that)\s+)?$", re.IGNORECASE
)
_CLAUSE_END = re.compile(
    r"\W*(?:$|[,;:\u2014\u2013)]|(?:and|but|because|since|oraz|ale|bo|i)\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Match:
    """A corpus sentence that states the claim; `exact` where no heavy word was dropped."""

    unit: Unit
    quote: Quote
    exact: bool


def matches_find(index: CorpusIndex, claim: str) -> list[Match]:
    """Find every corpus sentence that states the claim, strongest kind of item first."""
    words = words_in(claim)
    if not words or claim.rstrip().endswith("?"):
        return []
    found = (match_in(unit, words) for unit in index.holding(words))
    return [match for match in found if match is not None]


def match_in(unit: Unit, words: list[str]) -> Match | None:
    """Compare a claim's words with one corpus sentence.

    The words must stand there in the same order. Nothing critical (a number, a negation, a
    quantifier, a modal, a condition, a report verb) may be dropped, inside or around them.
    """
    window = _window(unit.words, words)
    if window is None or unit.text.rstrip("*_\"'”\u2019) ").endswith("?"):
        return None
    first, last, dropped = window
    whole = last - first + 1 == len(unit.words)
    if not whole and (len(words) < _LEAST_WORDS or len(words) < _LEAST_SHARE * len(unit.words)):
        return None
    if not _outside_is_harmless(unit.words, first, last):
        return None
    tokens = [token for _, token in words_of(unit.text)]
    if not whole and not _is_clause(unit.text, tokens[first], tokens[last]):
        return None
    return Match(unit, _quote(unit, tokens, first, last), exact=dropped == 0)


def _window(held: tuple[str, ...], words: list[str]) -> tuple[int, int, int] | None:
    """Give first and last place and the number of dropped words of the tightest match."""
    best: tuple[int, int, int] | None = None
    for first, word in enumerate(held):
        if word == words[0] and len(held) - first >= len(words):
            last = _walk(held, words, first)
            if last is not None:
                dropped = last - first + 1 - len(words)
                if best is None or dropped < best[2]:
                    best = (first, last, dropped)
                if dropped == 0:
                    break
    return best


def _walk(held: tuple[str, ...], words: list[str], first: int) -> int | None:
    place, spare = first, int(len(words) * _DROPPED_PER_WORD)
    for word in words:
        while place < len(held) and held[place] != word:
            if spare == 0 or held[place] in _CRITICAL or held[place][0] == "#":
                return None
            spare -= 1
            place += 1
        if place == len(held):
            return None
        place += 1
    return place - 1


def _outside_is_harmless(held: tuple[str, ...], first: int, last: int) -> bool:
    outside = held[:first] + held[last + 1 :]
    if any(word in _SCOPING for word in outside):
        return False
    beside = held[max(0, first - 2) : first] + held[last + 1 : last + 3]
    return not any(word in _NEIGHBOURS for word in beside)


def _is_clause(text: str, first: Token, last: Token) -> bool:
    before, after = text[: first.start], text[last.end :]
    starts = not words_in(before) or bool(_CLAUSE_START.search(before))
    return starts and bool(_CLAUSE_END.match(after))


def _quote(unit: Unit, tokens: list[Token], first: int, last: int) -> Quote:
    """Cut the span out, with the light words before it and the stop behind it."""
    whole = last - first + 1 == len(tokens)
    start = 0 if whole else tokens[first].start
    end = len(unit.text) if whole else tokens[last].end
    return Quote(unit.address, start, end, unit.text[start:end])
