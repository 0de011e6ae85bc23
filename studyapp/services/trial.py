"""Whose trial it is, and whether anything may be done in it; call these in a transaction."""

from __future__ import annotations

from datetime import datetime

from studyapp.domain.reading import DEBATE_PAGE, seconds_missing
from studyapp.domain.rules import StudyRules, rules_load
from studyapp.domain.states import WALKED
from studyapp.domain.time_pressure import TimePressure, time_pressure_load
from studyapp.errors import (
    AlreadyAnsweredError,
    StepOrderError,
    StudyNotOpenError,
    TakingPartEndedError,
    TimeOverError,
    TooEarlyError,
    UnknownLinkError,
)
from studyapp.models import Assignment, Outcome, Participant
from studyapp.selectors.participation import participant_get
from studyapp.selectors.reading import visible_ms
from studyapp.services.places import place_keep

_ENDED = (Outcome.SCREENED_OUT, Outcome.FAILED_ATTENTION)


def person_get(participant: str, *, now: datetime) -> Participant:
    """Return who has this link, and keep their place.

    Raises:
        UnknownLinkError: nobody has this link.
        StudyNotOpenError: the study is closed.
        TakingPartEndedError: they were screened out, or failed too many checks.
        PlaceLostError: their place was given on, and no other is free.
    """
    person = participant_get(participant)
    _person_check(person, now=now)
    return person


def trial_get(participant: str, trial: str, *, now: datetime) -> Assignment:
    """Return a trial of this participant, and keep their place; raises as `person_get`."""
    rows = Assignment.objects.select_related("participant__cohort__study")
    try:
        assignment = rows.get(token=trial, participant__token=participant)
    except Assignment.DoesNotExist as error:
        raise UnknownLinkError("no trial of this participant has this link") from error
    assignment.participant.study = assignment.participant.cohort.study
    _person_check(assignment.participant, now=now)
    return assignment


def trial_lock(assignment: Assignment) -> None:
    """Let what is written about an open trial take turns.

    Raises:
        AlreadyAnsweredError: the trial was answered.
    """
    open_trial = Assignment.objects.filter(pk=assignment.pk, answered_at__isnull=True)
    if open_trial.select_for_update().first() is None:
        raise AlreadyAnsweredError("the trial was answered before; its answers stand")


def pair_check(assignment: Assignment) -> None:
    """Refuse what comes before the pair is shown, or after it was answered.

    Raises:
        AlreadyAnsweredError: the trial was answered.
        StepOrderError: the pair was not opened.
    """
    if assignment.answered_at is not None:
        raise AlreadyAnsweredError("the trial was answered before; its answers stand")
    if assignment.pair_opened_at is None:
        raise StepOrderError("the debate comes before the reports about it")


def rules_of(assignment: Assignment) -> StudyRules:
    """Return the rules of a trial's study."""
    return rules_load(assignment.participant.study.rules)


def pressure_of(assignment: Assignment) -> TimePressure:
    """Return the time pressure of a trial's cohort."""
    return time_pressure_load(assignment.participant.cohort.time_pressure)


def time_check(assignment: Assignment, *, now: datetime) -> None:
    """Refuse what comes after the end of a trial whose answers are locked then.

    Raises:
        TimeOverError: the time is over.
    """
    if pressure_of(assignment).is_locked(assignment.trace_opened_at, now=now):
        raise TimeOverError("the time of this trial is over")


def exposure_check(assignment: Assignment, page: str, *, now: datetime) -> None:
    """Hold the debate's or the reports' page until the study's least time is seen.

    Raises:
        TooEarlyError: says how many seconds are missing.
    """
    rules, is_debate = rules_of(assignment), page == DEBATE_PAGE
    needed = rules.debate_seconds if is_debate else rules.reports_seconds
    since = assignment.trace_opened_at if is_debate else assignment.pair_opened_at
    if not needed or since is None:
        return
    seen = visible_ms(assignment.pk, page)
    missing = seconds_missing(needed, visible_ms=seen, elapsed=now - since)
    if missing:
        raise TooEarlyError(seconds=missing)


def _person_check(person: Participant, *, now: datetime) -> None:
    """A pause keeps newcomers out; who has begun may finish until the study closes."""
    study = person.study
    if study.state not in WALKED:
        raise StudyNotOpenError(f"study {study.slug} is {study.state}")
    if person.outcome in _ENDED:
        raise TakingPartEndedError(f"taking part ended as {person.outcome}")
    place_keep(participant=person, now=now)
