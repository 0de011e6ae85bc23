"""The studies that a researcher may see, in lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from studyapp.models import Participant, Scenario, StudyKind, StudyState
from studyapp.selectors.permissions import studies_of
from studyapp.selectors.rows import Rows

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    Reader = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One line of the list of studies."""

    slug: str
    title: str
    state: str
    is_demo: bool
    is_test: bool
    version: int
    scenarios: int
    scenarios_ready: int
    enrolled: int
    completed: int
    created_at: datetime


def studies_list(reader: Reader) -> list[StudyRow]:
    """List the studies a reader may see, the newest first, and archived ones last."""
    return sorted(studies_rows(reader), key=lambda row: row.state == StudyState.ARCHIVED)


def studies_rows(
    reader: Reader,
    *,
    state: str | None = None,
    is_test: bool | None = None,
    order: str = "-created_at",
) -> Rows[StudyRow]:
    """Return the studies a reader may see, in a state or in the lane that was asked for."""
    scenarios = Scenario.objects.filter(study=OuterRef("pk"))
    people = Participant.objects.filter(study=OuterRef("pk"))
    rows = studies_of(reader).annotate(
        scenario_count=_counted(scenarios),
        ready_count=_counted(scenarios.filter(pair__isnull=False)),
        enrolled_count=_counted(people),
        completed_count=_counted(people.filter(completed_at__isnull=False)),
    )
    if state is not None:
        rows = rows.filter(state=state)
    if is_test is not None:
        rows = rows.filter(is_test=is_test)
    return Rows(rows.order_by(order, "-pk"), _study_row)


def _counted(rows: QuerySet[Any]) -> Coalesce:
    """Count apart from everything else that is counted: joined, the rows would multiply."""
    counted = rows.order_by().values("study").annotate(times=Count("pk")).values("times")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _study_row(row: Any) -> StudyRow:
    return StudyRow(
        slug=row.slug,
        title=row.title,
        state=row.state,
        is_demo=row.kind == StudyKind.DEMO,
        is_test=row.is_test,
        version=row.version,
        scenarios=row.scenario_count,
        scenarios_ready=row.ready_count,
        enrolled=row.enrolled_count,
        completed=row.completed_count,
        created_at=row.created_at,
    )
