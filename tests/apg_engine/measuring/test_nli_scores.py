from __future__ import annotations

import pytest

from apg_engine.auditors.nli import NliAuditor
from apg_engine.auditors.nli_scoring import Pair, PairScores
from apg_engine.auditors.nli_settings import NliSettings
from apg_engine.measuring.cases import Case, Truth, evidence_corpus
from apg_engine.measuring.nli_scores import (
    CaseScore,
    RememberingScorer,
    area_under_curve,
    cases_score,
    support_rates,
    support_threshold,
    veto_threshold,
)
from tests.apg_engine.auditors.scorers import RuleScorer

CORPUS = evidence_corpus(["The pump rests."])


def scored(truth: Truth, supported: float = 0.0, refuted: float = 0.0) -> CaseScore:
    return CaseScore(Case("c", "The pump runs.", CORPUS, truth, "g"), supported, refuted)


def test_a_case_has_the_strongest_score_of_each_side() -> None:
    cases = [
        Case("a", "The pump runs.", evidence_corpus(["The pump rests. The pump runs."]),
             Truth.SUPPORTED, "a"),
        Case("b", "The pump runs.", evidence_corpus(["The pump rests."]), Truth.REFUTED, "b"),
        Case("c", "The pump runs.", evidence_corpus(["It rains."]), Truth.NOT_ENOUGH, "c"),
    ]  # fmt: skip
    rule = RuleScorer(
        lambda evidence, _: (
            PairScores(0.9, 0.05, 0.05) if "runs" in evidence else PairScores(0.1, 0.8, 0.1)
        )
    )

    found = cases_score(cases, NliAuditor(rule, NliSettings()))

    assert [(one.supported, one.refuted) for one in found] == [(0.9, 0.0), (0.1, 0.8), (0.0, 0.0)]


def test_thresholds_let_no_more_through_than_was_asked() -> None:
    supported = [scored(Truth.SUPPORTED, refuted=n / 100) for n in range(100)]
    other = [scored(Truth.REFUTED, supported=n / 100) for n in range(100)]

    veto = veto_threshold([*supported, *other], most_false=0.05)
    support = support_threshold([*supported, *other], most_false=0.05)

    assert sum(one.refuted >= veto for one in supported) == 5
    tpr, fpr = support_rates([*supported, *other], support)
    assert (tpr.hits, fpr.hits) == (0, 5)


def test_no_threshold_is_under_one_half() -> None:
    assert veto_threshold([scored(Truth.SUPPORTED)] * 40, most_false=0.05) == 0.5
    assert support_threshold([], most_false=0.05) == 0.5


def test_the_area_is_one_half_without_and_one_with_perfect_order() -> None:
    refuted = frozenset({Truth.REFUTED})
    perfect = [scored(Truth.SUPPORTED, 0.9), scored(Truth.REFUTED, 0.1, 0.8)]
    blind = [scored(Truth.SUPPORTED, 0.5), scored(Truth.REFUTED, 0.5)]

    assert area_under_curve(perfect, against=refuted) == 1.0
    assert area_under_curve(blind, against=refuted) == 0.5
    assert area_under_curve(blind[:1], against=refuted) is None


def test_a_pair_is_scored_once() -> None:
    rule = RuleScorer(lambda *_: PairScores(0.2, 0.3, 0.5))
    remembering = RememberingScorer(rule)
    pairs = [Pair("a", "b"), Pair("c", "d"), Pair("a", "b")]

    first, second = remembering.score(pairs), remembering.score(pairs)

    assert first == second == [PairScores(0.2, 0.3, 0.5)] * 3
    assert rule.seen == pairs[:2]
    assert remembering.token_spans("a b") == [(0, 1), (2, 3)]
    assert remembering.sha256 == rule.sha256


@pytest.mark.parametrize("missing", ["supported", "rest"])
def test_rates_need_cases_of_both_sorts(missing: str) -> None:
    truth = Truth.REFUTED if missing == "supported" else Truth.SUPPORTED
    tpr, fpr = support_rates([scored(truth, 0.9)], 0.5)

    assert (tpr if missing == "supported" else fpr).value is None
