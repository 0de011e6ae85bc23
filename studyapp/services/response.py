"""Record what a participant does and answers, in order, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from studyapp.domain.answers import TEXT_LIMIT, Answer, Problem, answers_keep, answers_read
from studyapp.domain.background import background_load, background_read
from studyapp.domain.measures import Measure, MeasureKind, attention_failed, measures_load
from studyapp.domain.reading import DEBATE_PAGE, REPORTS_PAGE
from studyapp.errors import AlreadyAnsweredError, AnswerError, StepOrderError
from studyapp.models import Assignment, Draft, Event, Outcome, Participant, Response
from studyapp.selectors.participation import background_asked
from studyapp.services.completion import completion_mark, participation_end
from studyapp.services.paradata import answers_by_field, draft_changes_note
from studyapp.services.trial import (
    exposure_check,
    pair_check,
    person_get,
    pressure_of,
    rules_of,
    time_check,
    trial_get,
    trial_lock,
)


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
    person = person_get(participant, now=now)
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
    assignment = trial_get(participant, trial, now=now)
    _turn_check(assignment)
    fresh = Assignment.objects.filter(pk=assignment.pk, trace_opened_at__isnull=True)
    if fresh.update(trace_opened_at=now):
        _event_add(assignment.participant, "trace.opened", now=now, order=assignment.order)


@transaction.atomic
def pair_open(*, participant: str, trial: str, now: datetime) -> None:
    """Note that the debate was read and the pair is shown; the first time counts.

    A study may set a least time of reading. Where time ran out, nothing is asked of anybody.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        now: when.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the debate was not opened, or an earlier trial is not answered.
        TooEarlyError: the debate was in view for less than the study's least time.
        TimeOverError: the trial's time is over, and its cohort's answers are locked.
    """
    assignment = trial_get(participant, trial, now=now)
    _turn_check(assignment)
    if assignment.trace_opened_at is None:
        raise StepOrderError("the debate comes before the reports about it")
    time_check(assignment, now=now)
    if assignment.pair_opened_at is None:
        exposure_check(assignment, DEBATE_PAGE, now=now)
    fresh = Assignment.objects.filter(pk=assignment.pk, pair_opened_at__isnull=True)
    if fresh.update(pair_opened_at=now):
        _event_add(assignment.participant, "pair.opened", now=now, order=assignment.order)


@transaction.atomic
def draft_save(
    *, participant: str, trial: str, sent: Mapping[str, str], now: datetime, writer: str = ""
) -> None:
    """Keep what was entered so far, unchecked; a later draft of the same writer replaces it.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        sent: value by field name; unknown ones are dropped. `kept` says that the page has nothing
            new: what may have come from elsewhere stays.
        now: when.
        writer: which browser, where others may know the link; empty for its holder.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the pair was not opened yet.
        AlreadyAnsweredError: the answers were submitted; a late draft must not outlive them.
        TimeOverError: the trial's time is over, and its cohort's answers are locked.
    """
    assignment = trial_get(participant, trial, now=now)
    pair_check(assignment)
    time_check(assignment, now=now)
    if sent.get("kept"):
        return
    # The lock makes a draft and the submission of the same trial take turns.
    trial_lock(assignment)
    kept = answers_keep(_measures(assignment), sent)
    draft_changes_note(assignment, kept, sent, now=now)
    Draft.objects.update_or_create(
        assignment=assignment, writer=writer, defaults={"answers": kept, "saved_at": now}
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
        TooEarlyError: the reports were in view for less than the study's least time.
        TimeOverError: the trial's time is over, and its cohort's answers are locked.
    """
    assignment = trial_get(participant, trial, now=now)
    pair_check(assignment)
    time_check(assignment, now=now)
    sheet = answers_read(_measures(assignment), sent)
    _problems_refuse(sheet.problems)
    late = pressure_of(assignment).is_over(assignment.trace_opened_at, now=now)
    if not late:
        exposure_check(assignment, REPORTS_PAGE, now=now)
    if _unanswered(assignment).update(answered_at=now, timed_out=late) != 1:
        raise AlreadyAnsweredError("the trial was answered a moment ago; those answers stand")
    draft_changes_note(assignment, answers_by_field(sheet.answers), sent, now=now)
    _answers_insert(assignment, sheet.answers, now=now)
    _event_add(assignment.participant, "response.recorded", now=now, order=assignment.order)
    _trial_close(assignment, now=now)


