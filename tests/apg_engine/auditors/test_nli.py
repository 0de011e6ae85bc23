from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from apg_engine import Label, ModelSetupError
from apg_engine.auditors.nli import NliAuditor
from apg_engine.auditors.nli_scoring import PairScores
from apg_engine.auditors.nli_settings import NliSettings
from tests.apg_engine.auditors.auditing import verdict_by, verdicts_by
from tests.apg_engine.auditors.scorers import NOTHING, REFUTES, SUPPORTS, RuleScorer
from tests.apg_engine.traces_for_tests import trace_of

SAID = ("The dry pump of the valley rests.", "The wet fan turns.")
CLAIM = "The dry pump of the valley runs."


def auditor_by(scores: PairScores, **settings: Any) -> NliAuditor:
    return NliAuditor(RuleScorer(lambda *_: scores), NliSettings(**settings))


def test_by_default_it_never_supports() -> None:
    verdict = verdict_by(auditor_by(SUPPORTS), CLAIM, *SAID)

    assert verdict.label is Label.UNDETERMINED
    assert verdict.score == pytest.approx(0.98)
    assert verdict.nearest


def test_a_contradiction_shows_the_span_the_score_and_who_denies_it() -> None:
    verdict = verdict_by(auditor_by(REFUTES), CLAIM, *SAID)

    assert verdict.label is Label.CONTRADICTED
    assert [(quote.address, quote.text) for quote in verdict.opposing] == [("T1.1", SAID[0])]
    assert verdict.denies == ("water",)
    assert "0.98, threshold 0.95" in verdict.reason


@pytest.mark.parametrize(
    ("threshold", "label"), [(0.98, Label.CONTRADICTED), (0.99, Label.UNDETERMINED)]
)
def test_the_threshold_decides(threshold: float, label: Label) -> None:
    assert verdict_by(auditor_by(REFUTES, contradicted=threshold), CLAIM, *SAID).label is label


def test_what_another_sentence_supports_more_strongly_is_not_contradicted() -> None:
    said = ("The dry pump of the valley rests.", "The dry pump of the valley runs all day.")
    torn = NliAuditor(
        RuleScorer(
            lambda evidence, _: PairScores(0.99, 0.0, 0.01) if "runs" in evidence else REFUTES
        ),
        NliSettings(),
    )

    assert verdict_by(torn, CLAIM, *said).label is Label.UNDETERMINED
    assert verdict_by(torn, CLAIM, said[0], "It rains.").label is Label.CONTRADICTED


def test_evidence_that_is_off_the_point_can_be_told_from_doubt() -> None:
    assert verdict_by(auditor_by(NOTHING), CLAIM, *SAID).label is Label.UNDETERMINED
    verdict = verdict_by(auditor_by(NOTHING, not_enough=0.9), CLAIM, *SAID)

    assert verdict.label is Label.NOT_ENOUGH_INFORMATION


def test_a_claim_with_no_word_in_common_is_left_open_without_asking() -> None:
    scorer = RuleScorer(lambda *_: REFUTES)

    verdict = verdict_by(NliAuditor(scorer, NliSettings()), "Paris glitters.", *SAID)

    assert (verdict.label, scorer.seen) == (Label.UNDETERMINED, [])


def test_a_claim_too_long_for_the_model_is_left_open() -> None:
    claim = f"The dry pump of the valley runs{', day after day' * 150}."

    verdict = verdict_by(auditor_by(REFUTES), claim, *SAID)

    assert verdict.label is Label.UNDETERMINED
    assert verdict.reason == "the sentence is too long for the model"


@pytest.mark.parametrize("place", ["start", "middle", "end"])
def test_a_fact_anywhere_in_a_very_long_sentence_is_seen(place: str) -> None:
    filler = "the list of the valley goes on item after item " * 90
    fact = "the dry pump rests"
    said = {
        "start": f"{fact} and {filler}.",
        "middle": f"{filler} and {fact} and {filler}.",
        "end": f"{filler} and {fact}.",
    }[place]
    sees = NliAuditor(
        RuleScorer(lambda evidence, _: REFUTES if fact in evidence else NOTHING), NliSettings()
    )

    verdict = verdict_by(sees, CLAIM, said)

    assert verdict.label is Label.CONTRADICTED
    assert fact in verdict.opposing[0].text


def test_windows_join_a_sentence_with_its_neighbours() -> None:
    said = "The dry pump of the valley is old. Since May it rests. It rains."
    joined = NliAuditor(
        RuleScorer(
            lambda evidence, _: (
                REFUTES if "dry pump" in evidence and "rests" in evidence else NOTHING
            )
        ),
        NliSettings(aggregation="windows"),
    )

    verdict = verdict_by(joined, CLAIM, said)

    assert verdict.label is Label.CONTRADICTED
    assert verdict.opposing[0].address == "T1"
    assert verdict_by(auditor_by(NOTHING), CLAIM, said).label is Label.UNDETERMINED


def test_private_traces_are_no_evidence_and_are_not_shown() -> None:
    scorer = RuleScorer(lambda *_: NOTHING)
    private = "The dry pump of the valley rests."
    trace = trace_of("It rains.", "It snows.", private=(private,))

    (verdict,) = verdicts_by(NliAuditor(scorer, NliSettings()), CLAIM, trace)

    assert private not in [pair.evidence for pair in scorer.seen]
    assert [quote.address for quote in verdict.nearest] == ["C1.1"]


def test_the_order_of_turns_changes_no_label() -> None:
    judge = NliAuditor(
        RuleScorer(lambda evidence, _: REFUTES if "rests" in evidence else NOTHING), NliSettings()
    )
    base = trace_of(*SAID, "The pump is dry.", "The valley is dry and the pump is old.")
    expected = [verdict.label for verdict in verdicts_by(judge, CLAIM, base)]
    for seed in range(4):
        turns = list(base.turns)
        random.Random(seed).shuffle(turns)
        shuffled = replace(
            base, turns=tuple(replace(turn, number=n) for n, turn in enumerate(turns, start=1))
        )

        assert [verdict.label for verdict in verdicts_by(judge, CLAIM, shuffled)] == expected


class TestWhereTheModelMaySupport:
    def test_it_supports_with_a_quote_and_who_asserts_it(self) -> None:
        verdict = verdict_by(auditor_by(SUPPORTS, supported=0.9), "The pump rests now.", *SAID)

        assert verdict.label is Label.SUPPORTED
        assert verdict.asserts == ("water",)
        assert verdict.supporting[0].address == "T1.1"

    def test_a_deterministic_veto_stands_above_it(self) -> None:
        said = "The dry pump of the valley draws 9 MW at night."
        claim = "The dry pump of the valley draws 90 MW at night."

        verdict = verdict_by(auditor_by(SUPPORTS, supported=0.9), claim, said)

        assert verdict.label is Label.CONTRADICTED
        assert verdict.decided_by == "veto: number"
        assert (verdict.claimed, verdict.opposing[0].text) == ("90", said)


def test_thresholds_of_another_model_are_refused() -> None:
    with pytest.raises(ModelSetupError, match="thresholds were measured with model aaaaaaaaaaaa"):
        auditor_by(NOTHING, model_sha256="a" * 64)


def test_name_and_identity_tell_one_setting_from_another() -> None:
    plain, other = auditor_by(NOTHING), auditor_by(NOTHING, contradicted=0.6)
    measured = auditor_by(NOTHING, model_sha256="d" * 64)

    assert plain.name == "nli rule dddddddd (uncalibrated)"
    assert measured.name == "nli rule dddddddd (calibrated)"
    assert len({plain.identity, other.identity, measured.identity}) == 3
