"""Which way a sentence speaks about a claim: by rules, or by a local cross-encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final, Protocol

from apg_engine.auditors.nli_scoring import Pair, PairScorer
from apg_engine.matching.index import content_of, words_in
from apg_engine.matching.lexicon import NEGATIONS
from apg_engine.matching.tokens import stem
from apg_engine.word_sets import word_set

# Below this share of the claim's content words a sentence is about something else.
_ABOUT: Final = 0.4
_NEGATIONS: Final = frozenset(map(stem, NEGATIONS))
_UP: Final = word_set("""
    increase increases increased increasing higher high more greater rise rises raised elevated
    worsen worsens worse cause causes caused effective effectively efficacy efficacious safe
    protect protects protective likely susceptible beneficial benefit improve improves improved
    """)
_DOWN: Final = word_set("""
    decrease decreases decreased decreasing lower low less fewer reduce reduces reduced reduction
    decline declined fall fell prevent prevents prevented ineffective ineffectively inefficacious
    unsafe harmful unlikely harm useless
    """)


@dataclass(frozen=True, slots=True)
class Stance:
    """How strongly a sentence speaks for a claim and against it, each in 0 to 1."""

    supports: float = 0.0
    refutes: float = 0.0


class StanceReader(Protocol):
    """Reads sentences against a claim; equal texts always get equal stances."""

    @property
    def name(self) -> str:
        """What records call it."""

    def read(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        """Give a stance for each sentence."""


class Rule(StrEnum):
    """What turns a sentence about the claim against it."""

    NEGATION = "negation"
    DIRECTION = "direction"
    NUMBERS = "numbers"


class RuleReader:
    """A sentence about the claim speaks for it, unless a rule finds that it says otherwise.

    - negation: one of the two is negated and the other is not;
    - direction: one says more, safe or effective, the other less, harmful or ineffective;
    - numbers: both have numbers, and none of the claim's is in the sentence.

    Its strength is the share of the claim's content words that the sentence has.
    """

    def __init__(self, rules: Sequence[Rule] = tuple(Rule)) -> None:
        self._rules = tuple(rules)
        self.name = f"offline rules 1 ({', '.join(self._rules)})"

    def read(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        """Read each sentence."""
        words = words_in(claim)
        return [self._stance(words, words_in(sentence)) for sentence in sentences]

    def _stance(self, claim: Sequence[str], sentence: Sequence[str]) -> Stance:
        wanted = content_of(claim)
        shared = len(wanted & content_of(sentence)) / len(wanted) if wanted else 0.0
        if shared < _ABOUT:
            return Stance()
        against = sum(_OPPOSED[rule](claim, sentence) for rule in self._rules) % 2
        return Stance(refutes=shared) if against else Stance(supports=shared)


class NliReader:
    """A local cross-encoder's probabilities."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer
        self.name = f"local cross-encoder {scorer.name} {scorer.sha256[:12]}"

    def read(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        """Score each sentence against the claim."""
        scores = self._scorer.score([Pair(sentence, claim) for sentence in sentences])
        return [Stance(one.supported, one.refuted) for one in scores]


def _negated(claim: Sequence[str], sentence: Sequence[str]) -> bool:
    return any(w in _NEGATIONS for w in claim) != any(w in _NEGATIONS for w in sentence)


def _turned(claim: Sequence[str], sentence: Sequence[str]) -> bool:
    one, other = _direction(claim), _direction(sentence)
    return one * other < 0


def _renumbered(claim: Sequence[str], sentence: Sequence[str]) -> bool:
    one, other = ({w for w in words if w[0] == "#"} for words in (claim, sentence))
    return bool(one and other) and not one & other


_OPPOSED: Final = {
    Rule.NEGATION: _negated,
    Rule.DIRECTION: _turned,
    Rule.NUMBERS: _renumbered,
}


def _direction(words: Sequence[str]) -> int:
    up, down = _directed()
    return sum((word in up) - (word in down) for word in words)


@cache
def _directed() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(map(stem, _UP)), frozenset(map(stem, _DOWN))
