"""A study's work in the background that waits or is under way: debates, texts, exports, reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Q, QuerySet

from studyapp.models import DebateRun, ExportJob, GenerationRun, StudyReport

_WAITING_TOO_LONG: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Work of one kind that waits for a worker or is in work."""

    kind: str
    queued: int
    running: int
    is_late: bool


def work_waiting(study_id: int, *, now: datetime) -> tuple[Waiting, ...]:
    """Count a study's work of each kind; work that waits for over a minute is late."""
    runs = GenerationRun.objects.filter(scenarios__study_id=study_id)
    kinds: Sequence[tuple[str, QuerySet[Any], str]] = (
        ("debates", DebateRun.objects.filter(study_id=study_id), "created_at"),
        ("texts", runs, "created_at"),
        ("exports", ExportJob.objects.filter(study_id=study_id), "requested_at"),
        ("reports", StudyReport.objects.filter(study_id=study_id), "requested_at"),
    )
    return tuple(_work(kind, rows, moment, now=now) for kind, rows, moment in kinds)


def _work(kind: str, rows: QuerySet[Any], moment: str, *, now: datetime) -> Waiting:
    late = {"state": "queued", f"{moment}__lt": now - _WAITING_TOO_LONG}
    counts = rows.order_by().aggregate(
        queued=Count("pk", filter=Q(state="queued")),
        running=Count("pk", filter=Q(state="running")),
        late=Count("pk", filter=Q(**late)),
    )
    return Waiting(kind, counts["queued"], counts["running"], bool(counts["late"]))
