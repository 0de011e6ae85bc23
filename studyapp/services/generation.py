"""Traces and runs: a trace is stored once; a run is won by lease, executed, and never doubled.

The database is the queue of record. A message only wakes a worker, so a lost one is sent anew by
the sweep and a doubled one finds nothing to do.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from studyapp.domain.states import RUN_MOVES, move_refusal, states_before
from studyapp.domain.tokens import token_new
from studyapp.errors import GenerationError, LeaseLostError
from studyapp.models import DebateTrace, GenerationRun, RunState
from studyapp.seams import engine

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]

# A run that ends its worker every time must not do so for ever.
MAX_ATTEMPTS: Final = 5
# More wake-ups than workers can use in one interval would only fill the broker.
SWEEP_LIMIT: Final = 50


@transaction.atomic
def trace_store(*, data: bytes, file_name: str, now: datetime) -> DebateTrace:
    """Import a debate and store it, unless the same debate is stored already.

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
            "created_at": now,
        },
    )
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
        lease_until=now + _lease(),
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
    lease = _run_win(run_id=run_id, now=now)
    if lease is None:
        logger.info("run %s is not to be had: finished, cancelled, or in other hands", run_id)
        return
    try:
        with _heartbeat(lease):
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
        lease_until=now + _lease(),
        finished_at=None,
    )


@transaction.atomic
def runs_sweep(*, now: datetime) -> list[int]:
    """Free the runs of dead workers and name those that need a worker woken, oldest first.

    Due are queued runs whose wake-up was lost, runs whose lease ran out, and finished runs whose
    pair was not frozen because the worker died in between.
    """
    expired = GenerationRun.objects.filter(state=RunState.RUNNING, lease_until__lt=now)
    expired.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=RunState.FAILED, error=_gave_up(), lease_token="", lease_until=None, finished_at=now
    )
    expired.update(state=RunState.QUEUED, lease_token="", lease_until=None)
    due = list(_runs_due(now=now).values_list("pk", flat=True)[:SWEEP_LIMIT])
    GenerationRun.objects.filter(pk__in=due).exclude(state=RunState.RUNNING).update(
        lease_until=now + _lease()
    )
    return due


@dataclass(frozen=True, slots=True)
class _Lease:
    """This worker's hold on a run; every write checks that it still holds."""

    run_id: int
    token: str
    now: Clock

    def extend(self) -> None:
        """Hold the run for another while; a cancelled run may be held to record a last call.

        Raises:
            LeaseLostError: another worker holds the run.
        """
        self._write(lease_until=self.now() + _lease())

    def report(self, stage: str, pair_number: int) -> None:
        """Store the progress.

        Raises:
            LeaseLostError: the run was cancelled or is held by another worker.
        """
        self._write(
            state=RunState.RUNNING,
            stage=stage[:40],
            pair_number=pair_number,
            lease_until=self.now() + _lease(),
        )

    def end(self, *, state: RunState, **values: Any) -> None:
        """Store how the run ended and let it go.

        Raises:
            LeaseLostError: the run was cancelled or is held by another worker.
        """
        values |= {"lease_token": "", "lease_until": None, "finished_at": self.now()}
        self._write(state=state, **values)

    def _write(self, *, state: RunState | None = None, **values: Any) -> None:
        held = GenerationRun.objects.filter(pk=self.run_id, lease_token=self.token)
        if state is not None:
            held, values = held.filter(state=RunState.RUNNING), {**values, "state": state}
        if held.update(**values) != 1:
            raise LeaseLostError(f"run {self.run_id} is no longer held by this worker")


def _run_win(*, run_id: int, now: Clock) -> _Lease | None:
    moment, token = now(), token_new()
    free = Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=moment)
    won = GenerationRun.objects.filter(free, pk=run_id, attempts__lt=MAX_ATTEMPTS).update(
        state=RunState.RUNNING,
        lease_token=token,
        lease_until=moment + _lease(),
        attempts=F("attempts") + 1,
        started_at=Coalesce(F("started_at"), moment),
        error="",
    )
    return _Lease(run_id=run_id, token=token, now=now) if won == 1 else None


def _gate(lease: _Lease, *, environment: Mapping[str, str]) -> engine.GateOutcome:
    run = GenerationRun.objects.select_related("trace").get(pk=lease.run_id)
    journal = engine.RunJournal(
        run_id=run.pk, now=lease.now, hold=lease.extend, check=lambda: _still_running(lease)
    )
    return engine.gate_run(
        content=run.trace.content,
        config=run.config,
        environment=environment,
        journal=journal,
        on_progress=lease.report,
    )


def _still_running(lease: _Lease) -> None:
    held = GenerationRun.objects.filter(
        pk=lease.run_id, lease_token=lease.token, state=RunState.RUNNING
    )
    if not held.exists():
        raise LeaseLostError(f"run {lease.run_id} was cancelled or taken over")


@contextmanager
def _heartbeat(lease: _Lease) -> Iterator[None]:
    """Extend the lease from a thread, because one model call may take longer than a lease."""
    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(lease, stop), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat(lease: _Lease, stop: threading.Event) -> None:
    try:
        while not stop.wait(settings.RUN_LEASE_SECONDS / 3):
            # A busy database is no reason to let go: the next beat comes within the lease.
            with suppress(OperationalError):
                lease.extend()
    except LeaseLostError:
        logger.info("run %s: the lease is lost", lease.run_id)
    finally:
        connection.close()


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


def _gave_up() -> str:
    return (
        f"The worker stopped in the middle of this run {MAX_ATTEMPTS} times. What was recorded is "
        "kept. Look at the worker's log, then retry."
    )


def _lease() -> timedelta:
    return timedelta(seconds=settings.RUN_LEASE_SECONDS)
