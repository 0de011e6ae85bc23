from __future__ import annotations

from dataclasses import replace

import pytest

from apg_engine import Label, MemoryJournal, ModelSetupError
from apg_engine.auditors.ensemble import EnsembleAuditor, Member, Rule, disagreement_count
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.llm import ModelAuditor
from apg_engine.journal import CallLedger
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.measuring.cases import evidence_corpus
from apg_engine.stages.sentences import draft_sentences
from tests.apg_engine.auditors.auditing import verdict_by, verdicts_by
from tests.apg_engine.measuring.judges import RuleJudge
from tests.apg_engine.traces_for_tests import trace_of

YES, NO, NEI = Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ENOUGH_INFORMATION
OPEN, NONE = Label.UNDETERMINED, Label.NOT_AUDITED
CLAIM = "A fair plan serves everyone."


def member(label: Label, weight: float = 1.0, name: str = "") -> Member:
    return Member(RuleJudge(lambda *_: label, name=name or label.value), weight)


def ensemble(rule: Rule, *members: Member) -> EnsembleAuditor:
    return EnsembleAuditor(members, rule=rule)


@pytest.mark.parametrize(
    ("rule", "labels", "expected"),
    [
        ("unanimous", (YES, YES, YES), YES),
        ("unanimous", (YES, YES, OPEN), OPEN),
        ("unanimous", (NO, NO, NO), NO),
        ("unanimous", (NO, NEI, NO), OPEN),
        ("majority", (YES, YES, NO), YES),
        ("majority", (YES, NO, NEI), OPEN),
        ("majority", (YES, OPEN), OPEN),
        ("majority", (YES, YES, OPEN), YES),
        ("majority", (NEI, NEI, YES), NEI),
        ("veto", (YES, OPEN, OPEN), YES),
        ("veto", (YES, YES, NO), NO),
        ("veto", (YES, YES, NEI), NEI),
        ("veto", (OPEN, OPEN), OPEN),
        ("veto", (NEI, NO, YES), NO),
    ],
)
def test_each_rule_is_what_is_written(
    rule: Rule, labels: tuple[Label, ...], expected: Label
) -> None:
    verdict = verdict_by(ensemble(rule, *map(member, labels)), CLAIM, "It rains.")

    assert verdict.label is expected


@pytest.mark.parametrize("rule", ["unanimous", "majority", "veto"])
def test_a_claim_one_member_could_not_audit_is_not_audited(rule: Rule) -> None:
    verdict = verdict_by(ensemble(rule, *map(member, (YES, YES, NONE))), CLAIM, "It rains.")

    assert (verdict.label, verdict.failure) == (NONE, "timeout")


def test_disagreement_is_reported_and_not_averaged_away() -> None:
    judges = ensemble("majority", *map(member, (YES, YES, NO)))

    verdict = verdict_by(judges, CLAIM, "It rains.")

    assert [opinion.label for opinion in verdict.opinions] == [YES, YES, NO]
    assert "the judges disagree (supported: supported" in verdict.reason
    assert verdict.score is None
    assert disagreement_count([verdict]) == 1


def test_agreement_is_no_disagreement() -> None:
    verdict = verdict_by(ensemble("veto", *map(member, (YES, YES))), CLAIM, "It rains.")

    assert disagreement_count([verdict]) == 0
    assert verdict.reason == "by rule"


class TestWeights:
    def test_a_heavy_judge_outvotes_two_light_ones(self) -> None:
        judges = ensemble("majority", member(NO, 0.9), member(YES, 0.3), member(YES, 0.3))

        assert verdict_by(judges, CLAIM, "It rains.").label is NO

    def test_half_of_the_weight_is_no_majority(self) -> None:
        judges = ensemble("majority", member(YES, 0.5), member(NO, 0.25), member(NEI, 0.25))

        assert verdict_by(judges, CLAIM, "It rains.").label is OPEN

    def test_where_nobody_has_weight_all_weigh_the_same(self) -> None:
        judges = ensemble("majority", member(YES, 0.0), member(YES, 0.0), member(NO, 0.0))

        assert verdict_by(judges, CLAIM, "It rains.").label is YES

    @pytest.mark.parametrize("weight", [-0.1, float("nan"), float("inf")])
    def test_an_impossible_weight_is_refused(self, weight: float) -> None:
        with pytest.raises(ModelSetupError, match="weights"):
            ensemble("majority", member(YES, weight), member(YES))


def test_one_judge_is_no_ensemble() -> None:
    with pytest.raises(ModelSetupError, match="found 1 members"):
        ensemble("veto", member(YES))


@pytest.mark.parametrize("rule", ["majority", "veto"])
def test_a_deterministic_veto_stands_above_every_majority(rule: Rule) -> None:
    said = "The dry pump of the valley draws 9 MW at night."
    claim = "The dry pump of the valley draws 90 MW at night."
    ladder = Member(LadderAuditor(), 0.01)

    verdict = verdict_by(ensemble(rule, ladder, member(YES), member(YES)), claim, said)

    assert (verdict.label, verdict.decided_by) == (NO, "ladder: number veto")


def test_models_that_only_agree_with_each_other_meet_the_same_rules() -> None:
    said = "The dry pump of the valley draws 9 MW at night."
    claim = "The dry pump of the valley draws 90 MW at night."
    # These quote the first item of the corpus, which is the sentence itself here.
    judges = ensemble("unanimous", member(YES), member(YES))

    (verdict,) = verdicts_by(judges, claim, replace(trace_of("It rains."), crisis_context=said))

    assert (verdict.label, verdict.decided_by) == (NO, "veto: number")


def test_calls_of_several_models_are_journalled_one_after_the_other() -> None:
    answer = '{"verdicts": [{"id": "s1", "verdict": "undetermined", "evidence_for": [], '
    answer += '"evidence_against": [], "reason": ""}]}'
    members = [
        Member(ModelAuditor(ScriptedModel((answer,), name=name), temperature=0.0, max_tokens=99))
        for name in ("one", "two")
    ]
    journal = MemoryJournal()
    judges = EnsembleAuditor(members, rule="veto")
    corpus = evidence_corpus(["It rains."])
    for _ in range(2):
        judges.audit(sentences=draft_sentences(CLAIM), corpus=corpus, calls=CallLedger(journal))

    assert [record.request["model"]["name"] for record in journal.records] == ["one", "two"]


def test_name_and_identity_show_the_rule_the_members_and_their_weights() -> None:
    one = ensemble("veto", member(YES, 1.0, "a"), member(NO, 1.0, "b"))
    other = ensemble("majority", member(YES, 0.4, "a"), member(NO, 1.0, "b"))

    assert one.name == "ensemble (veto) of a; b"
    assert not one.offline
    assert one.identity != other.identity
