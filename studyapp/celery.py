"""The Celery application; `celery -A studyapp worker` starts a worker.

The database is the queue of record: a message only wakes a worker. Each worker therefore asks for a
sweep when it starts and every `SWEEP_SECONDS`, which queues whatever is due and was not delivered.
With `SWEEP_BY=beat` none of them does, and one `celery -A studyapp beat` asks for all.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from celery import Celery, bootsteps
from celery.signals import setup_logging
from django.conf import settings
from kombu.exceptions import OperationalError

from studyapp.broker import broker_register

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studyapp.settings")
broker_register()
app = Celery("studyapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

logger = logging.getLogger(__name__)

_SWEEP = "studyapp.tasks.runs_sweep"


class SweepStep(bootsteps.StartStopStep):
    """Ask for a sweep at the worker's start and periodically, without a scheduler of its own."""

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def __init__(self, worker: Any, **kwargs: Any) -> None:
        super().__init__(worker, **kwargs)
        self._entry: Any = None

    def start(self, worker: Any) -> None:
        """Send the first sweep now and one every interval after it, unless beat does."""
        if settings.SWEEP_BY == "beat":
            return
        _sweep_send()
        self._entry = worker.timer.call_repeatedly(settings.SWEEP_SECONDS, _sweep_send)

    def stop(self, worker: Any) -> None:  # noqa: ARG002 - Celery hands it over
        """Send no more."""
        if self._entry is not None:
            self._entry.cancel()


def _sweep_send() -> None:
    try:
        # It expires, so that a worker that was busy for an hour does not meet a heap of them.
        app.send_task(_SWEEP, expires=settings.SWEEP_SECONDS)
    except OperationalError as error:
        # The worker goes on trying to reach the broker; the next sweep makes up for this one.
        logger.warning("the broker does not answer, no sweep was asked for: %s", error)


@setup_logging.connect
def _logging_as_configured(**_: Any) -> None:
    """Keep Celery from replacing the logging that Django's settings configure."""


app.steps["worker"].add(SweepStep)
