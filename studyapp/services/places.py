"""Places of a cohort: taken, kept while somebody is there, given on, filled for good.

Numbers have no gaps, and a place that is free again is given before a new number. Locks are taken
on the study (where it has a total) and then on the cohort, so that parallel enrolments take turns.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet

from studyapp.domain.rules import rules_load
from studyapp.domain.screening import stratum_of
from studyapp.errors import PlaceLostError, StepOrderError, StudyFullError, UnknownLinkError
from studyapp.models import (
    Cohort,
    Event,
    Invitation,
    LinkKind,
    Outcome,
    Participant,
    Place,
    Study,
)

# So long before its end nobody takes a place, however wrong the clocks of two servers are.
_NOBODY_ELSE: Final = timedelta(minutes=1)


def place_take(*, cohort: Cohort, is_test: bool, now: datetime) -> Place:
    """Take the lowest free place, or the next number within the quotas; call in a transaction.

    Raises:
        StudyFullError: the cohort or the study has no place left.
    """
    _total_check(cohort, is_test=is_test, now=now)
    # Not for its key: whoever inserts a row about this cohort need not wait.
    Cohort.objects.select_for_update(no_key=True).get(pk=cohort.pk)
    until = now + timedelta(minutes=rules_load(cohort.study.rules).reservation_minutes)
    free = _free_take(cohort, is_test=is_test, until=until, now=now)
    if free is not None:
        return free
    number = _number_take(cohort, is_test=is_test)
    return Place.objects.create(cohort=cohort, is_test=is_test, number=number, reserved_until=until)


def place_keep(*, participant: Participant, now: datetime) -> None:
    """Keep a participant's place while they are there; call in a transaction.

    Who was away for too long is counted anew: they keep their place, or sit down on another free
    one, if no quota was filled meanwhile. The trials that were drawn for them stay theirs.

    Raises:
        PlaceLostError: their place was given on, and there is no other.
        StepOrderError: taking part had ended before completion.
        UnknownLinkError: their invitation was taken back, or they withdrew a moment ago.
    """
    if participant.completed_at is not None:
        return
    if participant.outcome != Outcome.IN_PROGRESS:
        raise StepOrderError("taking part in this study has ended")
    if participant.cohort.link_kind == LinkKind.PERSONAL:
        _invitation_check(participant)
    until = now + timedelta(minutes=rules_load(participant.study.rules).reservation_minutes)
    mine = Place.objects.filter(participant=participant)
    if mine.filter(reserved_until__gte=now + _NOBODY_ELSE).update(reserved_until=until) == 1:
        return
    if _kept_at_its_end(mine, until=until, now=now):
        return
    _still_here_check(participant)
    try:
        _counted_anew(participant, now=now)
        Cohort.objects.select_for_update(no_key=True).get(pk=participant.cohort_id)
        if mine.update(reserved_until=until) == 1:
            return
        place = place_take(cohort=participant.cohort, is_test=participant.is_test, now=now)
    except StudyFullError as error:
        raise PlaceLostError(
            "the place was given to somebody else, and no other is free"
        ) from error
    # Once more: the cohort is locked by now, so nobody of it can withdraw before the next line.
    _still_here_check(participant)
    Place.objects.filter(pk=place.pk).update(participant=participant)
    _event_add(participant, "place.retaken", now=now, number=place.number)


def place_complete(*, participant: Participant) -> None:
    """Fill a participant's place for good."""
    Place.objects.filter(participant=participant).update(is_complete=True)


def place_release(*, participant: Participant) -> None:
    """Free a place whose holder will not complete; a filled place stays filled."""
    Place.objects.filter(participant=participant, is_complete=False).update(
        participant=None, reserved_until=None
    )


def stratum_is_full(participant: Participant, *, stratum: str, quota: int, now: datetime) -> bool:
    """Say whether others fill the quota of a stratum; call under the study's lock."""
    others = _held(participant.study, is_test=participant.is_test, now=now).exclude(
        participant=participant
    )
    return others.filter(participant__stratum=stratum).count() >= quota


