"""Withdraw: remove a person from every table, and keep what the design needs to add up."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction

from studyapp.models import (
    Assignment,
    Cohort,
    Event,
    Invitation,
    Participant,
    Place,
    StudyReport,
    Tombstone,
)
from studyapp.selectors.event_log import WITHDRAWAL

_TRIES: Final = 3


def participant_withdraw(*, participant_id: int, now: datetime) -> bool:
    """Delete everything that is stored of a participant, whether they have finished or not.

    Removed are the person with answers, drafts, paradata, marks and panel ids, what their
    invitation says of them, the content of their events, and reports that were built of their
    answers. What stays is a tombstone without text or time, and the digests of the events. A
    completed place stays filled; another one is free again.

    Args:
        participant_id: primary key.
        now: when, for the invitation, which lets nobody in from then on.

    Returns:
        Whether there was somebody to delete; asking again changes nothing.
    """
    for attempt in range(1, _TRIES + 1):
        try:
            return _withdraw(participant_id, now=now)
        except IntegrityError:
            # An answer of theirs arrived between looking and deleting; it goes the next time.
            if attempt == _TRIES:
                raise
    return False


@transaction.atomic
def _withdraw(participant_id: int, *, now: datetime) -> bool:
    person = _person_locked(participant_id)
    if person is None:
        return False
    was_complete = _tombstone_add(person).was_complete
    Place.objects.filter(participant=person).update(participant=None, reserved_until=None)
    _invitation_clear(person, now=now)
    StudyReport.objects.filter(study=person.study).delete()
    slug, code = person.study.slug, person.code
    person.delete()
    erased = _events_erase(slug, code)
    # Without a time: it would say when somebody, who can be told by the place, was here.
    Event.objects.create(
        study=slug,
        kind=WITHDRAWAL,
        payload={"events": erased, "was_complete": was_complete},
        at=None,
    )
    return True


def _person_locked(participant_id: int) -> Participant | None:
    """Fetch the person, locked in the order in which answering locks: cohort, place, trials.

    The cohort's lock keeps their place from being given on meanwhile.
    """
    person = Participant.objects.filter(pk=participant_id).first()
    if person is None:
        return None
    Cohort.objects.select_for_update(no_key=True).get(pk=person.cohort_id)
    list(Place.objects.select_for_update().filter(participant=person))
    list(Assignment.objects.select_for_update().filter(participant=person).order_by("pk"))
    people = Participant.objects.select_for_update(of=("self",)).select_related("study", "cohort")
    return people.filter(pk=participant_id).first()


def _tombstone_add(person: Participant) -> Tombstone:
    trials = Assignment.objects.filter(participant=person).order_by("order")
    return Tombstone.objects.create(
        study=person.study,
        cohort=person.cohort,
        is_test=person.is_test,
        enrolment=person.enrolment,
        trials=[
            {"scenario": key, "treatment_is_left": is_left}
            for key, is_left in trials.values_list("scenario__key", "treatment_is_left")
        ],
        was_complete=person.completed_at is not None,
    )


def _invitation_clear(person: Participant, *, now: datetime) -> None:
    """Forget who was invited; the link stays known and revoked, so that it says so if opened."""
    nothing: dict[str, Any] = {"name": "", "role": "", "experience_years": None, "credential": ""}
    Invitation.objects.filter(participant=person).update(
        **nothing, participant=None, used_at=None, revoked_at=now
    )


def _events_erase(study: str, code: str) -> int:
    """Take participant, payload and time out of their events; the digests stay for the seals."""
    theirs = Event.objects.filter(study=study, participant=code, is_erased=False)
    return theirs.update(participant="", payload={}, at=None, is_erased=True)
