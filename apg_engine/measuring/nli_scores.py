"""A cross-encoder's raw scores on labelled cases, and thresholds chosen from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apg_engine.auditors.nli import NliAuditor
from apg_engine.auditors.nli_scoring import Pair, PairScorer, PairScores
from apg_engine.calibration.rates import Rate
from apg_engine.matching.index import CorpusIndex
from apg_engine.measuring.cases import Case, Truth
from apg_engine.records import Sentence, SentenceKind

# The least threshold: at one half or less two classes could pass at once.
_LEAST = 0.5


@dataclass(frozen=True, slots=True)
class CaseScore:
    """A case with the strongest support and the strongest refutation the model sees for it.

    `refuted` is 0 where a piece of evidence supports the claim more strongly than any refutes it.
    """

    case: Case
    supported: float
    refuted: float


class RememberingScorer:
    """Scores each pair once, however often it is asked about."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer
        self._known: dict[Pair, PairScores] = {}
        self.name = scorer.name
        self.sha256 = scorer.sha256
        self.longest = scorer.longest

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Ask the model's tokenizer."""
        return self._scorer.token_spans(text)

    def score(self, pairs: Sequence[Pair]) -> list[PairScores]:
        """Score the pairs that are new."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known.update(zip(fresh, self._scorer.score(fresh), strict=True))
        return [self._known[pair] for pair in pairs]


def cases_score(cases: Iterable[Case], nli: NliAuditor) -> list[CaseScore]:
    """Score every case against its corpus; no evidence scores 0."""
    found = []
    for case in cases:
        sentence = Sentence("s1", case.claim, 0, len(case.claim), SentenceKind.CLAIM)
        (scored,) = nli.evidence_score([sentence], CorpusIndex(case.corpus))
        supported = max((one.scores.supported for one in scored or ()), default=0.0)
        refuted = max((one.scores.refuted for one in scored or ()), default=0.0)
        found.append(CaseScore(case, supported, refuted if refuted > supported else 0.0))
    return found


def veto_threshold(scores: Sequence[CaseScore], *, most_false: float) -> float:
    """Choose the least threshold that vetoes no more than this share of the supported cases."""
    own = [score.refuted for score in scores if score.case.is_supported]
    return _least_above(own, most_false)


def support_threshold(scores: Sequence[CaseScore], *, most_false: float) -> float:
    """Choose the least threshold that supports no more than this share of the other cases."""
    own = [score.supported for score in scores if not score.case.is_supported]
    return _least_above(own, most_false)


def support_rates(scores: Sequence[CaseScore], threshold: float) -> tuple[Rate, Rate]:
    """Give TPR and FPR of *supported* at a threshold."""
    positives = [score for score in scores if score.case.is_supported]
    negatives = [score for score in scores if not score.case.is_supported]
    return (
        Rate(sum(score.supported >= threshold for score in positives), len(positives)),
        Rate(sum(score.supported >= threshold for score in negatives), len(negatives)),
    )


def area_under_curve(scores: Sequence[CaseScore], *, against: frozenset[Truth]) -> float | None:
    """Give the chance that a supported case scores above one of these truths; ties count half."""
    up = [score.supported - score.refuted for score in scores if score.case.is_supported]
    down = [score.supported - score.refuted for score in scores if score.case.truth in against]
    if not up or not down:
        return None
    wins = sum((a > b) + 0.5 * (a == b) for a in up for b in down)
    return wins / (len(up) * len(down))


def _least_above(scores: Sequence[float], most_false: float) -> float:
    allowed = int(most_false * len(scores))
    ranked = sorted(scores, reverse=True)
    if len(ranked) <= allowed:
        return _LEAST
    # Just above the highest score that must not pass.
    return min(1.0, max(_LEAST, ranked[allowed] + 1e-6))
