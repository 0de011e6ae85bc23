"""What a researcher watches while a study runs: who came how far, by cohort, day and trial.

Nothing here is split by arm or by side.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import TruncDate

from studyapp.models import (
    Assignment,
    Cohort,
    LinkKind,
    Outcome,
    Participant,
    Place,
    Scenario,
    Tombstone,
)
from studyapp.selectors.health import SystemHealth, system_health
from studyapp.selectors.watch_work import Waiting, work_waiting

HEAT_ROWS: Final = 50
# From far to near the answer.
HEAT_CELLS: Final = ("ahead", "debate", "reports", "answered")
_DAYS: Final = 14
_CHUNK: Final = 2000


@dataclass(frozen=True, slots=True)
class CohortProgress:
    """A cohort's live participants by how far they have come; the groups do not overlap.

    `here` are in progress and hold a place, `away` are in progress and have lost it or let it run
    out. `invited` counts personal links that were not taken back; None where nobody is invited by
    name, and who opens the link is not known.
    """

    name: str
    state: str
    quota: int | None
    invited: int | None
    consented: int
    here: int
    away: int
    complete: int
    screened_out: int
    failed_attention: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class Day:
    """One day (UTC): who consented and who completed."""

    on: date
    consented: int
    complete: int


@dataclass(frozen=True, slots=True)
class Station:
    """Where people in progress are: `kind` is start (before the first debate), debate, reports."""

    kind: str
    trial: int
    people: int


@dataclass(frozen=True, slots=True)
class MedianTime:
    """A scenario's median times as m:ss, empty without answers.

    `debate` runs from opening the debate to the reports, `reports` from there to the answers.
    """

    title: str
    debate: str
    reports: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One participant by trial: each cell is ahead, debate, reports or answered."""

    code: str
    cohort: str
    outcome: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Watch:
    """Everything on the page, as it is now."""

    cohorts: tuple[CohortProgress, ...]
    days: tuple[Day, ...]
    stations: tuple[Station, ...]
    times: tuple[MedianTime, ...]
    heat: tuple[HeatRow, ...]
    heat_total: int
    waiting: tuple[Waiting, ...]
    system: SystemHealth

    @property
    def is_late(self) -> bool:
        """Whether something has waited so long that no worker seems to run."""
        return any(work.is_late for work in self.waiting)


def watch_get(study_id: int, *, is_test: bool, now: datetime, page: int = 0) -> Watch:
    """Read a study's progress in a fixed number of queries for each scenario and cohort.

    Args:
        study_id: primary key.
        is_test: which lane to watch.
        now: when.
        page: which HEAT_ROWS participants the heat map shows; 0 for the latest.
    """
    people = Participant.objects.filter(study_id=study_id, is_test=is_test)
    return Watch(
        cohorts=_cohorts(study_id, people, is_test=is_test, now=now),
        days=_days(people, now=now),
        stations=_stations(people),
        times=_times(study_id, is_test=is_test),
        heat=_heat(people, page=page),
        heat_total=people.count(),
        waiting=work_waiting(study_id, now=now),
        system=system_health(now=now),
    )


def _cohorts(
    study_id: int, people: QuerySet[Participant], *, is_test: bool, now: datetime
) -> tuple[CohortProgress, ...]:
    outcomes = {name: Count("pk", filter=Q(outcome=name)) for name in Outcome.values}
    by_cohort: dict[int, dict[str, Any]] = {
        row["cohort"]: dict(row)
        for row in people.order_by().values("cohort").annotate(all=Count("pk"), **outcomes)
    }
    here = _counted(
        Place.objects.filter(
            cohort__study_id=study_id,
            is_test=is_test,
            participant__outcome=Outcome.IN_PROGRESS,
            reserved_until__gte=now,
        )
    )
    gone = _counted(Tombstone.objects.filter(study_id=study_id, is_test=is_test))
    valid = Count("invitations", filter=Q(invitations__revoked_at__isnull=True))
    rows = Cohort.objects.filter(study_id=study_id).annotate(invited=valid).order_by("pk")
    return tuple(_cohort(row, by_cohort.get(row.pk, {}), here, gone) for row in rows)


