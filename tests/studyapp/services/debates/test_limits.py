"""Debates that a limit ends: all workers keep it together, and a person decides what is used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apg_engine.debates.courtroom.config import ROLES
from studyapp.errors import DebateError, FrozenError
from studyapp.models import RunState, Study
from studyapp.seams.debates import COURTROOM, TrialWish, config_checked, config_courtroom
from studyapp.services.debates import Trunk, WantedDebate, debate_request, debate_take
from tests.apg_engine.debates.courtroom.trials import CLAIM
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.trying import trying
from tests.studyapp.debates import START
from tests.studyapp.held import committee_cut, corpus, draft_new, held

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _place(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def study_id() -> int:
    return draft_new()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("most", [4, 17, 41])
def test_workers_at_both_runs_and_the_judges_keep_one_limit(
    study_id: int, most: int, seed: int
) -> None:
    with FakeOpenAI(trying) as server:
        trunk = _trial(study_id, server.base_url, {"calls": most})
        debate = held(trunk, seed=seed, times=2)

    assert debate.state == RunState.FINISHED
    assert debate.record is not None
    assert (debate.record["stop"]["reason"], debate.record["stop"]["is_whole"]) == ("budget", False)
    assert sum(row["calls"] for row in debate.spent.values()) == len(server.requests)
    assert 0 < len(server.requests) <= most
    assert debate.scenario is None
    assert not debate.branches.filter(reserved__isnull=False).exists()


def test_a_partial_debate_is_a_scenario_only_if_somebody_says_so(study_id: int) -> None:
    debate = held(committee_cut(study_id))
    assert debate.record is not None
    assert debate.record["stop"]["is_whole"] is False
    assert debate.scenario is None

    scenario = debate_take(study_id=study_id, debate_id=debate.pk, actor_id=None, now=START)

    assert scenario.trace == debate.trace
    assert scenario.trace.produced["stop"] == {"reason": "script_ended", "is_whole": False}
    with pytest.raises(DebateError, match=f"is scenario {scenario.key} of"):
        debate_take(study_id=study_id, debate_id=debate.pk, actor_id=None, now=START)


def test_a_partial_debate_cannot_be_added_once_the_study_is_launched(study_id: int) -> None:
    debate = held(committee_cut(study_id))
    Study.objects.update(opened_at=START)

    with pytest.raises(FrozenError):
        debate_take(study_id=study_id, debate_id=debate.pk, actor_id=None, now=START)


def test_a_debate_in_which_nobody_spoke_has_no_trace_to_add(study_id: int) -> None:
    debate = held(committee_cut(study_id, limits={"tokens": 10}))

    assert debate.trace is None
    with pytest.raises(DebateError, match="has no trace"):
        debate_take(study_id=study_id, debate_id=debate.pk, actor_id=None, now=START)


def _trial(study_id: int, url: str, limits: dict[str, Any]) -> Trunk:
    spec = {"kind": "openai", "name": "fake", "base_url": url}
    changes = {"roles": dict.fromkeys(ROLES, spec), "same_family": True, "limits": {"run": limits}}
    config = config_checked(
        COURTROOM, {**config_courtroom(TrialWish(rounds=2), claim=CLAIM), **changes}
    )
    wanted = WantedDebate(COURTROOM, "fake court", config, corpus(), "words")
    return debate_request(study_id=study_id, wanted=wanted, actor_id=None, now=START)
