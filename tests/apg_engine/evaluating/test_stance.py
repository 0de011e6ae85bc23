from __future__ import annotations

from collections.abc import Sequence

from apg_engine.auditors.known_pairs import KnownPairs
from apg_engine.auditors.nli_scoring import Pair, PairScores
from apg_engine.evaluating.stance import NliReader


class Scorer:
    """Finds a pair refuted where the evidence has `not`; counts what it scores."""

    name, sha256, longest = "scorer", "0" * 64, 256

    def __init__(self) -> None:
        self.scored = 0

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))]

    def score(self, pairs: Sequence[Pair]) -> list[PairScores]:
        self.scored += len(pairs)
        return [
            PairScores(0.1, 0.8, 0.1) if "not" in pair.evidence else PairScores(0.7, 0.1, 0.2)
            for pair in pairs
        ]


def test_a_cross_encoder_speaks_by_its_probabilities_and_scores_a_pair_once() -> None:
    scorer = Scorer()
    reader = NliReader(KnownPairs(scorer))

    first = reader.read("It rains.", ["It does not rain.", "Rain.", "Rain."])
    again = reader.read("It rains.", ["Rain.", "It does not rain."])

    assert [(one.supports, one.refutes) for one in first] == [(0.1, 0.8), (0.7, 0.1), (0.7, 0.1)]
    assert again == [first[1], first[0]]
    assert scorer.scored == 2
    assert "cross-encoder" in reader.name
