"""The tables beside the answers: who took part, what was assigned, how it was read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db.models import Count, Max, QuerySet, Sum

from studyapp.domain.export_options import ExportOptions
from studyapp.domain.randomise import block_size
from studyapp.models import (
    Assignment,
    Change,
    EvidenceLink,
    Exposure,
    Outcome,
    Participant,
    Study,
)
from studyapp.seams import analysis
from studyapp.services.export.head import StudyHead
from studyapp.services.export.long_lines import PAIR_ITEM, iso
from studyapp.services.export.people import Portion, tombstones_of

EVIDENCE_FILE: Final = "evidence.csv"
CHANGES_FILE: Final = "changes.csv"
EVIDENCE_COLUMNS: Final = (
    "study", "participant_id", "scenario", "trial_order", "position", "address", "relation",
    "marked_at",
)  # fmt: skip
CHANGES_COLUMNS: Final = (
    "study", "participant_id", "scenario", "trial_order", "measure", "position", "view",
    "sequence", "value_before", "after_ms",
)  # fmt: skip
# What participants.csv has besides the columns that analysis reads.
PARTICIPANT_MORE: Final = ("device", "consented_at", "background_at", "completed_at")
SCREENING_MORE: Final = ("stratum", "screening_attempts", "screening")
EXTERNAL_MORE: Final = ("external_id", "captured")
_CHUNK: Final = 2000
_TRACE_ITEM: Final = "page:debate"
_SIDES: Final = ("left", "right")
_Lines = Iterator[list[str]]


def participant_columns(study: Study, options: ExportOptions) -> tuple[str, ...]:
    """Name the columns of the participants: screening and external ids only where they are."""
    return (
        *analysis.columns_of(analysis.ParticipantRow),
        *PARTICIPANT_MORE,
        *(SCREENING_MORE if study.screening else ()),
        *(EXTERNAL_MORE if options.external_ids else ()),
    )


def participant_lines(head: StudyHead, portion: Portion, columns: tuple[str, ...]) -> _Lines:
    """Yield everyone who consented and did not withdraw."""
    for person in _rows(portion.people):
        cohort = head.cohorts[person.cohort_id]
        row = analysis.ParticipantRow(
            study=head.slug,
            participant_id=person.code,
            cohort=cohort.name,
            language=person.language,
            source=cohort.source,
            time_pressure=cohort.time_pressure,
            status="partial" if person.outcome == Outcome.IN_PROGRESS else person.outcome,
            is_test=person.is_test,
            is_bot=person.is_bot,
        )
        more = _person_more(person)
        known = len(analysis.columns_of(analysis.ParticipantRow))
        yield analysis.table_cells(row) + [analysis.cell(more[name]) for name in columns[known:]]


def assignment_lines(head: StudyHead, portion: Portion) -> _Lines:
    """Yield every assignment, unopened ones too."""
    size = block_size(len(head.scenarios)) if head.scenarios else 1
    for trial in _rows(_of(Assignment, portion, "participant").select_related("participant")):
        person = trial.participant
        cohort = head.cohorts[person.cohort_id]
        swap = trial.treatment_is_left
        row = analysis.AssignmentRow(
            study=head.slug,
            participant_id=person.code,
            cohort=cohort.name,
            scenario=head.scenarios[trial.scenario_id].key,
            block=str((person.enrolment - 1) // size + 1),
            trial_order=trial.order,
            left_arm=head.arm_at(left=True, treatment_is_left=swap),
            time_pressure=cohort.time_pressure,
            presented_at=iso(trial.pair_opened_at),
            answered_at=iso(trial.answered_at),
        )
        yield analysis.table_cells(row)


def paradata_lines(head: StudyHead, portion: Portion) -> _Lines:
    """Yield how each item of each trial was looked at, and how often each answer was changed."""
    trials = {row.pk: row for row in _of(Assignment, portion, "participant").only(*_TRIAL)}
    codes = dict(portion.people.order_by().values_list("pk", "code"))
    seen = _exposures(portion)
    changed = _changes(portion)
    for trial in trials.values():
        mark = _trial_mark(head, codes, trial)
        for item, visible_ms, scrolled in seen.get(trial.pk, ()):
            kind, name = _item(item)
            yield analysis.table_cells(
                analysis.ParadataRow(
                    **mark,
                    item_kind=kind,
                    item=name,
                    visible_seconds=visible_ms / 1000,
                    scroll_coverage=scrolled / 100,
                    changes=None,
                )
            )
        for measure, number in changed.get(trial.pk, {}).items():
            yield analysis.table_cells(
                analysis.ParadataRow(
                    **mark,
                    item_kind=analysis.MEASURE,
                    item=measure,
                    visible_seconds=None,
                    scroll_coverage=None,
                    changes=number,
                )
            )


def evidence_lines(head: StudyHead, portion: Portion) -> _Lines:
    """Yield the turns that participants marked as supporting or contradicting a report."""
    for link in _rows(_beside(EvidenceLink, portion)):
        mark = _trial_mark(head, {}, link.assignment)
        more = (link.side, link.address, link.relation, iso(link.marked_at))
        yield [analysis.cell(value) for value in (*mark.values(), *more)]


def change_lines(head: StudyHead, portion: Portion) -> _Lines:
    """Yield every answer that was chosen and replaced before the answers were submitted."""
    for change in _rows(_beside(Change, portion)):
        measure, _, side = change.field.partition(".")
        mark = _trial_mark(head, {}, change.assignment)
        value = change.value
        more = (measure, side, change.view, change.sequence, value, change.after_ms)
        yield [analysis.cell(cell) for cell in (*mark.values(), *more)]


def exclusion_lines(head: StudyHead, portion: Portion) -> _Lines:
    """Yield those whom the study's rule about attention checks took out."""
    for person in _rows(portion.people.filter(outcome=Outcome.FAILED_ATTENTION)):
        yield analysis.table_cells(
            analysis.ExclusionRow(
                study=head.slug,
                participant_id=person.code,
                rule="failed_attention",
                reason="Taking part ended after too many failed attention checks.",
            )
        )


