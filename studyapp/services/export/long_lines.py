"""The long table from Django's rows: here positions become arms.

The way for every database; PostgreSQL has a faster one in `long_copy`, and a test holds the two
to the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final

from django.db.models import Count, Sum

from studyapp.domain.measures import Measure, MeasureKind
from studyapp.models import Change, Exposure, Response
from studyapp.seams import analysis
from studyapp.services.export.head import StudyHead
from studyapp.services.export.people import Portion

# What the page reports while both reports are in view; answers about the pair belong to it.
PAIR_ITEM: Final = "page:reports"
_CHUNK: Final = 2000
_FIELDS: Final = (
    "pk",
    "code",
    "cohort_id",
    "language",
    "is_test",
    "is_bot",
    "background",
    "background_at",
    "completed_at",
    "assignments__pk",
    "assignments__scenario_id",
    "assignments__order",
    "assignments__treatment_is_left",
    "assignments__pair_opened_at",
    "assignments__responses__measure",
    "assignments__responses__side",
    "assignments__responses__value",
    "assignments__responses__answered_at",
)


@dataclass(frozen=True, slots=True)
class _Seen:
    """How a portion's people read and answered, by assignment (attention by participant)."""

    visible: Mapping[tuple[int, str], int]
    changes: Mapping[tuple[int, str], int]
    attention: Mapping[int, bool]


def long_lines(head: StudyHead, portion: Portion) -> Iterator[list[str]]:
    """Yield a portion's answers as lines of the long table, each person's together."""
    seen = _seen(head, portion)
    order = ("pk", "assignments__order", "assignments__responses__pk")
    records = portion.people.order_by(*order).values_list(*_FIELDS, named=True)
    for _, group in groupby(records.iterator(chunk_size=_CHUNK), key=lambda record: record.pk):
        for line in _person_lines(list(group), head, seen):
            yield analysis.table_cells(line)


def _seen(head: StudyHead, portion: Portion) -> _Seen:
    people = portion.people.order_by().values("pk")
    exposures = Exposure.objects.filter(assignment__participant__in=people).order_by()
    changes = Change.objects.filter(assignment__participant__in=people).order_by()
    visible = exposures.values_list("assignment_id", "item").annotate(Sum("visible_ms"))
    counted = changes.values_list("assignment_id", "field").annotate(Count("pk"))
    return _Seen(
        visible={(pk, item): ms for pk, item, ms in visible},
        changes={(pk, field): number for pk, field, number in counted},
        attention=_attention(head, people) if head.attention else {},
    )


def _attention(head: StudyHead, people: Any) -> dict[int, bool]:
    right = head.attention
    checks = Response.objects.filter(assignment__participant__in=people, measure__in=right)
    passed: dict[int, bool] = {}
    values = checks.order_by().values_list("assignment__participant_id", "measure", "value")
    for person, measure, value in values:
        passed[person] = passed.get(person, True) and value == right[measure]
    return passed


def _person_lines(
    answers: Sequence[Any], head: StudyHead, seen: _Seen
) -> Iterator[analysis.LongLine]:
    places = {key: place for place, key in enumerate(head.measures)}
    given = [answer for answer in answers if answer.assignments__responses__measure is not None]
    given.sort(
        key=lambda answer: (
            answer.assignments__order,
            places[answer.assignments__responses__measure],
            answer.assignments__responses__side,
        )
    )
    yield from _background_lines(answers[0], head, seen)
    for answer in given:
        yield _answer_line(answer, head, seen)


def _background_lines(person: Any, head: StudyHead, seen: _Seen) -> Iterator[analysis.LongLine]:
    stored = person.background or {}
    for key in head.background:
        if key not in stored:
            continue
        yield analysis.LongLine(
            **_person_cells(person, head, seen),
            scenario="",
            trial_order=None,
            measure=f"{analysis.BACKGROUND_PREFIX}{key}",
            kind=analysis.BACKGROUND,
            arm="",
            position="",
            value=str(stored[key]),
            left_arm="",
            presented_at="",
            answered_at=iso(person.background_at),
            models=head.mode,
            pair_token="",
            dwell_visible_ms=None,
            n_changes=None,
        )


def _answer_line(answer: Any, head: StudyHead, seen: _Seen) -> analysis.LongLine:
    measure = head.measures[answer.assignments__responses__measure]
    scenario = head.scenarios[answer.assignments__scenario_id]
    side = answer.assignments__responses__side
    swap = answer.assignments__treatment_is_left
    trial = answer.assignments__pk
    return analysis.LongLine(
        **_person_cells(answer, head, seen),
        scenario=scenario.key,
        trial_order=answer.assignments__order,
        measure=measure.key,
        kind=measure.kind.value,
        arm=head.arm_at(left=side == "left", treatment_is_left=swap) if side else "",
        position=side,
        value=_value(answer, measure, head),
        left_arm=head.arm_at(left=True, treatment_is_left=swap),
        presented_at=iso(answer.assignments__pair_opened_at),
        answered_at=iso(answer.assignments__responses__answered_at),
        models=scenario.mode,
        pair_token=scenario.pair_token,
        dwell_visible_ms=seen.visible.get((trial, side or PAIR_ITEM)),
        n_changes=seen.changes.get((trial, f"{measure.key}.{side}" if side else measure.key), 0),
    )


def _person_cells(person: Any, head: StudyHead, seen: _Seen) -> dict[str, Any]:
    cohort = head.cohorts[person.cohort_id]
    return {
        "study": head.slug,
        "design_hash": head.design_hash,
        "participant_id": person.code,
        "cohort": cohort.name,
        "language": person.language,
        "status": "complete" if person.completed_at else "partial",
        "is_test": person.is_test,
        "is_bot": person.is_bot,
        "source": cohort.source,
        "attention_pass": seen.attention.get(person.pk),
    }


def _value(answer: Any, measure: Measure, head: StudyHead) -> int | str:
    value: str = answer.assignments__responses__value
    if measure.kind in (MeasureKind.RATING, MeasureKind.CONFIDENCE):
        return int(value)
    if measure.kind is MeasureKind.ATTENTION:
        return analysis.FAILED if measure.is_failed(value) else analysis.PASSED
    if measure.kind is MeasureKind.CHOICE and value in ("left", "right"):
        swap = answer.assignments__treatment_is_left
        return head.arm_at(left=value == "left", treatment_is_left=swap) or value
    return value


def iso(moment: datetime | None) -> str:
    """Write a moment as every table has it: UTC, milliseconds, with its offset."""
    return "" if moment is None else moment.astimezone(UTC).isoformat(timespec="milliseconds")
