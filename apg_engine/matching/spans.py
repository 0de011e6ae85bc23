"""Does one corpus sentence state a claim, word for word or nearly so, and where?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from apg_engine.matching.index import CorpusIndex, Unit, words_in, words_of
from apg_engine.matching.lexicon import CONNECTIVES, DROPPABLE, MODALS, QUANTIFIERS, SCOPING
from apg_engine.matching.tokens import Token, is_question, stem
from apg_engine.records import Quote

_DROPPABLE = frozenset(map(stem, DROPPABLE))
_SCOPING = frozenset(map(stem, SCOPING))
_NEIGHBOURS = frozenset(map(stem, QUANTIFIERS | MODALS))
# A clause may be quoted out of a sentence; fewer words than this may not.
_LEAST_WORDS = 4
_LEAST_SHARE = 0.4
_DROPPED_PER_WORD = 1 / 7
# Where a clause may begin inside a sentence. A bare `and` or comma also joins the parts of a list,
# so a comma with `and` counts only behind a verb, and a bare one not at all.
_AFTER_STOP = re.compile(
    r"(?:[;\u2014\u2013]|,\s*(?:but|while|whereas|so|yet|ale|lecz|a))\W*$", re.IGNORECASE
)
_AFTER_AND = re.compile(r",\s*(?:and|i|oraz)\W*$", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|must|should|can|cannot|will|may|needs?|receives?|holds?|"
    r"draws?|comes?|takes?|gives?|remains?|keeps?|stands?|lasts?|costs?|lies|loses?|gets?|"
    r"\w{3,}ed|jest|są|był\w*|ma|mają|musi|muszą|powin\w+|może|mogą|będzie|będą)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\b(?:the|an?|that)\s+$", re.IGNORECASE)
_CLAUSE_END = re.compile(
    r"\W*$|\W*?(?:[;:]|,?\s*(?:and|but|while|whereas|so|yet|because|since|which|who|"
    r"oraz|ale|lecz|bo|gdyż|ponieważ|a|i)\b)",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(rf"\W*(?:{'|'.join(CONNECTIVES)})\s*,\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Match:
    """A corpus sentence that states the claim; `exact` where no heavy word was dropped."""

    unit: Unit
    quote: Quote
    exact: bool


def matches_find(index: CorpusIndex, claim: str) -> list[Match]:
    """Find every corpus sentence that states the claim, strongest kind of item first."""
    words = words_in(connective_cut(claim))
    if not words or is_question(claim):
        return []
    found = (match_in(unit, words) for unit in index.holding(words))
    return [match for match in found if match is not None]


def connective_cut(text: str) -> str:
    """Cut a phrase off the front that adds nothing to what the sentence states."""
    connective = _CONNECTIVE.match(text)
    return text[connective.end() :] if connective else text


def match_in(unit: Unit, words: list[str]) -> Match | None:
    """Compare a claim's words with one corpus sentence.

    The words must stand there in the same order. Between them only adverbs may be dropped that
    restrict nothing; around them no negation, condition, report verb or alternative may stand,
    and beside them no number, quantifier or modal.
    """
    window = _window(unit.words, words)
    # Struck out is taken back.
    if window is None or is_question(unit.text) or "~~" in unit.text:
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
            if spare == 0 or held[place] not in _DROPPABLE:
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
    return not any(word in _NEIGHBOURS or word[0] in "#@" for word in beside)


def _is_clause(text: str, first: Token, last: Token) -> bool:
    before, after = text[: first.start], text[last.end :]
    return _starts_clause(before) and bool(_CLAUSE_END.match(after))


def _starts_clause(before: str) -> bool:
    if not words_in(before):
        return True
    connective = _CONNECTIVE.match(before)
    if connective and not words_in(before[connective.end() :]):
        return True
    bare = _ARTICLE.sub("", before)
    joint = _AFTER_AND.search(bare)
    return bool(_AFTER_STOP.search(bare)) or (
        joint is not None and bool(_VERB.search(bare[: joint.start()]))
    )


def _quote(unit: Unit, tokens: list[Token], first: int, last: int) -> Quote:
    """Cut the span out, with the light words before it and the stop behind it."""
    whole = last - first + 1 == len(tokens)
    start = 0 if whole else tokens[first].start
    end = len(unit.text) if whole else tokens[last].end
    return Quote(unit.address, start, end, unit.text[start:end])
