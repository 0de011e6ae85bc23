"""The control that never sees the evidence: what the wording of a claim alone gives away."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from apg_engine.calibration.tally import Tally, tally_count
from apg_engine.measuring.cases import Case

_WORD = re.compile(r"\w+")
_FOLDS = 5


def claim_only_tally(cases: Sequence[Case], *, training: Sequence[Case] = ()) -> Tally:
    """Judge claims by their words alone, with naive Bayes over words and pairs of words.

    Args:
        cases: the cases to judge.
        training: other cases to learn from; without them five folds by group are used, so that a
            claim is never judged by what was learned from its own source.
    """
    if training:
        known = [(_features(case.claim), case.is_supported) for case in training]
        learner = _Learner(known)
        judged = [(case.is_supported, learner.says(_features(case.claim)), True) for case in cases]
        return tally_count(judged)
    return tally_count(_folded(cases))


def _folded(cases: Sequence[Case]) -> Iterable[tuple[bool, bool, bool]]:
    rows = [(_fold(case.group), _features(case.claim), case.is_supported) for case in cases]
    for fold in range(_FOLDS):
        learner = _Learner([(words, truth) for own, words, truth in rows if own != fold])
        for own, words, truth in rows:
            if own == fold:
                yield truth, learner.says(words), True


def _fold(group: str) -> int:
    # A hash and not a shuffle: the fold of a source never depends on the other cases.
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "big") % _FOLDS


def _features(claim: str) -> frozenset[str]:
    words = _WORD.findall(claim.casefold())
    return frozenset(words) | {f"{a} {b}" for a, b in pairwise(words)}


class _Learner:
    """Bernoulli naive Bayes on the features that are present, with equal priors.

    Equal priors, because it is compared by balanced accuracy.
    """

    def __init__(self, known: Sequence[tuple[frozenset[str], bool]]) -> None:
        totals = Counter(truth for _, truth in known)
        counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for words, truth in known:
            counts[truth].update(words)
        self._weights = {
            word: math.log((counts[True][word] + 1) / (totals[True] + 2))
            - math.log((counts[False][word] + 1) / (totals[False] + 2))
            for word in counts[True].keys() | counts[False].keys()
        }

    def says(self, words: frozenset[str]) -> bool:
        return math.fsum(self._weights.get(word, 0.0) for word in words) > 0
