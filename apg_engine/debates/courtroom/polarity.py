"""Does a sentence speak for or against a claim? Rules on words, or a local cross-encoder.

The rules are crude and named as what they are: they see shared words, negations, opposite
directions (higher, lower; effective, useless) and numbers, and nothing of what a sentence means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from apg_engine.auditors.nli_scoring import Pair, PairScorer
from apg_engine.debates.material import Piece
from apg_engine.matching.index import content_of, words_in
from apg_engine.matching.lexicon import DISPROVING, NEGATIONS
from apg_engine.matching.tokens import stem
from apg_engine.records import ItemKind
from apg_engine.segmentation.segments import segments_find
from apg_engine.word_sets import word_set

_DENYING: Final = frozenset(map(stem, NEGATIONS | DISPROVING))
_UP: Final = frozenset(map(stem, word_set("""
    increase increases increased increasing rise rises rose higher high greater more elevated
    elevate elevates raises raised worse worsen worsened enhance enhanced additional frequent
    """)))  # fmt: skip
_DOWN: Final = frozenset(map(stem, word_set("""
    decrease decreases decreased decreasing reduce reduces reduced reduction lower low less fewer
    decline declines declined drop dropped diminished prevent prevents prevented protect protects
    milder rare
    """)))  # fmt: skip
_GOOD: Final = frozenset(map(stem, word_set("""
    effective efficacious efficacy beneficial benefit benefits improve improves improved helps safe
    useful successful recommended
    """)))  # fmt: skip
_BAD: Final = frozenset(map(stem, word_set("""
    ineffective inefficacious useless harmful harm unsafe futile dangerous insufficient
    """)))  # fmt: skip
_PAIRS: Final = ((_UP, _DOWN), (_GOOD, _BAD))
_SAME_STATEMENT: Final = 0.6


@dataclass(frozen=True, slots=True)
class Bearing:
    """One sentence of an exhibit, how much of the claim it shares, and for which side it speaks.

    Attributes:
        near: share of the claim's content words in the sentence, 0 to 1.
        stance: -1 (against) to 1 (for).
    """

    exhibit: str
    sentence: str
    near: float
    stance: float


class Polarity(Protocol):
    """Tells for which side sentences speak."""

    @property
    def name(self) -> str:
        """What records call it."""

    def stances(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """Give -1 to 1 for each sentence; 0 where it cannot tell."""


class WordPolarity:
    """Rules on words."""

    name = "word rules"

    def stances(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """Give 1, -1 or 0."""
        return [float(_stance(claim, sentence)) for sentence in sentences]


class NliPolarity:
    """A local cross-encoder: its probability of support minus that of refutation."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer

    @property
    def name(self) -> str:
        """Model and the start of its hash."""
        return f"nli {self._scorer.name} {self._scorer.sha256[:8]}"

    def stances(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """Score each sentence against the claim."""
        scores = self._scorer.score([Pair(sentence, claim) for sentence in sentences])
        return [one.supported - one.refuted for one in scores]


def bearings_find(
    claim: str, pieces: Iterable[Piece], polarity: Polarity, *, most: int = 12
) -> list[Bearing]:
    """Give the sentences of exhibits nearest to a claim, the nearest first, with their stances."""
    found = [
        (near_of(claim, sentence), piece.id, sentence)
        for piece in pieces
        if piece.kind is ItemKind.DOCUMENT
        for sentence in sentences_of(piece.text)
    ]
    nearest = sorted(found, key=lambda one: -one[0])[:most]
    nearest = [one for one in nearest if one[0] > 0]
    stances = polarity.stances(claim, [sentence for *_, sentence in nearest]) if nearest else []
    return [
        Bearing(id_, sentence, near, stance)
        for (near, id_, sentence), stance in zip(nearest, stances, strict=True)
    ]


def near_of(claim: str, text: str) -> float:
    """Give the share of a claim's content words that a text has."""
    wanted = _content(claim)
    return len(wanted & _content(text)) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[str, ...]:
    """Give the sentences of a text, as they stand in it."""
    return tuple(text[one.start : one.end] for one in segments_find(text))


@lru_cache(maxsize=50_000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words_in(text))


@lru_cache(maxsize=50_000)
def _content(text: str) -> frozenset[str]:
    return content_of(_words(text)) - _DENYING


def _stance(claim: str, sentence: str) -> int:
    claimed, held = _words(claim), _words(sentence)
    stance = _parity(claimed) * _parity(held)
    for one, other in _PAIRS:
        ours, theirs = _direction(claimed, one, other), _direction(held, one, other)
        if ours and theirs:
            stance *= ours * theirs
    if near_of(claim, sentence) >= _SAME_STATEMENT and _numbers_differ(claimed, held):
        return -1
    return stance


def _parity(words: Sequence[str]) -> int:
    return -1 if sum(word in _DENYING for word in words) % 2 else 1


def _direction(words: Sequence[str], one: frozenset[str], other: frozenset[str]) -> int:
    up, down = any(word in one for word in words), any(word in other for word in words)
    return int(up) - int(down)


def _numbers_differ(claimed: Sequence[str], held: Sequence[str]) -> bool:
    ours, theirs = ({word for word in words if word[0] == "#"} for words in (claimed, held))
    return bool(ours and theirs and not ours & theirs)
