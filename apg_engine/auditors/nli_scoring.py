"""What the engine asks of a cross-encoder: three probabilities for evidence and claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PairScores:
    """Probabilities of the three classes; they sum to 1."""

    supported: float
    refuted: float
    not_enough: float


@dataclass(frozen=True, slots=True)
class Pair:
    """One piece of evidence and the claim it is held against."""

    evidence: str
    claim: str


class PairScorer(Protocol):
    """A cross-encoder. Equal pairs get equal scores, whatever stands beside them."""

    @property
    def name(self) -> str:
        """What the model is called in records."""

    @property
    def sha256(self) -> str:
        """Hash of weights and tokenizer."""

    @property
    def longest(self) -> int:
        """Most tokens of a pair, special ones included."""

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Give the first and last character of each token of a text."""

    def score(self, pairs: Sequence[Pair]) -> list[PairScores]:
        """Score pairs, in their order. Of a pair that is too long the evidence is cut."""
