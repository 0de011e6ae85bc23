"""How many took part, counted once for every page and file: rows, and tombstones of who left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from studyapp.models import Event, Participant, Study, Tombstone
from studyapp.selectors.pilots import after_pilot


@dataclass(frozen=True, slots=True)
class Completions:
    """Participants of a study with those who withdrew, beside what the log says.

    `enrolled` and `completed` count rows, `withdrawn` and `withdrawn_complete` tombstones,
    `logged_enrolled` and `logged_completed` events. Test participants are in all of them,
    those of a pilot only until it is over.
    """

    enrolled: int
    completed: int
    withdrawn: int
    withdrawn_complete: int
    logged_enrolled: int
    logged_completed: int

    @property
    def n(self) -> int:
        """Everybody who ever completed, whether their answers are still here or not."""
        return self.completed + self.withdrawn_complete

    @property
    def holds(self) -> bool:
        """Whether rows and tombstones together are what the log says."""
        return (
            self.logged_completed == self.n
            and self.logged_enrolled == self.enrolled + self.withdrawn
        )


def completions_get(study_id: int) -> Completions:
    """Count a study, in one statement, so that all counts are of one moment."""
    people = Participant.objects.filter(study=OuterRef("pk"))
    gone = Tombstone.objects.filter(study=OuterRef("pk"))
    since = after_pilot(OuterRef(OuterRef("slug")))
    logged = Event.objects.filter(since, study=OuterRef("slug"))
    counts = {
        "enrolled": _count(people, "study"),
        "completed": _count(people.filter(completed_at__isnull=False), "study"),
        "withdrawn": _count(gone, "study"),
        "withdrawn_complete": _count(gone.filter(was_complete=True), "study"),
        "logged_enrolled": _count(logged.filter(kind="participant.enrolled"), "study"),
        "logged_completed": _count(logged.filter(kind="participant.completed"), "study"),
    }
    row: Any = Study.objects.filter(pk=study_id).values(**counts).get()
    return Completions(**row)


def _count(rows: QuerySet[Any], group: str) -> Coalesce:
    counted = rows.order_by().values(group).annotate(times=Count("pk")).values("times")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
