"""Debates that fail or are cancelled in the middle: all branches stop, and a retry goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apg_engine.debates.courtroom.config import ROLES
from studyapp.errors import FrozenError
from studyapp.models import BranchState, DebateBranch, DebateRun, Event, ModelCall, RunState, Study
from studyapp.seams.debates import COURTROOM, TrialWish, config_checked, config_courtroom
from studyapp.services.debates import (
    Trunk,
    WantedDebate,
    branch_execute,
    branches_sweep,
    debate_cancel,
    debate_request,
    debate_retry,
)
from studyapp.services.leasing import MAX_ATTEMPTS
from tests.apg_engine.debates.courtroom.trials import CLAIM
from tests.fakes.openai_answers import Answer, Body
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.trying import trying
from tests.studyapp.debates import START, Clock, WorkerKilled
from tests.studyapp.held import corpus, draft_new, trial_queued

pytestmark = pytest.mark.django_db

_KEY = {"COURT_KEY": "a key"}
_LATER = START + timedelta(hours=1)


@pytest.fixture(autouse=True)
def _place(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def study_id() -> int:
    return draft_new()


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(trying) as server:
        yield server


def test_one_branch_that_fails_stops_the_others_and_says_why(
    study_id: int, server: FakeOpenAI
) -> None:
    trunk = _trial(study_id, server)
    first, second = _work(trunk.branch_id)

    assert _work(second, environment={}) == []

    debate = DebateRun.objects.get()
    assert debate.state == RunState.FAILED
    assert "COURT_KEY" in debate.error
    asked = len(server.requests)
    assert _work(first) == []
    assert len(server.requests) == asked
    assert _states(debate) == {"": "cancelled", "1.0": "cancelled", "1.1": "failed"}


def test_a_failure_stands_in_the_log(study_id: int, server: FakeOpenAI) -> None:
    _work(_trial(study_id, server).branch_id, environment={})

    event = Event.objects.latest("pk")
    assert event.kind == "debate.failed"
    assert "COURT_KEY" in str(event.payload["after"])


def test_a_retry_after_a_failure_asks_only_what_was_not_recorded(
    study_id: int, server: FakeOpenAI
) -> None:
    trunk = _trial(study_id, server)
    first, second = _work(trunk.branch_id)
    _work(first)
    _work(second, environment={})
    before = _recorded()

    again = debate_retry(study_id=study_id, debate_id=trunk.debate_id, actor_id=None, now=_LATER)
    _work_all(again)

    debate = DebateRun.objects.get()
    assert (debate.state, debate.error) == (RunState.FINISHED, "")
    assert before.items() <= _recorded().items()
    assert _asked(debate) == len(server.requests)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("call", [2, 5, 9])
def test_a_call_under_way_is_recorded_when_its_debate_is_cancelled_and_no_other_is_made(
    call: int,
) -> None:
    study_id = draft_new()

    def answer(body: Body) -> Answer:
        if len(server.requests) == call:
            debate_cancel(study_id=study_id, debate_id=trunk.debate_id, actor_id=None, now=START)
            connection.close()
        return trying(body)

    with FakeOpenAI(answer) as server:
        trunk = _trial(study_id, server)
        _work_all(trunk)
        debate = DebateRun.objects.get()
        assert debate.state == RunState.CANCELLED
        assert _asked(debate) == len(server.requests) == call
        subject = {"study_id": study_id, "debate_id": trunk.debate_id}
        _work_all(debate_retry(**subject, actor_id=None, now=_LATER))
        debate.refresh_from_db()

        assert debate.state == RunState.FINISHED
        assert _asked(debate) == len(server.requests) > call


def test_none_is_taken_up_again_once_the_study_is_launched(
    study_id: int, server: FakeOpenAI
) -> None:
    trunk = _trial(study_id, server)
    _work(trunk.branch_id, environment={})
    Study.objects.update(opened_at=START)

    with pytest.raises(FrozenError):
        debate_retry(study_id=study_id, debate_id=trunk.debate_id, actor_id=None, now=_LATER)

    assert DebateRun.objects.get().state == RunState.FAILED


def test_a_worker_whose_branch_a_retry_took_away_changes_nothing(
    study_id: int, server: FakeOpenAI
) -> None:
    trunk = _trial(study_id, server)
    first, _ = _work(trunk.branch_id)
    subject: dict[str, Any] = {"study_id": study_id, "debate_id": trunk.debate_id, "actor_id": None}

    class Meddling(dict[str, str]):
        def get(self, name: str, default: Any = None) -> Any:
            if DebateRun.objects.get().state == RunState.RUNNING:
                debate_cancel(**subject, now=START)
                debate_retry(**subject, now=_LATER)
            return super().get(name, default)

    assert _work(first, environment=Meddling()) == []

    debate = DebateRun.objects.get()
    assert (debate.state, debate.error) == (RunState.QUEUED, "")
    assert _states(debate) == {"": "queued"}


def test_a_branch_that_is_given_up_stops_the_branches_beside_it(study_id: int) -> None:
    trunk = trial_queued(study_id)
    first, second = _work(trunk.branch_id)
    for attempt in range(MAX_ATTEMPTS):
        DebateBranch.objects.filter(pk=first).update(state=BranchState.QUEUED, lease_until=None)
        with pytest.raises(WorkerKilled):
            branch_execute(branch_id=first, now=Clock(kill_at=4), environment={})
        branches_sweep(now=_LATER + timedelta(hours=attempt))

    calls = ModelCall.objects.count()
    assert _work(second) == []

    debate = DebateRun.objects.get()
    assert debate.state == RunState.FAILED
    assert ModelCall.objects.count() == calls
    assert _states(debate) == {"": "cancelled", "1.0": "failed", "1.1": "cancelled"}
    assert Event.objects.latest("pk").kind == "debate.failed"


def _work(branch_id: int, *, environment: Mapping[str, str] = _KEY) -> list[int]:
    return list(branch_execute(branch_id=branch_id, now=Clock(at=_LATER), environment=environment))


def _work_all(trunk: Trunk) -> None:
    waiting = [trunk.branch_id]
    while waiting:
        waiting.extend(_work(waiting.pop(0)))


def _states(debate: DebateRun) -> dict[str, str]:
    return dict(debate.branches.values_list("name", "state"))


def _asked(debate: DebateRun) -> int:
    """Count what was booked of calls to models."""
    return sum(row["calls"] for row in debate.spent.values())


def _recorded() -> dict[int, datetime]:
    return dict(ModelCall.objects.values_list("sequence", "created_at"))


def _trial(study_id: int, server: FakeOpenAI) -> Trunk:
    spec = {
        "kind": "openai",
        "name": "fake",
        "base_url": server.base_url,
        "api_key_env": "COURT_KEY",
    }
    changes = {"roles": dict.fromkeys(ROLES, spec), "same_family": True}
    config = config_checked(
        COURTROOM, {**config_courtroom(TrialWish(rounds=1), claim=CLAIM), **changes}
    )
    wanted = WantedDebate(COURTROOM, "fake court", config, corpus(), "words")
    return debate_request(study_id=study_id, wanted=wanted, actor_id=None, now=START)
