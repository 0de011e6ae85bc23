"""The judges: what they see, what a broken ballot is, and the releases' departures."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from apg_engine import MemoryJournal
from apg_engine.calls import CallStatus, ChatReply
from apg_engine.config import ModelSpec
from apg_engine.debates.courtroom.ballots import DIMENSIONS
from apg_engine.debates.courtroom.casting import Cast, cast_build
from apg_engine.debates.courtroom.config import JUDGES
from apg_engine.debates.courtroom.families import family_of
from apg_engine.debates.courtroom.rule_judges import rule_judge
from apg_engine.debates.courtroom.verdicts import Finding
from apg_engine.errors import ConfigError
from tests.apg_engine.debates.courtroom.trials import (
    ALONE,
    TEXTS,
    cast_of,
    hold,
    judged,
    setting,
    spoken,
)
from tests.fakes.debating import rows_of
from tests.fakes.trying import Rows, TryingModel, opinion

FIXED = {**ALONE, "progressive_rag": False}


def test_judges_see_every_exhibit_in_full_and_no_side_no_score_and_no_reflection() -> None:
    judge = TryingModel()
    naming = TryingModel(open="As the Plaintiff I say that the defense errs about 14 schools [E1].")

    spoken({"judge_b": judge, "plaintiff": naming}, rounds=2, ablations=FIXED)

    ((system, prompt),) = judge.asked("judge")
    assert TEXTS[0] in prompt
    assert TEXTS[1] in prompt
    for word in ("plaintiff", "defense", "reflection", "critic", "confidence"):
        assert word not in (system + prompt).lower()
    assert '"speaker": "Side 1"' in prompt
    assert '"speaker": "Side 2"' in prompt


def test_judges_do_not_see_each_other() -> None:
    judge = TryingModel()
    other = TryingModel(judge=opinion("REFUTE", reason="UNIQUE-REASON"))

    spoken({"judge_a": other, "judge_c": judge}, rounds=1, ablations=FIXED)

    assert "UNIQUE-REASON" not in judge.asked("judge")[0][1]


def first_side_wins(rows: Rows, _: str) -> str:
    """Find for whoever stands first among the turns: T1 is the plaintiff's."""
    turns = [row["id"] for row in rows if row["kind"] == "turn"]
    return opinion("SUPPORT" if turns[0] == "T1" else "REFUTE")


def test_both_orders_exchange_names_and_turns_and_tell_who_flips() -> None:
    steady, partial = TryingModel(judge=opinion("SUPPORT")), TryingModel(judge=first_side_wins)
    silent = TryingModel(judge=[opinion("SUPPORT"), "I would rather not."])
    models = {"judge_a": steady, "judge_b": partial, "judge_c": silent}

    debate = spoken(models, rounds=2, ablations=FIXED, both_orders=True)

    assert [one.exchanged for one in debate.ballots] == ["SUPPORT", "REFUTE", "unparsed"]
    assert debate.verdict.votes == {"SUPPORT": 3}
    one, other = (rows_of(prompt) for _, prompt in steady.asked("judge"))
    spoke = [(row["id"], row["speaker"]) for row in one if row["kind"] == "turn"]
    exchanged = [(row["id"], row["speaker"]) for row in other if row["kind"] == "turn"]
    assert [id_ for id_, _ in spoke] == ["T1", "T2", "T3", "T4"]
    assert [id_ for id_, _ in exchanged] == ["T2", "T1", "T4", "T3"]
    assert all(dict(spoke)[id_] != name for id_, name in exchanged)


def test_a_ballot_in_the_other_order_has_a_number_behind_those_that_count() -> None:
    journals = MemoryJournal(), MemoryJournal()

    for journal, both in zip(journals, (False, True), strict=True):
        spoken(journal=journal, rounds=1, ablations=FIXED, both_orders=both)

    once, twice = ({r.sequence: r.request_sha256 for r in one.records} for one in journals)
    announced = max(once)
    assert {number: sent for number, sent in once.items() if number != announced} == {
        number: sent for number, sent in twice.items() if number < announced
    }
    assert len(twice) == len(once) + len(JUDGES)


def test_equal_prompts_to_three_judges_are_three_calls() -> None:
    same = TryingModel("one model")

    spoken(dict.fromkeys(JUDGES, same), rounds=1, ablations=FIXED)

    assert len(same.asked("judge")) == 3


def test_a_judge_that_fails_stays_in_the_denominator() -> None:
    failed = ChatReply(CallStatus.UNAVAILABLE, text="", detail="gone")
    debate = judged(opinion("REFUTE"), opinion("REFUTE"), failed)

    assert debate.verdict.finding is Finding.REFUTE
    assert (debate.verdict.votes, debate.verdict.eligible) == ({"REFUTE": 2}, 3)
    assert [one.status for one in debate.ballots] == ["voted", "voted", "failed"]
    assert "by two of three judges" in debate.floor.turns[-1].text


def scored(value: object) -> str:
    scores = {**dict.fromkeys(DIMENSIONS, 5), DIMENSIONS[0]: value}
    return json.dumps({"finding": "SUPPORT", "scores": scores, "cited": [], "reason": "so"})


