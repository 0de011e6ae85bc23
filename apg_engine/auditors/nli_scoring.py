"""What the engine asks of a cross-encoder: three probabilities for evidence and claim."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from typing import Protocol, TypeVar

_BATCH = 32
_SAME = 1e-4


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


_PROBES = (
    Pair("The pump of the northern station draws nine megawatts all night.", "It rains."),
    Pair("It rains.", "The pump does not draw nine megawatts."),
    Pair("Snow.", "Snow."),
)
Encoded = TypeVar("Encoded", bound=Sized)


def pairs_score(
    pairs: Sequence[Pair],
    *,
    encode: Callable[[Sequence[Pair]], Sequence[Encoded]],
    infer: Callable[[Sequence[Encoded]], Sequence[PairScores]],
    batch: int,
) -> list[PairScores]:
    """Score pairs in batches of about one length; equal pairs are scored once."""
    distinct = list(dict.fromkeys(pairs))
    encoded = encode(distinct)
    by_length = sorted(range(len(distinct)), key=lambda at: len(encoded[at]))
    found: dict[Pair, PairScores] = {}
    for first in range(0, len(by_length), batch):
        places = by_length[first : first + batch]
        rows = infer([encoded[at] for at in places])
        found.update(zip((distinct[at] for at in places), rows, strict=True))
    return [found[pair] for pair in pairs]


def batch_size(
    encode: Callable[[Sequence[Pair]], Sequence[Encoded]],
    infer: Callable[[Sequence[Encoded]], Sequence[PairScores]],
) -> int:
    """Tell how many pairs may be scored at once: one, where a probe shows that neighbours count."""
    encoded = encode(_PROBES)
    together = infer(encoded)
    alone = [infer([one])[0] for one in encoded]
    alike = all(
        abs(a.supported - b.supported) < _SAME and abs(a.refuted - b.refuted) < _SAME
        for a, b in zip(together, alone, strict=True)
    )
    return _BATCH if alike else 1
