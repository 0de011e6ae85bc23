"""Record how participants read and mark, beside what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from studyapp.domain.answers import Answer, answer_fields
from studyapp.domain.measures import MeasureKind, measures_load
from studyapp.domain.reading import VIEWS_LIMIT, EvidenceMark, ReadingBatch, visible_clamp
from studyapp.domain.rules import rules_load
from studyapp.errors import BatchRefusedError, StepOrderError
from studyapp.models import Assignment, Change, Draft, EvidenceLink, Exposure, Participant
from studyapp.services.trial import pair_check, time_check, trial_get, trial_lock

# The view of changes that the server saw between two submissions of a browser without script.
SERVER_VIEW: Final = "server"


@transaction.atomic
def reading_record(*, participant: str, trial: str, batch: ReadingBatch, now: datetime) -> None:
    """Store a batch of running totals; what comes twice or late changes nothing.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        batch: what a page reports; times are cut to the time since the debate was opened.
        now: when it arrived.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the debate was not opened yet.
        AlreadyAnsweredError: the trial was answered; its paradata is complete.
        BatchRefusedError: the trial was viewed more often than anybody does.
        TimeOverError: the trial's time is over, and its cohort's answers are locked.
    """
    assignment = trial_get(participant, trial, now=now)
    time_check(assignment, now=now)
    trial_lock(assignment)
    if assignment.trace_opened_at is None:
        raise StepOrderError("nothing is read before the debate is opened")
    _views_check(assignment, batch.view)
    _exposures_raise(assignment, batch, opened_at=assignment.trace_opened_at, now=now)
    _changes_insert(assignment, batch)
    if batch.device and not assignment.participant.device:
        person = Participant.objects.filter(pk=assignment.participant_id, device="")
        person.update(device=batch.device)


@transaction.atomic
def evidence_mark(
    *, participant: str, trial: str, mark: EvidenceMark, now: datetime, writer: str = ""
) -> None:
    """Store, replace or take away a mark; the same mark twice is one.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        mark: a turn of this debate, a side, and a relation; none takes the mark away.
        now: when.
        writer: which browser, where others may know the link; empty for its holder.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the pair was not opened yet, or the study asks for no marks.
        AlreadyAnsweredError: the trial was answered.
        TimeOverError: the trial's time is over, and its cohort's answers are locked.
    """
    assignment = trial_get(participant, trial, now=now)
    pair_check(assignment)
    time_check(assignment, now=now)
    if not rules_load(assignment.participant.study.rules).evidence_links:
        raise StepOrderError("this study asks for no marks")
    trial_lock(assignment)
    if not mark.relation:
        EvidenceLink.objects.filter(
            assignment=assignment, side=mark.side, address=mark.address
        ).delete()
        return
    EvidenceLink.objects.update_or_create(
        assignment=assignment,
        side=mark.side,
        address=mark.address,
        defaults={"relation": mark.relation, "marked_at": now, "writer": writer},
    )


def draft_changes_note(
    assignment: Assignment, after: Mapping[str, str], sent: Mapping[str, str], *, now: datetime
) -> None:
    """Note which chosen answers differ from those of the draft; call in a transaction.

    For browsers without script only: the others report each change in the field `reading`.
    """
    if sent.get("reading"):
        return
    draft = Draft.objects.filter(assignment=assignment).first()
    if draft is not None:
        measures = measures_load(assignment.participant.study.measures)
        texts = {row.key for row in measures if row.kind is MeasureKind.TEXT}
        chosen = {name: value for name, value in draft.answers.items() if name not in texts}
        _changes_note(assignment, before=chosen, after=after, now=now)


def answers_by_field(answers: tuple[Answer, ...]) -> dict[str, str]:
    """Return answers by the name of their field."""
    return {f"{row.measure}.{row.side}" if row.side else row.measure: row.value for row in answers}


def _changes_note(
    assignment: Assignment, *, before: Mapping[str, str], after: Mapping[str, str], now: datetime
) -> None:
    opened_at = assignment.pair_opened_at or now
    taken = Change.objects.filter(assignment=assignment, view=SERVER_VIEW).count()
    replaced = [name for name, value in before.items() if after.get(name, value) != value]
    Change.objects.bulk_create(
        Change(
            assignment=assignment,
            view=SERVER_VIEW,
            sequence=taken + place,
            field=name,
            value=before[name][:200],
            after_ms=round((now - opened_at) / timedelta(milliseconds=1)),
        )
        for place, name in enumerate(replaced, start=1)
    )


def _views_check(assignment: Assignment, view: str) -> None:
    exposures, changes = (
        rows.filter(assignment=assignment).order_by().values_list("view", flat=True)
        for rows in (Exposure.objects, Change.objects)
    )
    views = set(exposures.union(changes))
    if view not in views and len(views) >= VIEWS_LIMIT:
        raise BatchRefusedError(f"a trial has at most {VIEWS_LIMIT} views")


def _changes_insert(assignment: Assignment, batch: ReadingBatch) -> None:
    """Keep changes of the study's own fields, to what they offer; of a text, that it changed."""
    measures = measures_load(assignment.participant.study.measures)
    offered = {row.name: ("", *row.offered) for row in answer_fields(measures)}
    Change.objects.bulk_create(
        (
            Change(
                assignment=assignment,
                view=batch.view,
                sequence=row.sequence,
                field=row.field,
                value=row.value,
                after_ms=row.after_ms,
            )
            for row in batch.replaced
            if row.value in offered.get(row.field, ())
        ),
        ignore_conflicts=True,
    )


def _exposures_raise(
    assignment: Assignment, batch: ReadingBatch, *, opened_at: datetime, now: datetime
) -> None:
    """Keep the larger total of each item."""
    known = {
        row.item: row for row in Exposure.objects.filter(assignment=assignment, view=batch.view)
    }
    rows = []
    for seen in batch.seen:
        old = known.get(seen.item)
        visible = visible_clamp(seen.visible_ms, opened_at=opened_at, now=now)
        rows.append(
            Exposure(
                assignment=assignment,
                view=batch.view,
                item=seen.item,
                visible_ms=max(visible, old.visible_ms if old else 0),
                scrolled=max(seen.scrolled, old.scrolled if old else 0),
            )
        )
    Exposure.objects.bulk_create(
        rows,
        update_conflicts=True,
        update_fields=["visible_ms", "scrolled"],
        unique_fields=["assignment", "view", "item"],
    )
