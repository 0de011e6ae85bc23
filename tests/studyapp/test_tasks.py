"""What a worker does with a message."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine

from studyapp import tasks
from studyapp.models import GenerationRun, RunState, StimulusPair
from tests.studyapp.debates import run_queued

pytestmark = pytest.mark.django_db


def test_a_message_leads_to_a_frozen_pair_and_its_double_to_nothing() -> None:
    run = run_queued()

    tasks.run_execute(run_id=run.pk)
    tasks.run_execute(run_id=run.pk)

    assert GenerationRun.objects.get(pk=run.pk).state == RunState.FINISHED
    assert StimulusPair.objects.get().run_id == run.pk


def test_the_sweep_wakes_a_worker_for_what_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    run, woken = run_queued(), []
    monkeypatch.setattr(
        tasks.run_execute, "delay_on_commit", lambda **message: woken.append(message)
    )

    with time_machine.travel(datetime(2031, 1, 1, tzinfo=UTC)):
        tasks.runs_sweep()
        tasks.runs_sweep()

    assert woken == [{"run_id": run.pk}]
