from __future__ import annotations

from apg_engine import Label
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.ladder_nli import VetoedLadder
from apg_engine.auditors.nli import NliAuditor
from apg_engine.auditors.nli_scoring import PairScores
from apg_engine.auditors.nli_settings import NliSettings
from tests.apg_engine.auditors.auditing import verdict_by
from tests.apg_engine.auditors.scorers import NOTHING, REFUTES, SUPPORTS, RuleScorer

SAID = "The dry pump of the valley has been quite still since the last flood in May."
NEAR = "The dry pump of the valley has been still since the last flood in May."


def ladder_with(scores: PairScores) -> VetoedLadder:
    return VetoedLadder(NliAuditor(RuleScorer(lambda *_: scores), NliSettings()))


def test_it_may_refuse_a_near_quote() -> None:
    assert verdict_by(LadderAuditor(), NEAR, SAID).decided_by == "ladder: near-verbatim"

    verdict = verdict_by(ladder_with(REFUTES), NEAR, SAID)

    assert verdict.label is Label.CONTRADICTED
    assert verdict.opposing[0].text == SAID


def test_a_near_quote_is_held_against_its_own_sentence_only() -> None:
    other = "The dry pump of the valley has been running since the last flood in May."
    torn = VetoedLadder(
        NliAuditor(
            RuleScorer(lambda evidence, _: REFUTES if "running" in evidence else NOTHING),
            NliSettings(),
        )
    )

    assert verdict_by(torn, NEAR, SAID, other).label is Label.SUPPORTED


def test_a_verbatim_quote_is_beyond_its_reach() -> None:
    assert verdict_by(ladder_with(REFUTES), SAID, SAID).label is Label.SUPPORTED


def test_what_the_ladder_leaves_open_it_can_contradict_but_never_support() -> None:
    claim = "The dry pump of the valley hums since the flood."

    assert verdict_by(LadderAuditor(), claim, SAID).label is Label.UNDETERMINED
    assert verdict_by(ladder_with(REFUTES), claim, SAID).label is Label.CONTRADICTED
    assert verdict_by(ladder_with(SUPPORTS), claim, SAID).label is Label.UNDETERMINED


def test_a_rule_is_not_asked_about_again() -> None:
    claim = "The dry pump of the valley has not been still since the last flood in May."
    scorer = RuleScorer(lambda *_: SUPPORTS)

    verdict = verdict_by(VetoedLadder(NliAuditor(scorer, NliSettings())), claim, SAID)

    assert verdict.decided_by == "ladder: negation veto"
    assert scorer.seen == []


def test_the_result_names_the_model() -> None:
    ladder = ladder_with(NOTHING)

    assert ladder.name.endswith("with veto by nli rule dddddddd (uncalibrated)")
    assert ladder.offline
    assert ladder.identity != LadderAuditor().identity
