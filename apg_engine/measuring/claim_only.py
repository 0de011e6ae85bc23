"""The control that never sees the evidence: what the wording of a claim alone gives away."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    rows = [_row(case) for case in cases]
    if training:
        learner = _Learner([_row(case) for case in training])
        return tally_count((row.truth, learner.says(row.words), True) for row in rows)
    return tally_count(_folded(rows))


@dataclass(frozen=True, slots=True)
class _Row:
    words: frozenset[str]
    truth: bool
    fold: int


def _row(case: Case) -> _Row:
    words = _WORD.findall(case.claim.casefold())
    features = frozenset(words) | {f"{a} {b}" for a, b in pairwise(words)}
    # A hash and not a shuffle: the fold of a source never depends on the other cases.
    fold = int.from_bytes(hashlib.sha256(case.group.encode()).digest()[:4], "big") % _FOLDS
    return _Row(features, case.is_supported, fold)


def _folds(rows: Sequence[_Row]) -> Iterator[tuple[list[_Row], list[_Row]]]:
    """Give, for each fold, the other rows and its own."""
    for fold in range(_FOLDS):
        own = [row for row in rows if row.fold == fold]
        if own:
            yield [row for row in rows if row.fold != fold], own


def _folded(rows: Sequence[_Row]) -> Iterator[tuple[bool, bool, bool]]:
    for others, own in _folds(rows):
        learner = _Learner(others)
        for row in own:
            yield row.truth, learner.says(row.words), True


class _Bayes:
    """Log odds of the features that are present; features it never met say nothing."""

    def __init__(self, rows: Sequence[_Row]) -> None:
        totals = Counter(row.truth for row in rows)
        counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for row in rows:
            counts[row.truth].update(row.words)
        self._odds = {
            word: math.log((counts[True][word] + 1) / (totals[True] + 2))
            - math.log((counts[False][word] + 1) / (totals[False] + 2))
            for word in counts[True].keys() | counts[False].keys()
        }

    def score(self, words: frozenset[str]) -> float:
        return math.fsum(self._odds.get(word, 0.0) for word in words)


class _Learner:
    """Naive Bayes with a cut.

    Smoothing favours the rarer class, so the cut is not at 0 but where the balanced accuracy on
    the training claims is highest, each scored by the folds its source is not in.
    """

    def __init__(self, rows: Sequence[_Row]) -> None:
        self._bayes = _Bayes(rows)
        self._cut = _best_cut(
            [
                (bayes.score(row.words), row.truth)
                for others, own in _folds(rows)
                for bayes in [_Bayes(others)]
                for row in own
            ]
        )

    def says(self, words: frozenset[str]) -> bool:
        return self._bayes.score(words) > self._cut


def _best_cut(scored: Sequence[tuple[float, bool]]) -> float:
    """Give the score above which a claim is called supported, in the middle of its gap."""
    positives = sum(truth for _, truth in scored) or 1
    negatives = len(scored) - positives or 1
    ranked = sorted(scored, reverse=True)
    best, cut, gain = 0.0, math.inf, 0.0
    for at, (score, truth) in enumerate(ranked):
        gain += 1 / positives if truth else -1 / negatives
        following = ranked[at + 1][0] if at + 1 < len(ranked) else score - 1
        if gain > best and following < score:
            best, cut = gain, (score + following) / 2
    return cut