def withdrawn_lines(study: Study, head: StudyHead, options: ExportOptions) -> _Lines:
    """Yield what stays of those who withdrew: what was drawn for them, no answer and no time."""
    size = block_size(len(head.scenarios)) if head.scenarios else 1
    for number, stone in enumerate(tombstones_of(study, options), start=1):
        cohort = head.cohorts[stone.cohort_id]
        common: dict[str, Any] = {
            "study": head.slug,
            "tombstone": f"withdrawn-{number}",
            "cohort": cohort.name,
            "block": str((stone.enrolment - 1) // size + 1),
            "status": "complete" if stone.was_complete else "partial",
        }
        drawn: list[tuple[int | None, Any]] = [*enumerate(stone.trials, start=1)]
        drawn = drawn or [(None, None)]
        for place, trial in drawn:
            yield analysis.table_cells(_withdrawn_row(head, common, place, trial))


def _withdrawn_row(
    head: StudyHead, common: Mapping[str, Any], place: int | None, trial: Any
) -> analysis.WithdrawnRow:
    left = ""
    if trial:
        left = head.arm_at(left=True, treatment_is_left=trial["treatment_is_left"])
    return analysis.WithdrawnRow(
        **common,
        scenario=trial["scenario"] if trial else "",
        left_arm=left,
        trial_order=place,
    )


_TRIAL: Final = ("participant_id", "scenario_id", "order")


def _trial_mark(head: StudyHead, codes: Mapping[int, str], trial: Assignment) -> dict[str, Any]:
    code = codes.get(trial.participant_id) or trial.participant.code
    return {
        "study": head.slug,
        "participant_id": code,
        "scenario": head.scenarios[trial.scenario_id].key,
        "trial_order": trial.order,
    }


def _person_more(person: Participant) -> dict[str, Any]:
    return {
        "device": person.device,
        "consented_at": iso(person.consented_at),
        "background_at": iso(person.background_at),
        "completed_at": iso(person.completed_at),
        "stratum": person.stratum,
        "screening_attempts": person.screening_attempts,
        "screening": _json(person.screening),
        "external_id": person.external_id,
        "captured": _json(person.captured),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


def _exposures(portion: Portion) -> dict[int, list[tuple[str, int, int]]]:
    rows = Exposure.objects.filter(assignment__participant__in=portion.people.order_by())
    totals = rows.order_by("assignment", "item").values_list("assignment_id", "item")
    found: dict[int, list[tuple[str, int, int]]] = {}
    for trial, item, visible_ms, scrolled in totals.annotate(Sum("visible_ms"), Max("scrolled")):
        found.setdefault(trial, []).append((item, visible_ms, scrolled))
    return found


def _changes(portion: Portion) -> dict[int, dict[str, int]]:
    rows = Change.objects.filter(assignment__participant__in=portion.people.order_by())
    counted = rows.order_by("assignment", "field").values_list("assignment_id", "field")
    found: dict[int, dict[str, int]] = {}
    for trial, field, number in counted.annotate(Count("pk")):
        measure = field.partition(".")[0]
        by_measure = found.setdefault(trial, {})
        by_measure[measure] = by_measure.get(measure, 0) + number
    return found


def _item(item: str) -> tuple[str, str]:
    if item in _SIDES:
        return analysis.REPORT, item
    if item == _TRACE_ITEM:
        return analysis.TRACE, ""
    return (analysis.PAIR, "") if item == PAIR_ITEM else (analysis.TURN, item)


def _of(model: Any, portion: Portion, person: str) -> QuerySet[Any]:
    people = portion.people.order_by()
    selected: QuerySet[Any] = model.objects.filter(**{f"{person}__in": people})
    return selected.order_by(person, "order")


def _beside(model: Any, portion: Portion) -> QuerySet[Any]:
    people = portion.people.order_by()
    rows: QuerySet[Any] = model.objects.filter(assignment__participant__in=people)
    ordered = rows.order_by("assignment__participant", "assignment__order", "pk")
    return ordered.select_related("assignment__participant")


def _rows(queryset: QuerySet[Any]) -> Iterator[Any]:
    """Read from a cursor on the server: memory does not grow with the rows."""
    return queryset.iterator(chunk_size=_CHUNK)
