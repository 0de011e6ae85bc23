"""What a trial's pages need besides its texts: rules, time, order of the measures, marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Sum

from studyapp.domain.moments import epoch_ms
from studyapp.domain.rules import StudyRules, rules_load
from studyapp.domain.time_pressure import TimePressure, time_pressure_load
from studyapp.domain.trace_view import TraceView, trace_view_build
from studyapp.errors import UnknownLinkError
from studyapp.models import Assignment, DebateTrace, Draft, EvidenceLink, Exposure


@dataclass(frozen=True, slots=True)
class TrialReading:
    """How a trial is read and answered: rules, time, order of the measures, and its debate."""

    rules: StudyRules
    pressure: TimePressure
    measure_order: tuple[str, ...]
    trace_sha256: str
    trace_opened_at: datetime | None
    pair_opened_at: datetime | None
    timed_out: bool


@dataclass(frozen=True, slots=True)
class MarkView:
    """A participant's mark: a turn that supports or contradicts the report on a side."""

    address: str
    number: int
    side: str
    relation: str


@dataclass(frozen=True, slots=True)
class DraftView:
    """What was entered and not yet submitted, by field name, and when; 0 where there is none.

    `is_elsewhere` says that something was entered or marked in a browser of which this one is told
    nothing.
    """

    answers: Mapping[str, str]
    saved_at_ms: int
    is_elsewhere: bool = False


def trial_reading(trial_token: str) -> TrialReading:
    """Return how a trial is read.

    Raises:
        UnknownLinkError: no trial has this token.
    """
    row = (
        Assignment.objects.filter(token=trial_token)
        .values(
            "measure_order",
            "trace_opened_at",
            "pair_opened_at",
            "timed_out",
            "scenario__trace__sha256",
            "participant__study__rules",
            "participant__cohort__time_pressure",
        )
        .first()
    )
    if row is None:
        raise UnknownLinkError("no trial has this link")
    return reading_of(
        row,
        rules=rules_load(row["participant__study__rules"]),
        pressure=time_pressure_load(row["participant__cohort__time_pressure"]),
    )


def reading_of(
    row: Mapping[str, Any], *, rules: StudyRules, pressure: TimePressure
) -> TrialReading:
    """Return how a trial is read of which the columns are there."""
    return TrialReading(
        rules=rules,
        pressure=pressure,
        measure_order=tuple(row["measure_order"]),
        trace_sha256=row["scenario__trace__sha256"],
        trace_opened_at=row["trace_opened_at"],
        pair_opened_at=row["pair_opened_at"],
        timed_out=row["timed_out"],
    )


def trace_read(reading: TrialReading) -> TraceView:
    """Return the debate of a trial; private traces are in it only where the study shows them."""
    return _trace_view(reading.trace_sha256, shows_private=reading.rules.shows_private)


def draft_read(trial_token: str, *, writer: str) -> DraftView:
    """Return what a writer may see: the latest draft, or for all but the holder their own."""
    drafts = list(Draft.objects.filter(assignment__token=trial_token))
    shown = [row for row in drafts if writer in ("", row.writer)]
    is_elsewhere = bool(writer) and (len(shown) < len(drafts) or _has_marks(trial_token, writer))
    if not shown:
        return DraftView({}, 0, is_elsewhere)
    return DraftView(dict(shown[0].answers), epoch_ms(shown[0].saved_at), is_elsewhere)


def marks_list(trial_token: str, *, writer: str) -> tuple[MarkView, ...]:
    """Return the marks that a writer may see, in the order of the debate."""
    rows = EvidenceLink.objects.filter(assignment__token=trial_token)
    if writer:
        rows = rows.filter(writer=writer)
    marks = [
        MarkView(row.address, int(row.address.removeprefix("T")), row.side, row.relation)
        for row in rows
    ]
    return tuple(sorted(marks, key=lambda mark: (mark.number, mark.side)))


def visible_ms(assignment_id: int, item: str) -> int | None:
    """Return how long an item was in view, or None where no page reported anything."""
    seen = Exposure.objects.filter(assignment_id=assignment_id, item=item)
    total: int | None = seen.aggregate(total=Sum("visible_ms"))["total"]
    return total


def _has_marks(trial_token: str, writer: str) -> bool:
    """Say whether anything was marked by another writer."""
    marks = EvidenceLink.objects.filter(assignment__token=trial_token)
    return marks.exclude(writer=writer).exists()


@lru_cache(maxsize=32)
def _trace_view(sha256: str, *, shows_private: bool) -> TraceView:
    """Keep the last few: a trace is named by its content, and rendering a long one takes time."""
    content = DebateTrace.objects.get(sha256=sha256).content
    return trace_view_build(content, shows_private=shows_private)