@pytest.mark.parametrize(
    "answer",
    [
        "I cannot support the proposal, yet I would not refute it.",
        opinion("supported"),
        opinion("INCONCLUSIVE"),
        scored(float("nan")),
        scored(True),
        scored(11),
        scored("7"),
        json.dumps({"finding": "SUPPORT", "cited": [], "reason": "so"}),
        opinion("SUPPORT", cited=["E999"]),
        f"My finding: {opinion('SUPPORT')}",
    ],
)
def test_an_answer_that_is_no_ballot_is_unparsed_and_no_vote(answer: str) -> None:
    debate = judged(answer, opinion("REFUTE"), opinion("REFUTE"))

    assert debate.ballots[0].status == "unparsed"
    assert debate.verdict.votes == {"REFUTE": 2}


def test_a_refusal_and_an_abstention_are_statuses_and_too_few_votes_find_nothing() -> None:
    refusal = ChatReply(CallStatus.REFUSED, text="", detail="I will not")
    debate = judged(refusal, opinion("ABSTAIN"), opinion("SUPPORT"))

    assert [one.status for one in debate.ballots] == ["refused", "abstained", "voted"]
    assert (debate.verdict.finding, debate.verdict.outcome) == (Finding.INCONCLUSIVE, "no quorum")
    assert debate.verdict.confidence is None
    assert debate.is_whole


def test_an_answer_in_the_reasoning_channel_is_no_ballot() -> None:
    empty = ChatReply(CallStatus.EMPTY, text="", detail="the text is in the reasoning")
    debate = judged(empty, opinion("SUPPORT"), opinion("SUPPORT"))

    assert debate.ballots[0].status == "failed"
    assert debate.verdict.votes == {"SUPPORT": 2}


def test_a_judge_with_a_small_context_votes_on_what_it_was_shown_and_cites_nothing_else() -> None:
    shown: list[str] = []

    def voting(rows: Rows, _: str) -> str:
        shown[:] = [row["id"] for row in rows if row["kind"] == "document"]
        return opinion("SUPPORT", cited=["E2"])

    models = {judge: TryingModel(judge, judge=voting) for judge in JUDGES}
    debate = spoken(models, rounds=1, ablations=FIXED, context_tokens=850)

    assert "E2" not in shown
    assert [one.status for one in debate.ballots] == ["unparsed"] * 3
    assert debate.ballots[0].reason == "it cites E2, which its prompt had no room for"


def test_one_judge_is_a_panel_of_one() -> None:
    debate = spoken(rounds=1, ablations={**FIXED, "judges": 1})

    assert [one.judge for one in debate.ballots] == ["judge_a"]
    assert debate.verdict.eligible == 1


def test_a_longer_argument_of_one_side_does_not_change_what_rules_find() -> None:

    def tried(padding: str) -> list[Finding | None]:
        talker = TryingModel(argue=lambda *_: f"It is not so [E2]. {padding}")
        cast = cast_of({"defense": talker})
        seats = {**cast.seats, **{judge: rule_judge(judge) for judge in JUDGES}}
        debate = hold(setting(rounds=1, ablations=FIXED), replace(cast, seats=seats))
        return [one.finding for one in debate.ballots]

    assert tried("") == tried("Masks do not reduce the spread of influenza in schools. " * 40)


# --- independence -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("deepseek/deepseek-r1", "deepseek"),
        ("deepseek-v3.2", "deepseek"),
        ("nousresearch/hermes-3-llama-405b", "llama"),
        ("meta-llama/Llama-3.1-8B", "llama"),
        ("gpt-5-mini", "gpt"),
        ("Qwen3-235b", "qwen"),
        ("mixtral-8x7b", "mistral"),
    ],
)
def test_a_models_family_is_told_by_its_name(name: str, family: str) -> None:
    assert family_of(ModelSpec(kind="openai", name=name), role="judge_a") == family


def panel(*names: str, same_family: bool = False, plaintiff: str = "gpt-5") -> Cast:
    def spec(name: str) -> ModelSpec:
        return ModelSpec(kind="openai", name=name, base_url="http://127.0.0.1:9/v1")

    roles = {judge: spec(name) for judge, name in zip(JUDGES, names, strict=True)}
    config = setting(roles={**roles, "plaintiff": spec(plaintiff)}, same_family=same_family)
    return cast_build(config, environment={})


def test_judges_of_one_family_are_refused_unless_that_is_wanted() -> None:
    names = ("deepseek-r1", "deepseek-v3.2", "qwen3")

    with pytest.raises(ConfigError, match="judge_a, judge_b of the family deepseek"):
        panel(*names)
    cast = panel(*names, same_family=True)
    assert "no independent panel" in cast.warnings[0]


def test_a_judge_of_a_debaters_family_is_reported() -> None:
    cast = panel("deepseek-r1", "llama-3", "qwen3", plaintiff="qwen3-8b")

    assert cast.warnings == ("judge_c is of the family of plaintiff (qwen)",)