def _kept_at_its_end(mine: QuerySet[Place], *, until: datetime, now: datetime) -> bool:
    """Keep a place that somebody may be taking at this moment.

    Where they were faster it stays locked although it is another's; newcomers lock the cohort
    first and the place after it, so the lock is dropped before anything else is waited for.
    """
    mark = transaction.savepoint()
    if mine.filter(reserved_until__gte=now).update(reserved_until=until) == 1:
        transaction.savepoint_commit(mark)
        return True
    transaction.savepoint_rollback(mark)
    return False


def _counted_anew(participant: Participant, *, now: datetime) -> None:
    """Refuse somebody who was away while others filled the study or their stratum."""
    _total_check(participant.cohort, is_test=participant.is_test, now=now)
    quotas = rules_load(participant.study.rules).strata
    stratum, quota = stratum_of(quotas, participant.screening or {})
    if quota is None or participant.stratum != stratum:
        return
    Study.objects.select_for_update().get(pk=participant.study_id)
    if stratum_is_full(participant, stratum=stratum, quota=quota, now=now):
        raise StudyFullError(f"{stratum} has its {quota} participants")


def _invitation_check(participant: Participant) -> None:
    if Invitation.objects.filter(participant=participant, revoked_at__isnull=False).exists():
        raise UnknownLinkError("the invitation of this participant was taken back")


def _still_here_check(participant: Participant) -> None:
    if not Participant.objects.filter(pk=participant.pk).exists():
        raise UnknownLinkError("no participant has this link")


def _free_take(cohort: Cohort, *, is_test: bool, until: datetime, now: datetime) -> Place | None:
    """Take the lowest free place. Its holder may come back at this moment and keep it."""
    free = _free(cohort, is_test=is_test, now=now)
    for place in free.select_related("participant__study").order_by("number"):
        if free.filter(pk=place.pk).update(participant=None, reserved_until=until) == 1:
            _holder_note(place, now=now)
            return Place.objects.get(pk=place.pk)
    return None


def _free(cohort: Cohort, *, is_test: bool, now: datetime) -> QuerySet[Place]:
    gone = Q(participant__isnull=True) | Q(reserved_until__lt=now)
    return Place.objects.filter(gone, cohort=cohort, is_test=is_test, is_complete=False)


def _total_check(cohort: Cohort, *, is_test: bool, now: datetime) -> None:
    if cohort.study.quota is None:
        return
    study = Study.objects.select_for_update().get(pk=cohort.study_id)
    taken = _held(study, is_test=is_test, now=now).count()
    if study.quota is not None and taken >= study.quota:
        raise StudyFullError(f"study {study.slug} has its {study.quota} participants")


def _held(study: Study, *, is_test: bool, now: datetime) -> QuerySet[Place]:
    """Complete places, and those of people who were here a moment ago."""
    held = Q(is_complete=True) | Q(participant__isnull=False, reserved_until__gte=now)
    return Place.objects.filter(held, cohort__study=study, is_test=is_test)


def _number_take(cohort: Cohort, *, is_test: bool) -> int:
    lane = "enrolled_test" if is_test else "enrolled"
    with_place = Cohort.objects.filter(
        Q(quota__isnull=True) | Q(**{f"{lane}__lt": F("quota")}), pk=cohort.pk
    )
    if with_place.update(**{lane: F(lane) + 1}) != 1:
        raise StudyFullError(f"cohort {cohort.name} has its {cohort.quota} participants")
    return int(Cohort.objects.values_list(lane, flat=True).get(pk=cohort.pk))


def _holder_note(place: Place, *, now: datetime) -> None:
    if place.participant is not None:
        _event_add(place.participant, "place.expired", now=now, number=place.number)


def _event_add(participant: Participant, kind: str, *, now: datetime, number: int) -> None:
    Event.objects.create(
        study=participant.study.slug,
        participant=participant.code,
        kind=kind,
        payload={"number": number},
        at=now,
    )
