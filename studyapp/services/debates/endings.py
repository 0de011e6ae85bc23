"""How a debate ends: its trace is stored with how it was made, and becomes the study's."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import transaction

from studyapp.domain.digest import json_sha256
from studyapp.errors import FrozenError, LeaseLostError
from studyapp.models import BranchState, DebateBranch, DebateRun, DebateTrace, RunState, Study
from studyapp.seams import debates as engine
from studyapp.services.generation import trace_store
from studyapp.services.leasing import Lease
from studyapp.services.study.record import event_log
from studyapp.services.study.scenarios import scenario_add


@transaction.atomic
def debate_end(lease: Lease, held: engine.Held) -> None:
    """Store a debate that is over; a whole one becomes a scenario of its study.

    A partial one does not: the researcher decides, who sees why it ended. Nor does one whose study
    was opened meanwhile; its trace is kept.

    Raises:
        LeaseLostError: it was cancelled, or another worker holds it.
    """
    debate = _locked(lease.row_id)
    moment = lease.now()
    lease.end(state=RunState.FINISHED, stage="", reserved=None)
    trace = _trace(debate, held, now=moment)
    ended = {"record": held.record, "trace": trace, "finished_at": moment}
    _move(debate, state=RunState.FINISHED, **ended)
    if trace is not None and held.is_whole:
        _add(debate, trace, now=moment)
    event_log(
        debate.study,
        "debate.finished",
        now=moment,
        actor_id=None,
        before=RunState.RUNNING,
        after=held.record["stop"],
        debate=debate.pk,
    )


@transaction.atomic
def debate_fail(lease: Lease, error: str) -> None:
    """Store that a debate could not be held, and stop its other branches.

    Raises:
        LeaseLostError: it was cancelled, or another worker holds it.
    """
    debate = _locked(lease.row_id)
    moment = lease.now()
    lease.end(state=RunState.FAILED, error=error, reserved=None)
    _fail(debate, error, now=moment)


@transaction.atomic
def debate_give_up(*, branch_id: int, now: datetime) -> None:
    """Fail the debate of a branch that ended its worker every time; nothing if it is over."""
    with suppress(LeaseLostError):
        debate = _locked(branch_id)
        _fail(debate, debate.branches.values_list("error", flat=True).get(pk=branch_id), now=now)


def _fail(debate: DebateRun, error: str, *, now: datetime) -> None:
    _move(debate, state=RunState.FAILED, error=error, finished_at=now)
    # The lease tokens stay, so that calls which are under way can still be recorded.
    over = (BranchState.FINISHED, BranchState.FAILED)
    others = DebateBranch.objects.filter(debate=debate).exclude(state__in=over)
    others.update(state=BranchState.CANCELLED, finished_at=now, lease_until=None)
    event_log(
        debate.study,
        "debate.failed",
        now=now,
        actor_id=None,
        before=debate.state,
        after={"error": error},
        debate=debate.pk,
    )


def _locked(branch_id: int) -> DebateRun:
    """Lock the study first, as everybody does who changes something of it.

    Raises:
        LeaseLostError: the branch is gone, because its debate was taken up again.
    """
    debate = DebateRun.objects.filter(branches=branch_id).first()
    if debate is None:
        raise LeaseLostError(f"branch {branch_id} is gone")
    Study.objects.select_for_update(no_key=True).get(pk=debate.study_id)
    debates = DebateRun.objects.select_for_update(of=("self",), no_key=True)
    return debates.select_related("study").get(pk=debate.pk)


def _move(debate: DebateRun, **values: Any) -> None:
    live = DebateRun.objects.filter(pk=debate.pk, state__in=(RunState.QUEUED, RunState.RUNNING))
    if live.update(**values) != 1:
        raise LeaseLostError(f"debate {debate.pk} is over")


def _trace(debate: DebateRun, held: engine.Held, *, now: datetime) -> DebateTrace | None:
    if held.trace is None:
        return None
    return trace_store(
        data=held.trace,
        file_name=f"{debate.system}-{debate.pk}.json",
        now=now,
        produced=_produced(debate, held.record),
    )


def _produced(debate: DebateRun, record: Mapping[str, Any]) -> dict[str, Any]:
    """Say how a trace came to be, for everybody who will meet it without this database."""
    stop = record["stop"]
    corpus = debate.corpus
    return {
        "system": debate.system,
        "preset": debate.preset,
        "seed": debate.config["seed"],
        "config_sha256": json_sha256(debate.config),
        "speakers": engine.speakers_of(record),
        "stop": {"reason": stop["reason"], "is_whole": stop["is_whole"]},
        "model_calls": record["spent"]["calls"],
        **({"corpus_sha256": corpus.sha256, "embedder": debate.embedder} if corpus else {}),
    }


def _add(debate: DebateRun, trace: DebateTrace, *, now: datetime) -> None:
    with suppress(FrozenError):
        scenario = scenario_add(study_id=debate.study_id, trace_id=trace.pk, actor_id=None, now=now)
        DebateRun.objects.filter(pk=debate.pk).update(scenario=scenario)
