"""Record screening answers, and let somebody go on or end their taking part."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from studyapp.domain.rules import rules_load
from studyapp.domain.screening import (
    ScreeningForm,
    Stage,
    screening_due,
    screening_load,
    screening_read,
    stratum_of,
)
from studyapp.domain.states import WALKED
from studyapp.errors import AnswerError, StepOrderError, StudyNotOpenError, UnknownLinkError
from studyapp.models import Event, Outcome, Participant, Study
from studyapp.services.completion import completion_mark, participation_end
from studyapp.services.places import place_keep, stratum_is_full


@transaction.atomic
def screening_record(
    *, participant: str, stage: str, sent: Mapping[str, str], now: datetime
) -> None:
    """Store the answers to one screening form; the last one decides.

    Eligibility is asked once. Comprehension may be answered a second time. A quota of a stratum is
    taken up, under the study's lock, before anything else is asked.

    Args:
        participant: token of the personal link.
        stage: which form was sent, as `Stage` names them.
        sent: value by question key.
        now: when they were sent.

    Raises:
        UnknownLinkError: nobody has this link.
        StudyNotOpenError: the study is closed.
        StepOrderError: another form is due, or screening is over.
        AnswerError: an answer is missing or not one of those offered.
    """
    person = _person_locked(participant, now=now)
    form = _form_due(person, stage)
    sheet = screening_read(form.questions, sent)
    if sheet.problems:
        raise AnswerError({name: problem.value for name, problem in sheet.problems.items()})
    person.screening = {**(person.screening or {}), **sheet.values}
    if form.stage is not Stage.ELIGIBILITY:
        person.screening_attempts += 1
    person.save(update_fields=["screening", "screening_attempts"])
    _event_add(person, "screening.recorded", now=now, stage=form.stage)
    why = _why_out(person, form.stage, is_failed=bool(sheet.failed), now=now)
    if why:
        _decide(person, now=now)
        participation_end(participant=person, outcome=Outcome.SCREENED_OUT, why=why, now=now)
    elif not sheet.failed and _form_next(person) is None:
        _decide(person, now=now)
        completion_mark(participant=person, now=now)


def _person_locked(token: str, *, now: datetime) -> Participant:
    """Lock the study where its quotas are counted, then the person: two tabs take turns."""
    found = Participant.objects.filter(token=token).values_list("study", "study__rules").first()
    if found is None:
        raise UnknownLinkError("no participant has this link")
    if rules_load(found[1]).strata:
        Study.objects.select_for_update().get(pk=found[0])
    person = Participant.objects.select_for_update().get(token=token)
    if person.study.state not in WALKED:
        raise StudyNotOpenError(f"study {person.study.slug} is {person.study.state}")
    place_keep(participant=person, now=now)
    return person


def _form_due(person: Participant, stage: str) -> ScreeningForm:
    form = None if person.screened_at else _form_next(person)
    if form is None or form.stage != stage:
        raise StepOrderError("this form was answered before, or another one comes first")
    return form


def _form_next(person: Participant) -> ScreeningForm | None:
    return screening_due(
        screening_load(person.study.screening),
        answered=person.screening or {},
        attempts=person.screening_attempts,
    )


def _why_out(person: Participant, stage: Stage, *, is_failed: bool, now: datetime) -> str:
    """Say in one word why somebody is screened out; empty where they are not."""
    if stage is Stage.ELIGIBILITY:
        if is_failed:
            return "eligibility"
        return "" if _stratum_take(person, now=now) else "quota"
    return "comprehension" if is_failed and stage is Stage.SECOND else ""


def _stratum_take(person: Participant, *, now: datetime) -> bool:
    """Count the person in their stratum, unless it is full."""
    stratum, quota = stratum_of(rules_load(person.study.rules).strata, person.screening or {})
    if quota is not None and stratum_is_full(person, stratum=stratum, quota=quota, now=now):
        return False
    Participant.objects.filter(pk=person.pk).update(stratum=stratum)
    person.stratum = stratum
    return True


def _decide(person: Participant, *, now: datetime) -> None:
    person.screened_at = now
    person.save(update_fields=["screened_at"])


def _event_add(person: Participant, kind: str, *, now: datetime, **payload: str) -> None:
    Event.objects.create(
        study=person.study.slug, participant=person.code, kind=kind, payload=payload, at=now
    )
