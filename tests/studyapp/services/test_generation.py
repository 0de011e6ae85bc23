"""Runs: won once, recorded call by call, taken up again after a worker's death, never doubled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
import pytest_django
from django.db import connection

from studyapp.errors import DefinitionError, IllegalMoveError, TraceRefusedError
from studyapp.models import DebateTrace, GenerationRun, ModelCall, RunState
from studyapp.seams import engine
from studyapp.services.generation import (
    run_cancel,
    run_create,
    run_execute,
    run_retry,
    runs_sweep,
    trace_store,
)
from studyapp.services.leasing import MAX_ATTEMPTS
from tests.studyapp.debates import (
    AGREES,
    DEADLOCK,
    POLISH,
    START,
    Clock,
    WorkerKilled,
    run_queued,
    trace_stored,
)
from tests.studyapp.racing import at_once

pytestmark = pytest.mark.django_db

ANOTHER = "another worker"
_LATER = START + timedelta(hours=1)


class TestTraces:
    def test_the_same_debate_is_stored_once(self) -> None:
        assert trace_stored().pk == trace_stored().pk
        assert DebateTrace.objects.count() == 1

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b'{"format": "apg-trace", "version": 1, "turns": [', "a.json"),
            (b"[]", "no known format"),
            (b"\xff\xfe\x00", "a.json"),
        ],
    )
    def test_a_file_that_is_no_trace_is_refused_and_nothing_is_stored(
        self, data: bytes, said: str
    ) -> None:
        with pytest.raises(TraceRefusedError, match="allowed") as refusal:
            trace_store(data=data, file_name="a.json", now=START)

        assert said in str(refusal.value)
        assert not DebateTrace.objects.exists()

    def test_a_trace_over_the_limit_is_refused(self, settings: pytest_django.Settings) -> None:
        settings.TRACE_MAX_BYTES = 100

        with pytest.raises(TraceRefusedError, match="100"):
            trace_stored()


class TestExecution:
    def test_a_queued_run_is_executed_to_its_result(self) -> None:
        run = _executed(run_queued(DEADLOCK))

        assert (run.state, run.outcome, run.attempts) == (RunState.FINISHED, "divergence", 1)
        assert run.lease_token == ""
        assert run.result is not None
        assert run.finished_at is not None
        assert _sequences(run) == list(range(1, run.calls.count() + 1))

    def test_a_second_message_for_the_same_run_finds_nothing_to_do(self) -> None:
        run = _executed(run_queued())
        before = _calls(run)

        again = _executed(run)

        assert (again.attempts, again.result) == (1, run.result)
        assert _calls(again) == before

    def test_the_texts_are_written_in_the_debate_s_language(self) -> None:
        assert run_queued(POLISH).config["language"] == "pl"
        assert run_queued(AGREES).config["language"] == "en"

    def test_a_configuration_with_an_unknown_value_is_refused(self) -> None:
        with pytest.raises(DefinitionError, match="allowed"):
            run_create(trace_id=trace_stored().pk, config={"pairs": 0}, now=START)

        assert not GenerationRun.objects.exists()

    def test_a_missing_key_fails_the_run_and_says_which(self) -> None:
        run = _executed(run_queued(config=engine.config_preset("paper")))

        assert run.state == RunState.FAILED
        assert "GEMINI_API_KEY" in run.error
        assert run.result is None

    def test_a_run_that_could_not_be_judged_is_finished_and_says_so(self) -> None:
        scripted = {"kind": "scripted", "name": "silent", "script": [""]}

        run = _executed(run_queued(config={"proposer": scripted}))

        assert (run.state, run.outcome) == (RunState.FINISHED, engine.NOT_JUDGED)


class TestKilledWorkers:
    def test_wherever_a_worker_dies_the_run_ends_as_if_nothing_had_happened(self) -> None:
        expected = _executed(run_queued(DEADLOCK))
        readings = 0
        for kill_at in range(1, 200):
            run = run_queued(DEADLOCK)
            if not _killed(run, kill_at=kill_at):
                break
            readings = kill_at
            recorded = _calls(run)
            finished = _executed(run, clock=Clock(at=_LATER))
            assert finished.state == RunState.FINISHED
            assert finished.result == expected.result
            assert _calls(finished)[: len(recorded)] == recorded
            assert _sequences(finished) == _sequences(expected)
        # Won, told each state, recorded each call, ended: the clock is read at each of them.
        assert readings > 15

    def test_the_run_of_a_dead_worker_is_not_to_be_had_before_its_lease_ran_out(self) -> None:
        run = run_queued()
        _killed(run, kill_at=6)

        still = _executed(run, clock=Clock(at=START + timedelta(seconds=10)))
        assert (still.state, still.attempts) == (RunState.RUNNING, 1)

        assert _executed(run, clock=Clock(at=_LATER)).state == RunState.FINISHED


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_of_two_workers_one_gets_the_run(self) -> None:
        run = run_queued()

        at_once([lambda: _executed(run), lambda: _executed(run), lambda: _executed(run)])

        run.refresh_from_db()
        assert (run.state, run.attempts) == (RunState.FINISHED, 1)
        assert _sequences(run) == list(range(1, run.calls.count() + 1))

    def test_a_model_call_longer_than_the_lease_keeps_the_run(
        self, monkeypatch: pytest.MonkeyPatch, settings: pytest_django.Settings
    ) -> None:
        if connection.vendor == "sqlite":
            pytest.skip("needs PostgreSQL: threads cannot share an in-memory SQLite")
        settings.RUN_LEASE_SECONDS = 0.3
        run = run_queued()
        real = engine.gate_run

        def slow(**arguments: Any) -> engine.GateOutcome:
            _wait_until_lease_moves(run)
            return real(**arguments)

        monkeypatch.setattr(engine, "gate_run", slow)

        assert _executed(run).state == RunState.FINISHED


class TestTakenOver:
    def test_a_worker_whose_lease_was_taken_writes_nothing_more(self) -> None:
        run = run_queued()

        def take_over() -> None:
            GenerationRun.objects.filter(pk=run.pk).update(lease_token=ANOTHER)

        left = _executed(run, clock=_Interrupting(at_reading=6, do=take_over))

        assert (left.state, left.lease_token) == (RunState.RUNNING, ANOTHER)
        assert left.result is None

    def test_a_cancelled_run_stops_at_the_next_step_and_keeps_its_calls(self) -> None:
        run = run_queued()

        def cancel() -> None:
            run_cancel(run_id=run.pk, now=START)

        left = _executed(run, clock=_Interrupting(at_reading=8, do=cancel))

        assert left.state == RunState.CANCELLED
        assert left.result is None
        recorded = _calls(left)
        assert recorded

        run_retry(run_id=run.pk, now=START)
        finished = _executed(run, clock=Clock(at=_LATER))
        assert finished.state == RunState.FINISHED
        assert _calls(finished)[: len(recorded)] == recorded

    def test_what_has_ended_cannot_be_cancelled(self) -> None:
        run = _executed(run_queued())

        with pytest.raises(IllegalMoveError, match="is finished"):
            run_cancel(run_id=run.pk, now=START)

    def test_only_what_failed_or_was_cancelled_can_be_retried(self) -> None:
        run = run_queued()

        with pytest.raises(IllegalMoveError, match="failed or cancelled"):
            run_retry(run_id=run.pk, now=START)

    def test_a_failed_run_can_be_retried_and_finishes(self) -> None:
        run = _executed(run_queued(config=engine.config_preset("paper")))
        GenerationRun.objects.filter(pk=run.pk).update(config=engine.config_preset("offline"))

        run_retry(run_id=run.pk, now=START)

        finished = _executed(run, clock=Clock(at=_LATER))
        assert (finished.state, finished.error) == (RunState.FINISHED, "")


class TestSweep:
    def test_a_queued_run_whose_message_was_lost_is_due_once_a_lease(self) -> None:
        run = run_queued()

        assert runs_sweep(now=START) == []
        assert runs_sweep(now=_LATER) == [run.pk]
        assert runs_sweep(now=_LATER) == []

    def test_the_run_of_a_dead_worker_is_queued_again(self) -> None:
        run = run_queued()
        _killed(run, kill_at=6)

        assert runs_sweep(now=START + timedelta(seconds=5)) == []
        assert runs_sweep(now=_LATER) == [run.pk]
        run.refresh_from_db()
        assert (run.state, run.lease_token) == (RunState.QUEUED, "")

    def test_a_run_that_ends_its_worker_every_time_fails_in_the_end(self) -> None:
        run = run_queued()
        for attempt in range(MAX_ATTEMPTS):
            _killed(run, kill_at=4, at=START + timedelta(hours=attempt))
            runs_sweep(now=START + timedelta(hours=attempt, minutes=30))

        run.refresh_from_db()
        assert run.state == RunState.FAILED
        assert f"{MAX_ATTEMPTS} times" in run.error

    def test_a_finished_run_without_its_pair_is_due(self) -> None:
        run = _executed(run_queued())

        assert runs_sweep(now=_LATER) == [run.pk]

    def test_a_run_that_was_not_judged_is_not_due(self) -> None:
        scripted = {"kind": "scripted", "name": "silent", "script": [""]}
        _executed(run_queued(config={"proposer": scripted}))

        assert runs_sweep(now=_LATER) == []


class _Interrupting(Clock):
    """A clock at one of whose readings something happens elsewhere."""

    def __init__(self, *, at_reading: int, do: Callable[[], None]) -> None:
        super().__init__()
        self._at_reading, self._do = at_reading, do

    def __call__(self) -> datetime:
        moment = super().__call__()
        if self.readings == self._at_reading:
            self._do()
        return moment


def _executed(
    run: GenerationRun, *, clock: Clock | None = None, environment: Mapping[str, str] | None = None
) -> GenerationRun:
    run_execute(run_id=run.pk, now=clock or Clock(), environment=environment or {})
    return GenerationRun.objects.get(pk=run.pk)


def _killed(run: GenerationRun, *, kill_at: int, at: datetime = START) -> bool:
    """Let a worker die at a reading of its clock; False if it was done before."""
    try:
        _executed(run, clock=Clock(at=at, kill_at=kill_at))
    except WorkerKilled:
        return True
    return False


def _calls(run: GenerationRun) -> list[tuple[int, int, datetime]]:
    """Every recorded call by row, so that a repeated one would show."""
    return list(ModelCall.objects.filter(run=run).values_list("pk", "sequence", "created_at"))


def _sequences(run: GenerationRun) -> list[int]:
    return list(run.calls.order_by("sequence").values_list("sequence", flat=True))


def _wait_until_lease_moves(run: GenerationRun) -> None:
    first = GenerationRun.objects.values_list("lease_until", flat=True).get(pk=run.pk)
    for _ in range(200):
        if GenerationRun.objects.values_list("lease_until", flat=True).get(pk=run.pk) != first:
            return
        threading.Event().wait(0.05)
    pytest.fail("no heartbeat extended the lease")
