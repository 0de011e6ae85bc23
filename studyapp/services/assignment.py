"""Give a person who consents a place in a cohort, and draw what they will see."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.crypto import salted_hmac

from studyapp.domain.digest import json_sha256
from studyapp.domain.randomise import Trial, trials_draw
from studyapp.errors import StudyFullError, StudyNotOpenError, UnknownLinkError
from studyapp.models import Assignment, Cohort, Event, Participant, Scenario, StudyState

_TOKEN_BYTES: Final = 16


def participant_enrol(
    *, cohort_token: str, visit: str, language: str, now: datetime, is_bot: bool = False
) -> Participant:
    """Create the participant and their assignments, once per visit.

    Args:
        cohort_token: from the cohort's link.
        visit: a random word that the consent page made up and sent back. The same word gives the
            same participant, so that a form sent twice takes one place.
        language: in which the participant reads the site.
        now: when they consented.
        is_bot: whether a program takes part.

    Raises:
        UnknownLinkError: no cohort has this token.
        StudyNotOpenError: the study takes nobody now.
        StudyFullError: the cohort has no place left.
    """
    token = _visit_token(cohort_token, visit)
    found = Participant.objects.filter(token=token).first()
    if found is not None:
        return found
    try:
        return _participant_insert(cohort_token, token, language=language, now=now, is_bot=is_bot)
    except (IntegrityError, StudyFullError):
        # The form's twin may have been faster, and may have taken the last place.
        twin = Participant.objects.filter(token=token).first()
        if twin is None:
            raise
        return twin


@transaction.atomic
def _participant_insert(
    cohort_token: str, token: str, *, language: str, now: datetime, is_bot: bool
) -> Participant:
    cohort = _cohort_open(cohort_token)
    scenarios = list(Scenario.objects.filter(study=cohort.study).only("key"))
    # A study may ask for consent alone; then there is nothing left to complete.
    is_complete = not scenarios and not cohort.study.background
    participant = Participant.objects.create(
        study=cohort.study,
        cohort=cohort,
        token=token,
        enrolment=_enrolment_take(cohort),
        language=language,
        is_test=cohort.study.is_test,
        is_bot=is_bot,
        consented_at=now,
        completed_at=now if is_complete else None,
    )
    trials = trials_draw(
        seed=cohort.study.seed,
        cohort=cohort.name,
        enrolment=participant.enrolment,
        scenarios=len(scenarios),
    )
    _assignments_insert(participant, scenarios, trials)
    _event_add(participant, "participant.enrolled", _draw_record(participant, scenarios, trials))
    if is_complete:
        _event_add(participant, "participant.completed", {})
    return participant


def _cohort_open(cohort_token: str) -> Cohort:
    try:
        cohort = Cohort.objects.select_related("study").get(token=cohort_token)
    except Cohort.DoesNotExist as error:
        raise UnknownLinkError("no cohort has this link") from error
    if cohort.study.state != StudyState.OPEN:
        raise StudyNotOpenError(f"study {cohort.study.slug} is {cohort.study.state}, not open")
    return cohort


def _enrolment_take(cohort: Cohort) -> int:
    """Take the next number within the quota.

    One conditional update: its row lock makes parallel enrolments take turns until the end of the
    transaction, so numbers have no gaps and the number read back is this transaction's own.
    """
    with_place = Cohort.objects.filter(
        Q(quota__isnull=True) | Q(enrolled__lt=F("quota")), pk=cohort.pk
    )
    if with_place.update(enrolled=F("enrolled") + 1) != 1:
        raise StudyFullError(f"cohort {cohort.name} has its {cohort.quota} participants")
    return Cohort.objects.values_list("enrolled", flat=True).get(pk=cohort.pk)


def _assignments_insert(
    participant: Participant, scenarios: Sequence[Scenario], trials: Sequence[Trial]
) -> None:
    Assignment.objects.bulk_create(
        Assignment(
            participant=participant,
            scenario=scenarios[trial.scenario],
            order=order,
            treatment_is_left=trial.treatment_is_left,
        )
        for order, trial in enumerate(trials, start=1)
    )


def _draw_record(
    participant: Participant, scenarios: Sequence[Scenario], trials: Sequence[Trial]
) -> dict[str, Any]:
    """What was drawn, and which wording was agreed to."""
    return {
        "cohort": participant.cohort.name,
        "enrolment": participant.enrolment,
        "trials": [
            {
                "scenario": scenarios[trial.scenario].key,
                "treatment_is_left": trial.treatment_is_left,
            }
            for trial in trials
        ],
        "texts_sha256": json_sha256(participant.study.texts),
    }


def _event_add(participant: Participant, kind: str, payload: dict[str, Any]) -> None:
    Event.objects.create(
        study=participant.study.slug,
        participant=participant.code,
        kind=kind,
        payload=payload,
        at=participant.consented_at,
    )


def _visit_token(cohort_token: str, visit: str) -> str:
    """Derive the personal link's token: fixed for a visit, and unguessable without SECRET_KEY."""
    mac = salted_hmac("studyapp.participant", f"{cohort_token}:{visit}", algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()[:_TOKEN_BYTES]).decode().rstrip("=")