def _cohort(
    cohort: Any, counts: dict[str, Any], here: dict[int, int], gone: dict[int, int]
) -> CohortProgress:
    present = here.get(cohort.pk, 0)
    return CohortProgress(
        name=cohort.name,
        state=cohort.state,
        quota=cohort.quota,
        invited=cohort.invited if cohort.link_kind == LinkKind.PERSONAL else None,
        consented=counts.get("all", 0),
        here=present,
        away=counts.get(Outcome.IN_PROGRESS, 0) - present,
        complete=counts.get(Outcome.COMPLETE, 0),
        screened_out=counts.get(Outcome.SCREENED_OUT, 0),
        failed_attention=counts.get(Outcome.FAILED_ATTENTION, 0),
        withdrawn=gone.get(cohort.pk, 0),
    )


def _counted(rows: QuerySet[Any]) -> dict[int, int]:
    return dict(rows.order_by().values_list("cohort").annotate(Count("pk")))


def _days(people: QuerySet[Participant], *, now: datetime) -> tuple[Day, ...]:
    since = now - timedelta(days=_DAYS)
    consented = _by_day(people.filter(consented_at__gte=since), "consented_at")
    complete = _by_day(people.filter(completed_at__gte=since), "completed_at")
    days = sorted(set(consented) | set(complete), reverse=True)
    return tuple(Day(on, consented.get(on, 0), complete.get(on, 0)) for on in days)


def _by_day(people: QuerySet[Participant], moment: str) -> dict[date, int]:
    dated = people.order_by().annotate(on=TruncDate(moment)).values_list("on")
    return dict(dated.annotate(Count("pk")))


def _stations(people: QuerySet[Participant]) -> tuple[Station, ...]:
    """Count people by the first thing that they have not done."""
    ahead = people.filter(outcome=Outcome.IN_PROGRESS)
    rows = (
        ahead.order_by()
        .annotate(
            begun=Count("assignments", filter=Q(assignments__trace_opened_at__isnull=False)),
            read=Count("assignments", filter=Q(assignments__pair_opened_at__isnull=False)),
            answered=Count("assignments", filter=Q(assignments__answered_at__isnull=False)),
        )
        .values_list("begun", "read", "answered")
    )
    counts = Counter(_station(*row) for row in rows.iterator(chunk_size=_CHUNK))
    return tuple(Station(kind, trial, times) for (trial, kind), times in sorted(counts.items()))


def _station(begun: int, read: int, answered: int) -> tuple[int, str]:
    if not begun:
        return (0, "start")
    return (answered + 1, "reports" if read > answered else "debate")


def _times(study_id: int, *, is_test: bool) -> tuple[MedianTime, ...]:
    rows = Assignment.objects.filter(
        scenario__study_id=study_id, participant__is_test=is_test, answered_at__isnull=False
    )
    counts = dict(rows.order_by().values_list("scenario").annotate(Count("pk")))
    scenarios = Scenario.objects.filter(study_id=study_id).order_by("position")
    return tuple(
        MedianTime(
            title=scenario.label,
            debate=_median(rows, scenario.pk, counts, "pair_opened_at", "trace_opened_at"),
            reports=_median(rows, scenario.pk, counts, "answered_at", "pair_opened_at"),
        )
        for scenario in scenarios.select_related("trace").defer("trace__content")
    )


def _median(
    rows: QuerySet[Assignment], scenario: int, counts: dict[int, int], end: str, start: str
) -> str:
    """The lower median, found by the database: no row leaves it but one."""
    count = counts.get(scenario, 0)
    if not count:
        return ""
    took = ExpressionWrapper(F(end) - F(start), output_field=DurationField())
    ordered = rows.filter(scenario=scenario).annotate(took=took).order_by("took")
    seconds = round(ordered.values_list("took", flat=True)[(count - 1) // 2].total_seconds())
    return f"{seconds // 60}:{seconds % 60:02d}"


def _heat(people: QuerySet[Participant], *, page: int) -> tuple[HeatRow, ...]:
    first = max(0, page) * HEAT_ROWS
    shown = list(people.order_by("-pk").select_related("cohort")[first : first + HEAT_ROWS])
    cells: dict[int, list[str]] = {person.pk: [] for person in shown}
    fields = ("participant", "trace_opened_at", "pair_opened_at", "answered_at")
    trials = Assignment.objects.filter(participant__in=shown).order_by("participant", "order")
    for person, opened, read, answered in trials.values_list(*fields):
        cells[person].append(_cell(opened, read, answered))
    return tuple(
        HeatRow(person.code, person.cohort.name, person.outcome, tuple(cells[person.pk]))
        for person in shown
    )


def _cell(opened: datetime | None, read: datetime | None, answered: datetime | None) -> str:
    if answered is not None:
        return "answered"
    if read is not None:
        return "reports"
    return "ahead" if opened is None else "debate"
