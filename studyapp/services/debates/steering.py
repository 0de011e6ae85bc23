"""Cancel a debate, take it up again, or use one that ended before its rules ended it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from studyapp.domain.permissions import Action
from studyapp.domain.states import RUN_MOVES, move_refusal, states_before
from studyapp.errors import DebateError, IllegalMoveError
from studyapp.models import BranchState, DebateBranch, DebateRun, RunState, Scenario, Study
from studyapp.services.debates.requests import Trunk
from studyapp.services.leasing import lease_span
from studyapp.services.study.record import event_log, frozen_check, study_locked
from studyapp.services.study.scenarios import scenario_add


@transaction.atomic
def debate_cancel(*, study_id: int, debate_id: int, actor_id: int | None, now: datetime) -> None:
    """Stop a debate. Its workers notice before their next call; what was recorded stays.

    Raises:
        IllegalMoveError: it has ended already, or is none of the study's.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    before = _state_of(study, debate_id)
    _move(debate_id, RunState.CANCELLED, finished_at=now)
    # The lease tokens stay, so that calls which are under way can still be recorded.
    live = (BranchState.QUEUED, BranchState.RUNNING, BranchState.FORKED)
    branches = DebateBranch.objects.filter(debate_id=debate_id, state__in=live)
    branches.update(state=BranchState.CANCELLED, finished_at=now, lease_until=None)
    _log(study, "debate.cancelled", debate_id, before=before, actor_id=actor_id, now=now)


@transaction.atomic
def debate_retry(*, study_id: int, debate_id: int, actor_id: int | None, now: datetime) -> Trunk:
    """Queue a failed or cancelled debate again; its recorded calls are not repeated.

    It is held from the trunk on, which finds what was recorded and forks where it forked before.

    Returns:
        The trunk, for which the caller wakes a worker.

    Raises:
        FrozenError: the study has been opened, so that nothing could come of what it would cost.
        IllegalMoveError: it neither failed nor was cancelled, or is none of the study's.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    before = _state_of(study, debate_id)
    _move(debate_id, RunState.QUEUED, error="", finished_at=None)
    branches = DebateBranch.objects.filter(debate_id=debate_id)
    branches.exclude(name="").delete()
    branches.update(
        state=BranchState.QUEUED,
        stage="",
        attempts=0,
        error="",
        reserved=None,
        lease_token="",
        lease_until=now + lease_span(),
        finished_at=None,
    )
    _log(study, "debate.retried", debate_id, before=before, actor_id=actor_id, now=now)
    return Trunk(debate_id, branches.get().pk)


@transaction.atomic
def debate_take(*, study_id: int, debate_id: int, actor_id: int | None, now: datetime) -> Scenario:
    """Add the trace of an ended debate to its study: a partial one is added by no worker.

    Raises:
        DebateError: it has no trace, is in the study already, or is none of the study's.
        FrozenError: the study has been opened, so its design is frozen.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    debate = study.debates.filter(pk=debate_id, state=RunState.FINISHED).first()
    if debate is not None and debate.scenario is not None:
        raise DebateError(f"debate {debate_id} is scenario {debate.scenario.key} of {study.slug}")
    if debate is None or debate.trace_id is None:
        raise DebateError(f"debate {debate_id} has no trace that could be added to {study.slug}")
    scenario = scenario_add(study_id=study_id, trace_id=debate.trace_id, actor_id=actor_id, now=now)
    DebateRun.objects.filter(pk=debate_id).update(scenario=scenario)
    return scenario


def _move(debate_id: int, target: RunState, **values: Any) -> None:
    allowed = states_before(RUN_MOVES, target)
    if target is RunState.QUEUED:
        allowed = (RunState.FAILED, RunState.CANCELLED)
    debate = DebateRun.objects.filter(pk=debate_id)
    if debate.filter(state__in=allowed).update(state=target, **values) != 1:
        found = debate.values_list("state", flat=True).get()
        raise move_refusal(what=f"debate {debate_id}", found=found, target=target, allowed=allowed)


def _state_of(study: Study, debate_id: int) -> str:
    state = study.debates.filter(pk=debate_id).values_list("state", flat=True).first()
    if state is None:
        raise IllegalMoveError(f"debate {debate_id} is none of study {study.slug}")
    return state


def _log(
    study: Study, kind: str, debate_id: int, *, before: str, actor_id: int | None, now: datetime
) -> None:
    after = _state_of(study, debate_id)
    event_log(study, kind, now=now, actor_id=actor_id, before=before, after=after, debate=debate_id)
