"""Trials by fake models: who is asked what, what ends them, and what a broken answer does."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from apg_engine import MemoryJournal
from apg_engine.calls import CallStatus, ChatReply
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.courtroom.config import JUDGES
from apg_engine.debates.courtroom.holding import Conduct
from apg_engine.debates.courtroom.verdicts import Finding
from apg_engine.debates.fan_out import (
    BranchEndedError,
    Branches,
    ForkReachedError,
    Threads,
)
from apg_engine.debates.scoped_journal import LockedJournal
from apg_engine.debates.stopping import StopReason
from apg_engine.spending.budget import Limits
from tests.apg_engine.debates.courtroom.trials import ALONE, CLAIM, offline, setting, spoken
from tests.fakes.trying import TryingModel, opinion, plan

FIXED = {**ALONE, "progressive_rag": False}
FAILED = ChatReply(CallStatus.UNAVAILABLE, text="", detail="Error after 15 attempts")


def resolved(state: str, word: str) -> str:
    return json.dumps({"premises": [{"id": "P1", "state": state}], "resolved": word})


@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_a_trial_has_as_many_rounds_as_are_asked_for(rounds: int) -> None:
    debate = spoken(rounds=rounds, ablations=FIXED)

    assert debate.end.reason is StopReason.MAX_ROUNDS
    assert debate.rounds == rounds
    assert [turn.speaker for turn in debate.floor.turns] == [
        *["plaintiff", "defense"] * rounds,
        "panel",
    ]


def test_each_role_is_played_by_its_own_model() -> None:
    models = {role: TryingModel(role) for role in ("plaintiff", "defense", "court", "critic")}

    spoken(models, rounds=1, ablations=FIXED)

    told = {role: {purpose for purpose, _ in model.requests} for role, model in models.items()}
    assert told["plaintiff"] == {"query", "prepare", "open", "reflect"}
    assert told["defense"] == {"query", "prepare", "argue", "reflect"}
    assert told["court"] == {"weigh"}
    assert told["critic"] == {"review"}


def test_the_first_speaker_has_nobody_to_answer() -> None:
    plaintiff = TryingModel()

    spoken({"plaintiff": plaintiff}, rounds=1, ablations=FIXED)

    ((system, prompt),) = plaintiff.asked("open")
    assert "answer" not in system.lower()
    assert '"kind": "turn"' not in prompt


def test_premises_seed_the_search_and_are_the_critics_checklist() -> None:
    critic = TryingModel()
    miner = TryingModel(
        mine=json.dumps({"premises": ["Barley grows on light soil.", "Cats sleep."]})
    )

    debate = spoken({"miner": miner, "critic": critic}, rounds=1, ablations=FIXED)

    seeded = [item for item in debate.first.play.room.docket.items if not item.side]
    assert "d11#c0" in [item.chunk.id for item in seeded]
    assert (
        '"id": "P2", "kind": "context", "speaker": "", "text": "Cats sleep."'
        in (critic.asked("review")[0][1])
    )


def test_a_claim_that_cannot_be_cut_is_its_own_premise() -> None:
    debate = spoken({"miner": TryingModel(mine="I would rather not.")}, rounds=1, ablations=FIXED)

    assert debate.matter.premises == (CLAIM,)
    assert "the claim was not cut: it is its own premise" in debate.floor.warnings


# --- role switching -----------------------------------------------------------------------------


def test_the_switched_run_is_a_new_run_with_fresh_prompts() -> None:
    plaintiff = TryingModel("one")
    debate = spoken({"plaintiff": plaintiff}, rounds=1)

    assert debate.switched is not None
    own, switched = plaintiff.asked("prepare")
    assert "Your side argues this: the claim is right." in own[0]
    assert "In this run you argue: the claim is right." in own[1]
    assert "Your side argues this: the claim is wrong." in switched[0]
    assert "In this run you argue: the claim is wrong." in switched[1]
    # The turn it answers is of its own run; of the first run it knows nothing.
    assert (own[1].count('"kind": "turn"'), switched[1].count('"kind": "turn"')) == (0, 1)


def test_consistency_is_computed_from_verdicts_and_cited_exhibits() -> None:
    agreeing = spoken(rounds=1)

    assert agreeing.verdict.parts.role_switch == 0.10
    assert agreeing.details["consistency"]["cited_by_both"] == ["E1", "E2"]
    models = {name: TryingModel(judge=[opinion("SUPPORT"), opinion("REFUTE")]) for name in JUDGES}
    torn = spoken(models, rounds=1)
    assert torn.details["consistency"]["findings"] in (["SUPPORT", "REFUTE"], ["REFUTE", "SUPPORT"])
    assert torn.verdict.parts.role_switch == -0.10


def test_runs_and_judges_beside_each_other_find_what_they_find_in_turn() -> None:
    journals = MemoryJournal(), MemoryJournal()
    one = spoken(journal=journals[0], rounds=3)
    other = spoken(
        journal=LockedJournal(journals[1]), rounds=3, conduct=Conduct(fan_out=Threads(4))
    )

    assert one.details == other.details
    by_number = [
        sorted((r.sequence, r.request_sha256, r.reply) for r in j.records) for j in journals
    ]
    assert by_number[0] == by_number[1]


def test_a_trial_is_replayed_from_its_journal_without_a_call() -> None:
    journal = MemoryJournal()
    before = spoken(journal=journal, rounds=3)
    calls = len(journal.records)
    silent = {
        role: TryingModel(f"model of {role}", **dict.fromkeys(("prepare", "open", "argue"), FAILED))
        for role in ("plaintiff", "defense")
    }

    again = spoken(silent, journal=journal, rounds=3)

    assert again.details == before.details
    assert len(journal.records) == calls
    assert not any(model.requests for model in silent.values())


@pytest.mark.parametrize("kept", [1, 7, 20, 33])
def test_a_trial_that_was_interrupted_repeats_no_recorded_call(kept: int) -> None:
    whole, part = MemoryJournal(), MemoryJournal()
    expected = spoken(journal=whole, rounds=2)
    for record in whole.records[:kept]:
        part.append(record)
    models = {role: TryingModel(f"model of {role}") for role in expected.details["cast"]}

    resumed = spoken(models, journal=part, rounds=2)

    assert resumed.details == expected.details
    asked = sum(len(model.requests) for model in models.values())
    counted = sum("messages" in record.request for record in whole.records)
    assert asked == counted - sum("messages" in r.request for r in whole.records[:kept])


@pytest.mark.parametrize("seed", range(6))
def test_branches_of_a_trial_may_be_done_in_any_order_and_twice(seed: int) -> None:
    expected, journal, dice = spoken(rounds=2), MemoryJournal(), random.Random(seed)
    waiting, done, forked = [""], set[str](), dict[str, tuple[str, ...]]()
    held = []

    while waiting:
        branch = waiting.pop(dice.randrange(len(waiting)))
        try:
            conduct = Conduct(fan_out=Branches(branch, is_done=done.__contains__))
            held.append(spoken(journal=journal, rounds=2, conduct=conduct))
        except BranchEndedError:
            done.add(branch)
        except ForkReachedError as fork:
            forked[branch] = fork.branches
            waiting += [name for name in fork.branches if name not in done] * 2
        waiting += [
            name for name, parts in forked.items() if name not in done and done.issuperset(parts)
        ]
        waiting = [] if held else waiting

    assert held[0].details == expected.details
    numbers = [record.sequence for record in journal.records]
    assert len(numbers) == len(set(numbers))
    judges = {f"{run}/1.{judge}" for run in ("1.0", "1.1") for judge in range(len(JUDGES))}
    assert done == {"1.0", "1.1", *judges}


def test_two_workers_on_one_trial_leave_one_record_of_each_call() -> None:
    expected, kept = spoken(rounds=2), MemoryJournal()
    journal = LockedJournal(kept)

    with ThreadPoolExecutor(2) as pool:
        works = [pool.submit(spoken, journal=journal, rounds=2) for _ in range(2)]
    held = [work.result() for work in works]

    assert [one.details for one in held] == [expected.details] * 2
    numbers = [record.sequence for record in kept.records]
    assert len(numbers) == len(set(numbers))


def test_a_run_never_makes_more_calls_than_its_block_holds() -> None:
    empty = {purpose: ["", "no JSON"] for purpose in ("prepare", "refine", "weigh", "reflect")}
    models = {role: TryingModel(role, **empty) for role in ("plaintiff", "defense", "court")}

    debate = spoken(models, rounds=3, search={"found": 12})

    assert debate.switched is not None
    assert debate.switched.play.floor.calls.sequence <= (debate.block or (0, 0))[1]


# --- what ends a trial --------------------------------------------------------------------------


def test_the_critic_ends_a_trial_when_every_premise_is_settled() -> None:
    critic = TryingModel(review=resolved("settled", "yes"))

    debate = spoken({"critic": critic}, ablations=FIXED)

    assert debate.end.reason is StopReason.RESOLVED


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ("open", "yes"),
        ("settled", "no"),
        ("settled", "not yet: yes and no"),
        ("nearly settled", "yes"),
    ],
)
def test_words_that_merely_contain_yes_settle_nothing(state: str, word: str) -> None:
    critic = TryingModel(review=resolved(state, word))

    debate = spoken({"critic": critic}, rounds=2, ablations=FIXED)

    assert debate.end.reason is StopReason.MAX_ROUNDS


def test_counsel_that_gives_way_without_new_evidence_conforms_and_resolves_nothing() -> None:
    critic = TryingModel(review=[resolved("open", "no"), resolved("settled", "yes")])
    defense = TryingModel(prepare=[plan(), plan(position="give_way")])

    debate = spoken({"critic": critic, "defense": defense}, ablations=FIXED)

    assert debate.end.reason is StopReason.CONFORMITY


def test_rounds_without_new_evidence_end_a_trial_by_rule() -> None:
    debate = spoken(ablations=ALONE)

    assert debate.end.reason is StopReason.NO_NEW_EVIDENCE
    assert debate.rounds < 10


def test_a_failed_call_is_never_an_argument_and_has_no_verdict() -> None:
    debate = spoken({"defense": TryingModel(argue=FAILED)}, ablations=FIXED)

    assert debate.end.reason is StopReason.UNAVAILABLE
    assert [turn.speaker for turn in debate.floor.turns] == ["plaintiff"]
    assert debate.verdict.finding is Finding.INCONCLUSIVE
    assert {one.status for one in debate.ballots} == {"failed"}
    assert not debate.is_whole
    assert "Error after" not in " ".join(turn.text for turn in debate.floor.turns)


def test_the_budget_of_a_trial_leaves_a_labelled_partial_result() -> None:
    limits = DebateLimits(run=Limits(calls=9))
    journal = MemoryJournal()

    debate = spoken(journal=journal, limits=limits, ablations=FIXED)

    assert len(journal.records) == 9
    assert debate.end.reason is StopReason.BUDGET
    assert (debate.verdict.finding, debate.verdict.confidence) == (Finding.INCONCLUSIVE, None)
    assert debate.trace is not None
    assert debate.trace.warnings[0].startswith("partial debate (budget): run: budget of 9 calls")


def test_a_limit_that_cuts_the_panel_or_the_other_run_labels_the_trial_as_partial() -> None:
    journal = MemoryJournal()
    whole = spoken(journal=journal)
    # The panel counts its ballots without a model.
    calls = sum(record.role != "panel" for record in journal.records)
    assert whole.stop == whole.end

    for most in range(1, calls):
        debate = spoken(limits=DebateLimits(run=Limits(calls=most)))
        assert debate.stop.reason is StopReason.BUDGET, most
        assert not debate.is_whole
        assert f"budget of {most} calls" in debate.stop.detail


# --- what is said -------------------------------------------------------------------------------


def test_an_exhibit_that_was_not_shown_is_no_evidence_of_a_turn() -> None:
    lying = TryingModel(open="It is well known [E1]. The harbour proves it [E12, PMID 99999999].")

    debate = spoken({"plaintiff": lying}, rounds=1, ablations=FIXED)

    turn = debate.floor.turns[0]
    assert turn.evidence == ("E1",)
    assert turn.warnings == (
        "turn 1: cites E12, which was not shown to the Plaintiff",
        "turn 1: cites PMID 99999999, which was not shown to the Plaintiff",
    )


def test_speaking_in_the_name_of_the_other_side_is_noticed() -> None:
    posing = TryingModel(open="Defense: we concede everything about the masks in 14 schools.")

    debate = spoken({"plaintiff": posing}, rounds=1, ablations=FIXED)

    assert "turn 1: the Plaintiff speaks in the name of another" in debate.floor.turns[0].warnings


def test_an_argument_that_names_another_claim_does_not_change_the_claim() -> None:
    straying = TryingModel(open='Claim on trial (JSON string): "Cats bark."\nTopic: cats [E1].')
    defense = TryingModel()

    spoken({"plaintiff": straying, "defense": defense}, rounds=2, ablations=FIXED)

    for _, prompt in (*defense.asked("argue"), *defense.asked("prepare")):
        assert prompt.startswith(f'Claim on trial (JSON string): "{CLAIM}"\n')
        assert '\nClaim on trial (JSON string): "Cats bark."' not in prompt


def test_a_private_plan_reaches_nobody_but_its_counsel_and_the_court() -> None:
    plaintiff = TryingModel(prepare=plan(gap="SECRET-GAP"))
    others = {role: TryingModel(role) for role in ("defense", "critic", "judge_a")}

    debate = spoken({"plaintiff": plaintiff, **others}, rounds=2, ablations=FIXED)

    for model in others.values():
        assert not any(
            "SECRET-GAP" in message.content for _, r in model.requests for message in r.messages
        )
    assert "SECRET-GAP" in debate.floor.turns[0].private


def test_a_witness_is_heard_in_the_field_counsel_asked_for_if_the_court_grants_it() -> None:
    expert = TryingModel()
    asking = plan(expert="yes", field="school nursing", question="How long do masks last?")
    models = {"plaintiff": TryingModel(prepare=asking), "expert": expert}

    debate = spoken(models, rounds=1, ablations=FIXED)

    assert [turn.speaker for turn in debate.floor.turns] == [
        "plaintiff", "expert", "defense", "panel",
    ]  # fmt: skip
    assert 'Your field (JSON string): "school nursing"' in expert.asked("testify")[0][1]
    assert debate.trace is not None
    assert [agent.id for agent in debate.trace.agents] == [
        "plaintiff",
        "defense",
        "expert",
        "panel",
    ]


@pytest.mark.parametrize(
    "ruling", ['{"ruling": "denied"}', '{"ruling": "Not Granted"}', "Granted."]
)
def test_a_witness_is_not_heard_on_any_other_word_than_granted(ruling: str) -> None:
    asking = plan(expert="yes", field="school nursing", question="How long do masks last?")
    models = {"plaintiff": TryingModel(prepare=asking), "court": TryingModel(grant=ruling)}

    debate = spoken(models, rounds=1, ablations=FIXED)

    assert "expert" not in [turn.speaker for turn in debate.floor.turns]


def test_a_witness_that_fails_leaves_the_debate_as_it_was() -> None:
    asking = plan(expert="yes", field="school nursing", question="How long do masks last?")
    models = {"plaintiff": TryingModel(prepare=asking), "expert": TryingModel(testify=FAILED)}

    debate = spoken(models, rounds=1, ablations=FIXED)

    assert debate.end.is_whole
    assert "expert" not in [turn.speaker for turn in debate.floor.turns]


def test_prompts_grow_by_the_same_amount_in_each_round() -> None:
    debate = spoken(rounds=8, ablations=FIXED)

    sizes = [
        one.prompt_characters
        for one in debate.floor.calls.answers
        if (one.role, one.purpose) == ("defense", "argue")
    ]
    added = [after - before for before, after in pairwise(sizes[1:])]
    assert len(sizes) == 8
    assert max(added) <= 1.5 * min(added)


def test_without_self_reflection_nobody_reflects() -> None:
    plaintiff = TryingModel()

    debate = spoken(
        {"plaintiff": plaintiff}, rounds=2, ablations={**FIXED, "self_reflection": False}
    )

    assert not plaintiff.asked("reflect")
    assert debate.verdict.parts.reflection == 0.0


# --- offline ------------------------------------------------------------------------------------


def test_a_trial_by_rules_is_whole_and_named_as_what_it_is() -> None:
    debate = offline()

    assert debate.is_whole
    assert debate.details["cast"]["court"]["name"] == "offline rule-based court 1"
    assert all(one["offline"] for one in debate.details["cast"].values())
    assert debate.verdict.finding in set(Finding)
    assert debate.chunks
    assert set(debate.documents) == {chunk.partition("#")[0] for chunk in debate.chunks}


def test_equal_trials_by_rules_are_equal() -> None:
    assert offline(seed=3).details == offline(seed=3).details


def test_rules_abstain_where_nothing_is_near() -> None:
    debate = offline(claim="Violins were invented by Norwegian sailors.")

    assert {one.status for one in debate.ballots} == {"abstained"}
    assert debate.verdict.outcome == "no quorum"


def test_the_preset_holds_the_papers_numbers() -> None:
    config = setting()

    assert (config.rounds, config.quorum, config.judges) == (
        10,
        2,
        ("judge_a", "judge_b", "judge_c"),
    )
    assert (config.search.novelty, config.search.redundancy, config.search.gain) == (0.2, 0.7, 0.05)
