"""Record what a participant does and answers, in order, once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from studyapp.domain.answers import Answer, Problem, answers_keep, answers_read
from studyapp.domain.background import background_load, background_read
from studyapp.domain.measures import measures_load
from studyapp.errors import (
    AlreadyAnsweredError,
    AnswerError,
    StepOrderError,
    StudyNotOpenError,
    UnknownLinkError,
)
from studyapp.models import (
    Assignment,
    Draft,
    Event,
    Participant,
    Response,
    Study,
    StudyState,
)
from studyapp.selectors.participation import background_asked
from studyapp.services.completion import completion_mark
from studyapp.services.places import place_keep


@transaction.atomic
def background_record(*, participant: str, sent: Mapping[str, str], now: datetime) -> None:
    """Store the answers to the background questions, once.

    Args:
        participant: token of the personal link.
        sent: value by question key.
        now: when they were sent.

    Raises:
        UnknownLinkError: nobody has this link.
        StudyNotOpenError: the study is closed.
        AlreadyAnsweredError: the questions were answered before.
        AnswerError: an answer is missing or not one of those offered.
    """
    person = _participant_get(participant, now=now)
    _screening_check(person)
    if person.background_at is not None:
        raise AlreadyAnsweredError("the background questions were answered before")
    sheet = background_read(background_load(background_asked(person)), sent)
    _problems_refuse(sheet.problems)
    fresh = Participant.objects.filter(pk=person.pk, background_at__isnull=True)
    if fresh.update(background=sheet.values, background_at=now) != 1:
        raise AlreadyAnsweredError("the background questions were answered a moment ago")
    _event_add(person, "background.recorded", now=now)
    completion_mark(participant=person, now=now)


@transaction.atomic
def trial_open(*, participant: str, trial: str, now: datetime) -> None:
    """Note that the participant begins to read a debate; the first time counts.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        now: when.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: an earlier step is not done.
    """
    assignment = _assignment_get(participant, trial, now=now)
    _turn_check(assignment)
    fresh = Assignment.objects.filter(pk=assignment.pk, trace_opened_at__isnull=True)
    if fresh.update(trace_opened_at=now):
        _event_add(assignment.participant, "trace.opened", now=now, order=assignment.order)


@transaction.atomic
def pair_open(*, participant: str, trial: str, now: datetime) -> None:
    """Note that the debate was read and the pair is shown; the first time counts.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        now: when.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the debate was not opened, or an earlier trial is not answered.
    """
    assignment = _assignment_get(participant, trial, now=now)
    _turn_check(assignment)
    if assignment.trace_opened_at is None:
        raise StepOrderError("the debate comes before the reports about it")
    fresh = Assignment.objects.filter(pk=assignment.pk, pair_opened_at__isnull=True)
    if fresh.update(pair_opened_at=now):
        _event_add(assignment.participant, "pair.opened", now=now, order=assignment.order)


@transaction.atomic
def draft_save(*, participant: str, trial: str, sent: Mapping[str, str], now: datetime) -> None:
    """Keep what was entered so far, unchecked; a later draft replaces it.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        sent: value by field name; fields that the study does not have are dropped.
        now: when.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the pair was not opened yet.
        AlreadyAnsweredError: the answers were submitted; a late draft must not outlive them.
    """
    assignment = _assignment_get(participant, trial, now=now)
    _pair_check(assignment)
    # The lock makes a draft and the submission of the same trial take turns.
    if _unanswered(assignment).select_for_update().first() is None:
        raise AlreadyAnsweredError("the trial was answered before; its answers stand")
    measures = measures_load(assignment.participant.study.measures)
    Draft.objects.update_or_create(
        assignment=assignment,
        defaults={"answers": answers_keep(measures, sent), "saved_at": now},
    )


@transaction.atomic
def response_record(
    *, participant: str, trial: str, sent: Mapping[str, str], now: datetime
) -> None:
    """Store the answers to one pair, once and complete, and drop its draft.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        sent: value by field name, as `answer_fields` names them.
        now: when they were sent.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the pair was not opened yet.
        AlreadyAnsweredError: the pair was answered before; the first answers stand.
        AnswerError: an answer is missing or outside what is offered; nothing is stored.
    """
    assignment = _assignment_get(participant, trial, now=now)
    _pair_check(assignment)
    sheet = answers_read(measures_load(assignment.participant.study.measures), sent)
    _problems_refuse(sheet.problems)
    if _unanswered(assignment).update(answered_at=now) != 1:
        raise AlreadyAnsweredError("the trial was answered a moment ago; those answers stand")
    Response.objects.bulk_create(_response(assignment, answer, now=now) for answer in sheet.answers)
    Draft.objects.filter(assignment=assignment).delete()
    _event_add(assignment.participant, "response.recorded", now=now, order=assignment.order)
    completion_mark(participant=assignment.participant, now=now)


def _participant_get(token: str, *, now: datetime) -> Participant:
    try:
        person = Participant.objects.select_related("study", "cohort__study").get(token=token)
    except Participant.DoesNotExist as error:
        raise UnknownLinkError("no participant has this link") from error
    _study_check(person.study)
    place_keep(participant=person, now=now)
    return person


def _assignment_get(participant: str, trial: str, *, now: datetime) -> Assignment:
    rows = Assignment.objects.select_related("participant__study", "participant__cohort__study")
    try:
        assignment = rows.get(token=trial, participant__token=participant)
    except Assignment.DoesNotExist as error:
        raise UnknownLinkError("no trial of this participant has this link") from error
    _study_check(assignment.participant.study)
    place_keep(participant=assignment.participant, now=now)
    return assignment


def _study_check(study: Study) -> None:
    """A pause keeps newcomers out; who has begun may finish until the study closes."""
    if study.state not in (StudyState.OPEN, StudyState.PAUSED):
        raise StudyNotOpenError(f"study {study.slug} is {study.state}")


def _screening_check(person: Participant) -> None:
    if person.study.screening and person.screened_at is None:
        raise StepOrderError("the screening questions come first")


def _turn_check(assignment: Assignment) -> None:
    person = assignment.participant
    _screening_check(person)
    if background_asked(person) and person.background_at is None:
        raise StepOrderError("the background questions come first")
    earlier = Assignment.objects.filter(participant=person, order__lt=assignment.order)
    if earlier.filter(answered_at__isnull=True).exists():
        raise StepOrderError("an earlier debate is not finished")


def _pair_check(assignment: Assignment) -> None:
    if assignment.answered_at is not None:
        raise AlreadyAnsweredError("the trial was answered before; its answers stand")
    if assignment.pair_opened_at is None:
        raise StepOrderError("the debate comes before the reports about it")


def _unanswered(assignment: Assignment) -> QuerySet[Assignment]:
    return Assignment.objects.filter(pk=assignment.pk, answered_at__isnull=True)


def _problems_refuse(problems: Mapping[str, Problem]) -> None:
    if problems:
        raise AnswerError({name: problem.value for name, problem in problems.items()})


def _response(assignment: Assignment, answer: Answer, *, now: datetime) -> Response:
    return Response(
        assignment=assignment,
        measure=answer.measure,
        side=answer.side,
        value=answer.value,
        answered_at=now,
    )


def _event_add(person: Participant, kind: str, *, now: datetime, **payload: int) -> None:
    Event.objects.create(
        study=person.study.slug, participant=person.code, kind=kind, payload=payload, at=now
    )
