"""Traces and runs: a trace is stored once; a run is won by lease, executed, and never doubled.

The database is the queue of record. A message only wakes a worker, so a lost one is sent anew by
the sweep and a doubled one finds nothing to do.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from studyapp.domain.states import RUN_MOVES, move_refusal, states_before
from studyapp.errors import GenerationError, LeaseLostError
from studyapp.models import DebateTrace, GenerationRun, RunState
from studyapp.seams import engine
from studyapp.services.leasing import (
    Clock,
    Lease,
    expired_free,
    heartbeat,
    lease_span,
    lease_win,
)

logger = logging.getLogger(__name__)

# More wake-ups than workers can use in one interval would only fill the broker.
SWEEP_LIMIT: Final = 50


@transaction.atomic
def trace_store(
    *, data: bytes, file_name: str, now: datetime, produced: Mapping[str, Any] | None = None
) -> DebateTrace:
    """Import a debate and store it, unless the same debate is stored already.

    Args:
        data: the file.
        file_name: its name.
        now: when.
        produced: how it was held, where a site like this one held it.

    Raises:
        TraceRefusedError: the file cannot be read as a trace; nothing was stored.
    """
    imported = engine.trace_read(data, file_name=file_name, max_bytes=settings.TRACE_MAX_BYTES)
    trace, _ = DebateTrace.objects.get_or_create(
        sha256=imported.sha256,
        defaults={
            "title": imported.title[:200],
            "language": imported.language[:16],
            "conflict_level": imported.conflict_level,
            "content": imported.content,
            "source_format": imported.source_format,
            "source_file": imported.source_file[:255],
            "source_sha256": imported.source_sha256,
            "warnings": list(imported.warnings),
            "produced": dict(produced or {}),
            "created_at": now,
        },
    )
    if produced and not trace.produced:
        DebateTrace.objects.filter(pk=trace.pk).update(produced=dict(produced))
    return trace


@transaction.atomic
def run_create(*, trace_id: int, config: Mapping[str, Any], now: datetime) -> GenerationRun:
    """Put a run into the queue; the caller wakes a worker once the transaction is committed.

    The texts are written in the debate's language, where the engine writes it.

    Raises:
        DefinitionError: the configuration holds a value that is not allowed.
    """
    language = DebateTrace.objects.values_list("language", flat=True).get(pk=trace_id)
    spoken = engine.config_in_language(config, language=language)
    return GenerationRun.objects.create(
        trace_id=trace_id,
        config=engine.config_read(spoken),
        created_at=now,
        lease_until=now + lease_span(),
    )


def run_execute(*, run_id: int, now: Clock, environment: Mapping[str, str]) -> None:
    """Win the run, let the gate work, and store how it ended; do nothing if it cannot be won.

    Not one transaction on purpose: each model call is committed as soon as it is recorded, so
    that a worker which dies loses nothing that was recorded.

    Args:
        run_id: the run; a second worker with the same id returns at once.
        now: clock; leases are measured by it.
        environment: where the models' keys are read from.
    """
    lease = lease_win(GenerationRun.objects, row_id=run_id, now=now)
    if lease is None:
        logger.info("run %s is not to be had: finished, cancelled, or in other hands", run_id)
        return
    try:
        with heartbeat(lease):
            result = _gate(lease, environment=environment)
        lease.end(
            state=RunState.FINISHED,
            outcome=result.outcome,
            result=result.record,
            stage="",
        )
    except LeaseLostError:
        logger.info("run %s was cancelled or taken over; this worker stops", run_id)
    except GenerationError as error:
        with suppress(LeaseLostError):
            lease.end(state=RunState.FAILED, error=str(error))


@transaction.atomic
def run_cancel(*, run_id: int, now: datetime) -> None:
    """Stop a run. Its worker notices at its next step; what was recorded stays.

    Raises:
        IllegalMoveError: the run has ended already.
    """
    # The lease token stays, so that the call which is under way can still be recorded.
    _run_move(run_id=run_id, target=RunState.CANCELLED, finished_at=now, lease_until=None)


@transaction.atomic
def run_retry(*, run_id: int, now: datetime) -> None:
    """Queue a failed or cancelled run again; its recorded calls are not repeated.

    Raises:
        IllegalMoveError: the run neither failed nor was cancelled.
    """
    _run_move(
        run_id=run_id,
        target=RunState.QUEUED,
        from_states=(RunState.FAILED, RunState.CANCELLED),
        attempts=0,
        error="",
        lease_token="",
        lease_until=now + lease_span(),
        finished_at=None,
    )


@transaction.atomic
def runs_sweep(*, now: datetime) -> list[int]:
    """Free the runs of dead workers and name those that need a worker woken, oldest first.

    Due are queued runs whose wake-up was lost, runs whose lease ran out, and finished runs whose
    pair was not frozen because the worker died in between.
    """
    expired_free(GenerationRun.objects, now=now)
    due = list(_runs_due(now=now).values_list("pk", flat=True)[:SWEEP_LIMIT])
    GenerationRun.objects.filter(pk__in=due).exclude(state=RunState.RUNNING).update(
        lease_until=now + lease_span()
    )
    return due


def _gate(lease: Lease, *, environment: Mapping[str, str]) -> engine.GateOutcome:
    run = GenerationRun.objects.select_related("trace").get(pk=lease.row_id)
    journal = engine.RunJournal(
        of={"run_id": run.pk}, now=lease.now, hold=lease.extend, check=lease.check
    )
    return engine.gate_run(
        content=run.trace.content,
        config=run.config,
        environment=environment,
        journal=journal,
        on_progress=lambda stage, pair_number: lease.write(
            stage=stage[:40], pair_number=pair_number, lease_until=lease.now() + lease_span()
        ),
    )


def _run_move(
    *,
    run_id: int,
    target: RunState,
    from_states: tuple[str, ...] | None = None,
    **values: Any,
) -> None:
    allowed = from_states or states_before(RUN_MOVES, target)
    run = GenerationRun.objects.filter(pk=run_id)
    if run.filter(state__in=allowed).update(state=target, **values) != 1:
        found = run.values_list("state", flat=True).get()
        raise move_refusal(what=f"run {run_id}", found=found, target=target, allowed=allowed)


def _runs_due(*, now: datetime) -> QuerySet[GenerationRun]:
    quiet = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    queued = Q(state=RunState.QUEUED)
    unfrozen = Q(state=RunState.FINISHED, pair__isnull=True) & ~Q(outcome=engine.NOT_JUDGED)
    return GenerationRun.objects.filter(quiet, queued | unfrozen).order_by("pk")
