"""One moment's state of the database for everything that one export reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Count, Max, Q, QuerySet, Sum

from studyapp.domain.digest import json_sha256
from studyapp.models import (
    Assignment,
    Change,
    Event,
    EvidenceLink,
    Exposure,
    Participant,
    Response,
    Study,
    Tombstone,
)
from studyapp.services.study import design_record

# What an export writes into the log is no part of the state that it exports.
EXPORT_EVENTS: Final = ("bundle.exported", "export.requested", "export.built", "export.downloaded")


@contextmanager
def snapshot() -> Iterator[None]:
    """Read one moment's state, while people go on answering.

    Inside a transaction of the caller it is that transaction's state. Nothing may be written on
    this connection meanwhile.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _reading():
            yield


def state_mark(study: Study) -> str:
    """Return a digest that differs whenever anything that an export reads has changed.

    What is never updated is told by its number and newest key, what is updated by its sums and
    newest times.
    """
    trials = Assignment.objects.filter(participant__study=study)
    of_study = Q(assignment__participant__study=study)
    events = Event.objects.filter(study=study.slug).exclude(kind__in=EXPORT_EVENTS)
    return json_sha256(
        {
            "design": design_record(study),
            "state": study.state,
            "people": _told(
                Participant.objects.filter(study=study),
                *map(Max, ("background_at", "completed_at", "screened_at")),
                Sum("screening_attempts"),
                Count("pk", filter=~Q(outcome="in_progress")),
            ),
            "trials": _told(trials, *map(Max, ("pair_opened_at", "answered_at"))),
            "answers": _told(Response.objects.filter(of_study)),
            "exposures": _told(
                Exposure.objects.filter(of_study), Sum("visible_ms"), Sum("scrolled")
            ),
            "changes": _told(Change.objects.filter(of_study)),
            "marks": _told(EvidenceLink.objects.filter(of_study), Max("marked_at")),
            "tombstones": _told(Tombstone.objects.filter(study=study)),
            "events": _told(events, Count("pk", filter=Q(is_erased=True))),
            "unsealings": _told(study.unsealings),
        }
    )


@contextmanager
def _reading() -> Iterator[None]:
    """Open a read transaction of SQLite: Django's own would keep all writers out."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


def _told(rows: Any, *more: Any) -> list[str]:
    queryset: QuerySet[Any] = rows.order_by()
    asked = {f"more_{place}": aggregate for place, aggregate in enumerate(more)}
    numbers = queryset.aggregate(number=Count("pk"), newest=Max("pk"), **asked)
    return [str(numbers[name]) for name in sorted(numbers)]
