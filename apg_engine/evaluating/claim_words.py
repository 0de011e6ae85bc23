"""Naive Bayes over the words of claims, for any number of labels."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

_WORD = re.compile(r"\w+")


class ClaimWords:
    """Learns which words and pairs of neighbouring words go with which label.

    Bernoulli features with add-one smoothing, counting the words that are present; words it has
    not met say nothing.

    Args:
        examples: a claim's text and its label, each.
    """

    def __init__(self, examples: Sequence[tuple[str, str]]) -> None:
        self._totals = Counter(label for _, label in examples)
        self._counts: dict[str, Counter[str]] = {label: Counter() for label in self._totals}
        for text, label in examples:
            self._counts[label].update(_features(text))
        self._known = frozenset(word for counts in self._counts.values() for word in counts)

    def says(self, text: str) -> tuple[str, float]:
        """Give the likeliest label of a claim and its probability among the labels."""
        words = _features(text) & self._known
        scores = {label: self._score(label, words) for label in sorted(self._totals)}
        label = max(scores, key=lambda one: scores[one])
        spread = math.fsum(math.exp(score - scores[label]) for score in scores.values())
        return label, 1 / spread

    def _score(self, label: str, words: frozenset[str]) -> float:
        counts, total = self._counts[label], self._totals[label]
        seen = math.fsum(math.log((counts[word] + 1) / (total + 2)) for word in words)
        return math.log(total / self._totals.total()) + seen


def _features(text: str) -> frozenset[str]:
    words = _WORD.findall(text.casefold())
    return frozenset(words) | {f"{one} {two}" for one, two in pairwise(words)}
