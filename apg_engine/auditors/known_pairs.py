"""A cross-encoder that remembers its scores: judges and rounds read the same pairs again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from apg_engine.auditors.nli_folder import pair_scorer_load
from apg_engine.auditors.nli_scoring import Pair, PairScorer, PairScores

_MOST_KEPT: Final = 50_000


class KnownPairs:
    """Has each pair scored once. Safe for threads: at worst two of them score the same pair."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer
        self._known: dict[Pair, PairScores] = {}
        self.name, self.sha256, self.longest = scorer.name, scorer.sha256, scorer.longest

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Give the first and last character of each token of a text."""
        return self._scorer.token_spans(text)

    def score(self, pairs: Sequence[Pair]) -> list[PairScores]:
        """Score pairs, in their order."""
        known = dict(self._known) if len(self._known) < _MOST_KEPT else {}
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        known.update(zip(new, self._scorer.score(new) if new else (), strict=True))
        self._known = known
        return [known[pair] for pair in pairs]


def known_pairs_load(folder: Path) -> KnownPairs:
    """Load the cross-encoder of a folder.

    Raises:
        ModelSetupError: a package or a file is missing, or the files hold another kind of model.
    """
    return KnownPairs(pair_scorer_load(folder))