@transaction.atomic
def trial_expire(*, participant: str, trial: str, now: datetime) -> None:
    """End a trial whose time is over where its cohort's answers are locked.

    What stands in the latest draft by then is stored as the answers, also where required ones are
    missing: `timed_out` says that nobody could be asked for them any more.

    Args:
        participant: token of the personal link.
        trial: token of the assignment.
        now: when.

    Raises:
        UnknownLinkError: the trial is not this participant's.
        StudyNotOpenError: the study is closed.
        StepOrderError: the time is not over, is not limited, or does not lock.
        AlreadyAnsweredError: the trial was answered or ended before.
    """
    assignment = trial_get(participant, trial, now=now)
    pressure = pressure_of(assignment)
    ends_at = pressure.ends_at(assignment.trace_opened_at)
    if ends_at is None or not pressure.may_end(assignment.trace_opened_at, now=now):
        raise StepOrderError("the time of this trial is not over")
    if _unanswered(assignment).update(answered_at=ends_at, timed_out=True) != 1:
        raise AlreadyAnsweredError("the trial was answered before; its answers stand")
    draft = Draft.objects.filter(assignment=assignment).first()
    # Nobody can be asked to shorten a text any more.
    drafted = answers_keep(_measures(assignment), draft.answers if draft else {}, limit=TEXT_LIMIT)
    sheet = answers_read(_measures(assignment), drafted)
    _answers_insert(assignment, sheet.answers, now=ends_at)
    _event_add(
        assignment.participant,
        "trial.timed_out",
        now=now,
        order=assignment.order,
        stored=len(sheet.answers),
    )
    _trial_close(assignment, now=now)


def _measures(assignment: Assignment) -> tuple[Measure, ...]:
    return measures_load(assignment.participant.study.measures)


def _answers_insert(assignment: Assignment, answers: Sequence[Answer], *, now: datetime) -> None:
    Response.objects.bulk_create(
        Response(
            assignment=assignment,
            measure=answer.measure,
            side=answer.side,
            value=answer.value,
            answered_at=now,
        )
        for answer in answers
    )
    Draft.objects.filter(assignment=assignment).delete()


def _trial_close(assignment: Assignment, *, now: datetime) -> None:
    """End taking part where too many checks failed, or complete it where nothing is left."""
    person = assignment.participant
    allowed = rules_of(assignment).attention_failures
    if allowed and _checks_failed(assignment) >= allowed:
        participation_end(
            participant=person, outcome=Outcome.FAILED_ATTENTION, why="attention", now=now
        )
    else:
        completion_mark(participant=person, now=now)


def _checks_failed(assignment: Assignment) -> int:
    measures = _measures(assignment)
    checks = [row.key for row in measures if row.kind is MeasureKind.ATTENTION]
    given = Response.objects.filter(
        assignment__participant=assignment.participant, measure__in=checks
    )
    return attention_failed(measures, given.values_list("measure", "value"))


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


def _unanswered(assignment: Assignment) -> QuerySet[Assignment]:
    return Assignment.objects.filter(pk=assignment.pk, answered_at__isnull=True)


def _problems_refuse(problems: Mapping[str, Problem]) -> None:
    if problems:
        raise AnswerError({name: problem.value for name, problem in problems.items()})


def _event_add(person: Participant, kind: str, *, now: datetime, **payload: int) -> None:
    Event.objects.create(
        study=person.study.slug, participant=person.code, kind=kind, payload=payload, at=now
    )
