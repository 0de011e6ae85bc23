"""Whether what the site stands on answers: the database, its tables, the workers, the queues."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Model

from studyapp.models import (
    DebateBranch,
    ExportJob,
    GenerationRun,
    NoticeDelivery,
    StudyReport,
    WorkerHeartbeat,
)

logger = logging.getLogger(__name__)

# A sweep may be late by a few turns: a worker is busy, or was started again.
_TURNS: Final = 4
_LATE_AFTER: Final = timedelta(minutes=1)
_WAITING: Final = ("queued", "waiting")
_QUEUES: Final[Mapping[str, type[Model]]] = {
    "debates": DebateBranch,
    "texts": GenerationRun,
    "exports": ExportJob,
    "reports": StudyReport,
    "notices": NoticeDelivery,
}


@dataclass(frozen=True, slots=True)
class WorkerHealth:
    """Signs of life: when the last sweep was, and how many workers did one lately.

    A sweep comes by the broker, so a fresh one says that broker and worker are well.
    """

    last_sweep: datetime | None
    age_seconds: int | None
    workers: int
    is_late: bool

    @property
    def age_minutes(self) -> int | None:
        """How long ago the last sweep was, in whole minutes."""
        return None if self.age_seconds is None else self.age_seconds // 60


@dataclass(frozen=True, slots=True)
class SystemHealth:
    """What a researcher sees of the site: the workers, all queues, the database."""

    worker: WorkerHealth
    queues: Mapping[str, Mapping[str, int]]
    database_milliseconds: int

    @property
    def waiting(self) -> int:
        """How much of all studies waits for a worker."""
        return sum(states.get(name, 0) for states in self.queues.values() for name in _WAITING)


def database_answers() -> bool:
    """Tell whether the database answers a trivial question."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("the database does not answer")
        return False
    return True


def migrations_applied() -> bool:
    """Tell whether the database's tables are those that this code expects."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def worker_health(*, now: datetime) -> WorkerHealth:
    """Return the workers' signs of life."""
    limit = max(_LATE_AFTER, timedelta(seconds=_TURNS * settings.SWEEP_SECONDS))
    beats = list(WorkerHeartbeat.objects.order_by("-at").values_list("at", flat=True))
    last = beats[0] if beats else None
    age = None if last is None else max(timedelta(), now - last)
    return WorkerHealth(
        last_sweep=last,
        age_seconds=None if age is None else int(age.total_seconds()),
        workers=sum(now - at <= limit for at in beats),
        is_late=age is None or age > limit,
    )


def queue_lengths() -> dict[str, dict[str, int]]:
    """Count the rows of each queue by their state, over all studies."""
    return {kind: _by_state(table) for kind, table in _QUEUES.items()}


def system_health(*, now: datetime) -> SystemHealth:
    """Return everything that a researcher sees of the site."""
    begun = time.perf_counter()
    database_answers()
    took = time.perf_counter() - begun
    return SystemHealth(
        worker=worker_health(now=now),
        queues=queue_lengths(),
        database_milliseconds=round(took * 1000),
    )


def _by_state(table: type[Model]) -> dict[str, int]:
    rows: Any = table._default_manager.order_by()  # noqa: SLF001 - Django's name for it
    return dict(rows.values_list("state").annotate(Count("pk")))
