"""The end of taking part: completed when nothing is left to do, or ended before that."""

from __future__ import annotations

from datetime import datetime

from studyapp.errors import StepOrderError
from studyapp.models import Assignment, Event, Outcome, Participant
from studyapp.selectors.participation import background_asked
from studyapp.services.places import place_complete, place_release


def completion_mark(*, participant: Participant, now: datetime) -> None:
    """Note the completion, once, when nothing is left to do; call in a transaction."""
    if _is_missing_something(participant):
        return
    fresh = Participant.objects.filter(pk=participant.pk, outcome=Outcome.IN_PROGRESS)
    if fresh.update(completed_at=now, outcome=Outcome.COMPLETE) == 1:
        place_complete(participant=participant)
        _event_add(participant, "participant.completed", now=now)


def participation_end(
    *, participant: Participant, outcome: Outcome, why: str, now: datetime
) -> None:
    """End taking part before completion and free the place; call in a transaction.

    Args:
        participant: who.
        outcome: screened out, or failed attention.
        why: one word for the log, such as `eligibility`.
        now: when.

    Raises:
        StepOrderError: taking part had ended already.
    """
    fresh = Participant.objects.filter(pk=participant.pk, outcome=Outcome.IN_PROGRESS)
    if fresh.update(outcome=outcome) != 1:
        raise StepOrderError("taking part in this study has ended")
    place_release(participant=participant)
    _event_add(participant, f"participant.{outcome}", now=now, why=why)


def _is_missing_something(participant: Participant) -> bool:
    fresh = Participant.objects.only("background_at", "screened_at").get(pk=participant.pk)
    if participant.study.screening and fresh.screened_at is None:
        return True
    if background_asked(participant) and fresh.background_at is None:
        return True
    return Assignment.objects.filter(participant=participant, answered_at__isnull=True).exists()


def _event_add(participant: Participant, kind: str, *, now: datetime, **payload: str) -> None:
    Event.objects.create(
        study=participant.study.slug,
        participant=participant.code,
        kind=kind,
        payload=payload,
        at=now,
    )
