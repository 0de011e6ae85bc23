"""Trials by fake models: who is asked what, and what ends a trial."""

from __future__ import annotations

import json

import pytest

from apg_engine import MemoryJournal
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.courtroom.verdicts import Finding
from apg_engine.debates.stopping import StopReason
from apg_engine.spending.budget import Limits
from tests.apg_engine.debates.courtroom.shortened import FAILED, FIXED
from tests.apg_engine.debates.courtroom.trials import ALONE, CLAIM, spoken
from tests.fakes.trying import TryingModel, plan


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
