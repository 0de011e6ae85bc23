"""What a worker does: fetch by id and call one service. The clock is read here."""

from __future__ import annotations

import os

from celery import shared_task
from celery.contrib.django.task import DjangoTask
from django.utils import timezone

from studyapp.services import generation, study


@shared_task(base=DjangoTask)
def run_execute(*, run_id: int) -> None:
    """Execute a run and freeze its pair; a doubled message finds nothing to do."""
    study.texts_generate(run_id=run_id, now=timezone.now, environment=os.environ)


@shared_task(base=DjangoTask)
def runs_sweep() -> None:
    """Wake a worker for every run that is due and whose message was lost."""
    for run_id in generation.runs_sweep(now=timezone.now()):
        run_execute.delay_on_commit(run_id=run_id)
