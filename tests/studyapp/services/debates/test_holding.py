"""Debates in the database: held once, by however many workers, in whatever order they come."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from studyapp.errors import (
    DebateError,
    DefinitionError,
    EvidenceRefusedError,
    FrozenError,
    IllegalMoveError,
)
from studyapp.models import (
    BranchState,
    DebateBranch,
    DebateRun,
    Event,
    EvidenceCorpus,
    ModelCall,
    RunState,
    Scenario,
    Study,
)
from studyapp.seams import engine
from studyapp.seams.debates import CommitteeWish, TrialWish
from studyapp.services.debates import (
    branch_execute,
    branches_sweep,
    debate_cancel,
    debate_retry,
    debate_take,
    trials_request,
)
from studyapp.services.leasing import MAX_ATTEMPTS
from studyapp.services.study import UploadedFile, study_generate, texts_generate
from tests.studyapp.debates import START, Clock, WorkerKilled
from tests.studyapp.held import committee_queued, draft_new, held, trial_queued

pytestmark = pytest.mark.django_db

_LATER = START + timedelta(hours=1)


@pytest.fixture(autouse=True)
def _place(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def study_id() -> int:
    return draft_new()


class TestCommittee:
    def test_its_trace_is_a_scenario_whose_texts_are_generated_like_any_other(
        self, study_id: int
    ) -> None:
        debate = held(committee_queued(study_id))

        scenario = Scenario.objects.get(study_id=study_id)
        assert (debate.state, debate.scenario_id) == (RunState.FINISHED, scenario.pk)
        assert len(scenario.trace.content["turns"]) == 6
        config = engine.config_preset("offline")
        (run,) = study_generate(study_id=study_id, config=config, actor_id=None, now=START)
        texts_generate(run_id=run, now=Clock(), environment={})
        scenario.refresh_from_db()
        assert scenario.pair is not None

    def test_its_trace_says_which_rules_and_which_seed_made_it(self, study_id: int) -> None:
        debate = held(committee_queued(study_id))

        assert debate.trace is not None
        produced = debate.trace.produced
        assert (produced["system"], produced["seed"]) == ("committee", 126)
        assert produced["model_calls"] == 0
        assert all(speaker["offline"] for speaker in produced["speakers"])
        assert produced["stop"] == {"reason": "max_rounds", "is_whole": True}

    def test_every_step_stands_in_the_log(self, study_id: int) -> None:
        held(committee_queued(study_id))

        kinds = Event.objects.order_by("pk").values_list("kind", flat=True)
        assert list(kinds)[-3:] == ["debate.requested", "scenario.added", "debate.finished"]

    @pytest.mark.parametrize("turns", [4, 93])
    def test_turns_that_cannot_be_shared_out_are_refused(self, study_id: int, turns: int) -> None:
        with pytest.raises(DefinitionError, match="turns"):
            committee_queued(study_id, CommitteeWish(turns=turns))
        assert not DebateRun.objects.exists()

    def test_none_is_asked_for_once_the_study_is_launched(self, study_id: int) -> None:
        Study.objects.update(opened_at=START)
        with pytest.raises(FrozenError):
            committee_queued(study_id)

    def test_a_study_launched_meanwhile_is_left_alone_and_the_trace_kept(
        self, study_id: int
    ) -> None:
        trunk = committee_queued(study_id)
        Study.objects.update(opened_at=START)

        debate = held(trunk)

        assert (debate.state, debate.scenario) == (RunState.FINISHED, None)
        assert debate.trace is not None


class TestTrial:
    def test_runs_and_judges_go_to_workers_of_their_own(self, study_id: int) -> None:
        debate = held(trial_queued(study_id))

        names = set(debate.branches.values_list("name", flat=True))
        judges = {f"{run}/1.{judge}" for run in ("1.0", "1.1") for judge in range(3)}
        assert names == {"", "1.0", "1.1", *judges}
        assert debate.record is not None
        assert debate.record["verdict"]["finding"] == "SUPPORT"
        assert debate.record["switched_run"] is not None
        assert not debate.branches.exclude(state=BranchState.FINISHED).exists()

    @pytest.mark.parametrize("seed", range(4))
    def test_the_order_of_messages_and_their_number_change_nothing(
        self, study_id: int, seed: int
    ) -> None:
        expected = held(trial_queued(study_id))

        debate = held(trial_queued(draft_new("Another")), seed=seed, times=2)

        assert debate.record == expected.record
        assert _calls(debate) == _calls(expected)

    def test_without_exchanged_sides_the_judges_alone_fork(self, study_id: int) -> None:
        trunk = trial_queued(study_id)
        config = DebateRun.objects.get().config
        config["ablations"]["role_switching"] = False
        DebateRun.objects.update(config=config)

        debate = held(trunk)

        assert set(debate.branches.values_list("name", flat=True)) == {"", "1.0", "1.1", "1.2"}

    def test_the_released_preset_holds_its_first_panel_after_both_runs(self, study_id: int) -> None:
        debate = held(trial_queued(study_id, TrialWish(preset="proclaim_as_released", rounds=1)))

        assert debate.state == RunState.FINISHED
        assert {"2.0", "2.1", "2.2"} <= set(debate.branches.values_list("name", flat=True))

    def test_one_corpus_is_stored_once(self, study_id: int) -> None:
        trial_queued(study_id)
        trial_queued(study_id)

        assert EvidenceCorpus.objects.count() == 1

    def test_a_document_s_unstorable_characters_are_replaced(self, study_id: int) -> None:
        file = UploadedFile("papers.jsonl", b'{"id": "a", "text": "x\\u0000y"}')

        trials_request(
            study_id=study_id,
            claims=["Masks help."],
            corpus=file,
            wish=TrialWish(),
            actor_id=None,
            now=START,
        )

        assert EvidenceCorpus.objects.get().documents[0]["text"] == "x\ufffdy"

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"", "no line"),
            (b'{"id": "a"}', "line 1: text"),
            (b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', "each id once"),
            (b"\xff", "UTF-8"),
            (b"[" * 200_000, "line 1: found"),
            (b'{"id": "a", "text": "x", "more": ' + b"[" * 99_999, "line 1: found"),
            (b'\n\n{"id": "a"}', "line 3: text"),
        ],
    )
    def test_a_corpus_that_cannot_be_read_is_refused(
        self, study_id: int, data: bytes, said: str
    ) -> None:
        with pytest.raises(EvidenceRefusedError, match=said):
            trials_request(
                study_id=study_id,
                claims=["Masks help."],
                corpus=UploadedFile("papers.jsonl", data),
                wish=TrialWish(),
                actor_id=None,
                now=START,
            )
        assert not DebateRun.objects.exists()


class TestWorkers:
    @pytest.mark.parametrize("reading", [3, 8, 20, 33])
    def test_a_killed_worker_s_debate_goes_on_and_no_call_is_repeated(
        self, study_id: int, reading: int
    ) -> None:
        expected = held(committee_queued(draft_new("Whole")))
        trunk = committee_queued(study_id)
        with pytest.raises(WorkerKilled):
            branch_execute(branch_id=trunk.branch_id, now=Clock(kill_at=reading), environment={})
        recorded = _calls(DebateRun.objects.get(pk=trunk.debate_id))
        moments = list(ModelCall.objects.filter(debate=trunk.debate_id).values("pk", "created_at"))

        assert branches_sweep(now=_LATER) == [trunk.branch_id]
        debate = held(trunk)

        assert debate.record == expected.record
        assert _calls(debate)[: len(recorded)] == recorded
        kept = ModelCall.objects.filter(pk__in=[row["pk"] for row in moments])
        assert list(kept.values("pk", "created_at")) == moments

    def test_what_ends_its_worker_every_time_is_given_up(self, study_id: int) -> None:
        trunk = trial_queued(study_id)
        for attempt in range(MAX_ATTEMPTS):
            with pytest.raises(WorkerKilled):
                branch_execute(branch_id=trunk.branch_id, now=Clock(kill_at=4), environment={})
            branches_sweep(now=_LATER + timedelta(hours=attempt))

        debate = DebateRun.objects.get()
        assert debate.state == RunState.FAILED
        assert f"{MAX_ATTEMPTS} times" in debate.error

    def test_a_lost_message_is_sent_anew(self, study_id: int) -> None:
        trunk = committee_queued(study_id)

        assert branches_sweep(now=START) == []
        assert branches_sweep(now=_LATER) == [trunk.branch_id]
        assert branches_sweep(now=_LATER) == []

    def test_a_branch_in_other_hands_is_left_alone(self, study_id: int) -> None:
        trunk = committee_queued(study_id)
        DebateBranch.objects.update(state="running", lease_until=_LATER, lease_token="x")  # noqa: S106 (no secret)

        assert branch_execute(branch_id=trunk.branch_id, now=Clock(), environment={}) == ()
        assert not ModelCall.objects.exists()

    def test_a_model_that_cannot_be_built_fails_the_debate_and_is_told(self, study_id: int) -> None:
        debate = held(committee_queued(study_id, CommitteeWish(speakers="paper")))

        assert debate.state == RunState.FAILED
        assert "GEMINI_API_KEY" in debate.error


class TestSteering:
    def test_a_cancelled_debate_makes_no_call_and_a_retry_goes_on(self, study_id: int) -> None:
        trunk = trial_queued(study_id)
        first = branch_execute(branch_id=trunk.branch_id, now=Clock(), environment={})
        subject: dict[str, Any] = {
            "study_id": study_id,
            "debate_id": trunk.debate_id,
            "actor_id": None,
        }

        debate_cancel(**subject, now=START)
        before = ModelCall.objects.count()
        for branch in first:
            assert branch_execute(branch_id=branch, now=Clock(), environment={}) == ()
        assert ModelCall.objects.count() == before
        again = debate_retry(**subject, now=START)
        debate = held(again)

        assert debate.state == RunState.FINISHED
        numbers = list(debate.calls.values_list("sequence", flat=True))
        assert len(numbers) == len(set(numbers))

    def test_an_ended_debate_is_neither_cancelled_nor_retried(self, study_id: int) -> None:
        debate = held(committee_queued(study_id))
        subject: dict[str, Any] = {
            "study_id": study_id,
            "debate_id": debate.pk,
            "actor_id": None,
            "now": START,
        }

        with pytest.raises(IllegalMoveError):
            debate_cancel(**subject)
        with pytest.raises(IllegalMoveError):
            debate_retry(**subject)
        with pytest.raises(DebateError):
            debate_take(**subject)

    def test_another_study_s_debate_is_nobody_s(self, study_id: int) -> None:
        trunk = committee_queued(draft_new("Another"))

        with pytest.raises(IllegalMoveError):
            debate_cancel(study_id=study_id, debate_id=trunk.debate_id, actor_id=None, now=START)


def _calls(debate: DebateRun) -> list[tuple[int, str]]:
    rows = debate.calls.order_by("sequence").values_list("sequence", "request_sha256")
    found = list(rows)
    assert not [one for one, times in Counter(number for number, _ in found).items() if times > 1]
    return found
