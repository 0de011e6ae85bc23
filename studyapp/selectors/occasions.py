"""What there is to tell about a study now: places, numbers, stalls, debates, runs, exports.

Live participants only: what a pilot or a test does is nobody's news. Nothing here names a
participant or an arm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Max, Min, Q, QuerySet

from studyapp.domain.occasions import Occasion, StallRule
from studyapp.models import (
    DebateRun,
    Event,
    ExportJob,
    ExportState,
    GenerationRun,
    NoticeRule,
    Outcome,
    Participant,
    Place,
    RunState,
    Study,
    StudyState,
)
from studyapp.selectors.arm_key import arm_key

# What ended longer ago was seen by whoever waited for it.
_RECENT: Final = timedelta(days=1)
_RUNS: Final = (StudyState.OPEN, StudyState.PAUSED)


Told = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Found:
    """One occasion: `subject` says which of its kind, `data` what is told beside its name."""

    occasion: Occasion
    subject: str
    data: Told


def rule_of(study_id: int) -> StallRule:
    """Return when a study counts as stalled or stuck."""
    row = NoticeRule.objects.filter(study_id=study_id).first()
    return StallRule(row.stall_hours, row.stuck_people) if row else StallRule()


def studies_with_news(*, now: datetime) -> QuerySet[Study]:
    """Return the studies in which something may be found: the others are not looked into."""
    since = now - _RECENT
    return Study.objects.filter(
        Q(state__in=_RUNS, is_test=False)
        | Q(pk__in=ExportJob.objects.filter(_recent_exports(since)).values("study"))
        | Q(pk__in=GenerationRun.objects.filter(_ended(since)).values("scenarios__study"))
        | Q(pk__in=DebateRun.objects.filter(_ended(since)).values("study"))
    ).order_by("pk")


def occasions_of(study: Study, *, now: datetime) -> list[Found]:
    """Find everything that is so now, whether it was told or not."""
    found = [*_debates(study, now=now), *_texts(study, now=now), *_exports(study, now=now)]
    if study.is_test or study.state not in _RUNS:
        return found
    found += _places(study, now=now)
    planned = list(_planned(study))
    if study.state == StudyState.OPEN and not planned:
        found += _stalls(study, now=now)
    return found + planned


def _places(study: Study, *, now: datetime) -> Iterator[Found]:
    held = Q(is_complete=True) | Q(participant__isnull=False, reserved_until__gte=now)
    places = Place.objects.filter(held, cohort__study=study, is_test=False)
    counts = Counter(
        dict(places.order_by().values_list("cohort__name").annotate(Count("pk")).iterator())
    )
    for name, quota in study.cohorts.order_by("pk").values_list("name", "quota"):
        if quota is not None and counts[name] >= quota:
            data: Told = {"cohort": name, "places": quota}
            yield Found(Occasion.COHORT_FULL, f"{name}:{quota}", data)
    if study.quota is not None and counts.total() >= study.quota:
        yield Found(Occasion.STUDY_FULL, str(study.quota), {"places": study.quota})


def _planned(study: Study) -> Iterator[Found]:
    key = arm_key(study.pk)
    if key.planned is not None and key.complete >= key.planned:
        data = {"planned": key.planned, "completed": key.complete}
        yield Found(Occasion.PLANNED_N, str(key.planned), data)


def _stalls(study: Study, *, now: datetime) -> Iterator[Found]:
    rule = rule_of(study.pk)
    opened = _opened_at(study)
    people = Participant.objects.filter(study=study, is_test=False)
    last = people.aggregate(came=Max("consented_at"), done=Max("completed_at"))
    since_done = max(filter(None, (opened, last["done"])))
    since = max(filter(None, (since_done, last["came"])))
    if now - since >= rule.period:
        yield Found(Occasion.STALLED, since.isoformat(), {"hours": rule.hours})
        return
    waiting = people.filter(outcome=Outcome.IN_PROGRESS, consented_at__gte=since_done).aggregate(
        number=Count("pk"), first=Min("consented_at")
    )
    if waiting["number"] >= rule.people and now - waiting["first"] >= rule.period:
        data = {"hours": rule.hours, "in_progress": waiting["number"]}
        yield Found(Occasion.STUCK, since_done.isoformat(), data)


def _opened_at(study: Study) -> datetime:
    """Return when the study was last opened: a pause is no stall."""
    opened = Event.objects.filter(study=study.slug, kind=f"study.{StudyState.OPEN}")
    last = opened.order_by("-pk").values_list("at", flat=True).first()
    return last or study.opened_at or study.created_at


def _debates(study: Study, *, now: datetime) -> Iterator[Found]:
    rows = DebateRun.objects.filter(_ended(now - _RECENT), study=study).order_by("pk")
    for debate_id, state, at in rows.values_list("pk", "state", "finished_at"):
        data: Told = {"debate": debate_id, "state": state}
        yield Found(Occasion.DEBATE_FAILED, f"{debate_id}:{at}", data)


def _texts(study: Study, *, now: datetime) -> Iterator[Found]:
    rows = GenerationRun.objects.filter(_ended(now - _RECENT), scenarios__study=study)
    for run_id, state, at, scenario in rows.order_by("pk").values_list(
        "pk", "state", "finished_at", "scenarios__key"
    ):
        data: Told = {"run": run_id, "scenario": scenario, "state": state}
        # A retry may fail as well, and that is news.
        yield Found(Occasion.TEXTS_FAILED, f"{run_id}:{at}", data)


def _exports(study: Study, *, now: datetime) -> Iterator[Found]:
    rows = ExportJob.objects.filter(_recent_exports(now - _RECENT), study=study).order_by("pk")
    for job_id, state in rows.values_list("pk", "state"):
        if state == ExportState.FINISHED:
            yield Found(Occasion.EXPORT_READY, str(job_id), {"export": job_id})
        elif state == ExportState.FAILED:
            yield Found(Occasion.EXPORT_FAILED, str(job_id), {"export": job_id})


def _ended(since: datetime) -> Q:
    return Q(state__in=(RunState.FAILED, RunState.CANCELLED), finished_at__gte=since)


def _recent_exports(since: datetime) -> Q:
    """One whose worker died for the last time has no end."""
    return Q(built_at__gte=since) | Q(built_at__isnull=True, requested_at__gte=since)
