"""Have a study's texts generated: queue, execute, freeze, hand over."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from studyapp.domain.permissions import Action
from studyapp.errors import IllegalMoveError
from studyapp.models import GenerationRun, RunState, Scenario, Study
from studyapp.seams import engine
from studyapp.services.generation import run_cancel, run_create, run_execute, run_retry
from studyapp.services.leasing import Clock
from studyapp.services.stimulus import pair_freeze
from studyapp.services.study.record import event_log, frozen_check, study_locked


@transaction.atomic
def study_generate(
    *, study_id: int, config: Mapping[str, Any], actor_id: int | None, now: datetime
) -> list[int]:
    """Queue a run for every scenario that has no pair and no run that can still give one.

    A scenario whose run failed or was cancelled keeps that run: retry it, so that its recorded
    calls are used. One whose run was not judged gets a new run.

    Returns:
        The runs created; the caller wakes a worker for each once the transaction is committed.

    Raises:
        DefinitionError: the configuration holds a value that is not allowed.
        FrozenError: the study has been opened, so its design is frozen.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    created = []
    for scenario in study.scenarios.filter(pair__isnull=True).select_related("run"):
        if scenario.run is None or scenario.run.outcome == engine.NOT_JUDGED:
            run = run_create(trace_id=scenario.trace_id, config=config, now=now)
            Scenario.objects.filter(pk=scenario.pk).update(run=run)
            created.append(run.pk)
    if created:
        event_log(
            study,
            "texts.requested",
            now=now,
            actor_id=actor_id,
            before=None,
            after=dict(config),
            runs=created,
        )
    return created


def texts_generate(*, run_id: int, now: Clock, environment: Mapping[str, str]) -> None:
    """Execute a run, freeze its pair, and hand the pair to the scenarios that wait for it.

    Each step is a transaction of its own and does nothing when it was done before, so that a
    worker which died after any of them is followed by one that does the rest.
    """
    run_execute(run_id=run_id, now=now, environment=environment)
    run = GenerationRun.objects.get(pk=run_id)
    if run.state == RunState.FINISHED and run.outcome != engine.NOT_JUDGED:
        _pair_hand_over(run_id=run_id, now=now())


@transaction.atomic
def generation_cancel(*, study_id: int, run_id: int, actor_id: int | None, now: datetime) -> None:
    """Cancel a run of a study.

    Raises:
        IllegalMoveError: the run has ended already, or is none of the study's.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    before = _run_state(study, run_id)
    run_cancel(run_id=run_id, now=now)
    _run_log(study, "run.cancelled", run_id, before=before, actor_id=actor_id, now=now)


@transaction.atomic
def generation_retry(*, study_id: int, run_id: int, actor_id: int | None, now: datetime) -> None:
    """Queue a failed or cancelled run of a study again; the caller wakes a worker.

    Raises:
        IllegalMoveError: the run neither failed nor was cancelled, or is none of the study's.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    before = _run_state(study, run_id)
    run_retry(run_id=run_id, now=now)
    _run_log(study, "run.retried", run_id, before=before, actor_id=actor_id, now=now)


def _run_state(study: Study, run_id: int) -> str:
    run = GenerationRun.objects.filter(pk=run_id, scenarios__study=study).first()
    if run is None:
        raise IllegalMoveError(f"run {run_id} is none of study {study.slug}")
    return run.state


def _run_log(
    study: Study, kind: str, run_id: int, *, before: str, actor_id: int | None, now: datetime
) -> None:
    after = _run_state(study, run_id)
    event_log(study, kind, now=now, actor_id=actor_id, before=before, after=after, run=run_id)


@transaction.atomic
def _pair_hand_over(*, run_id: int, now: datetime) -> None:
    pair = pair_freeze(run_id=run_id, now=now)
    Scenario.objects.filter(run_id=run_id, pair__isnull=True).update(pair=pair)
