"""People who answer a sample study through the services, without pages."""

from __future__ import annotations

from datetime import datetime, timedelta

from studyapp.domain.answers import answer_fields
from studyapp.domain.background import background_load
from studyapp.domain.measures import measures_load
from studyapp.models import Participant
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.response import background_record, pair_open, response_record, trial_open
from tests.sample_study import THEN, SampleStudy


def person_enrolled(sample: SampleStudy, *, number: int) -> Participant:
    """Enrol one person, with their background answers."""
    now = THEN + timedelta(hours=number)
    person = participant_enrol(
        cohort_token=sample.cohort.token, visit=f"visit-{number}", newcomer=Newcomer(), now=now
    )
    sent = {
        question.key: question.options[number % len(question.options)].value
        for question in background_load(sample.study.background)
    }
    background_record(participant=person.token, sent=sent, now=now + timedelta(minutes=1))
    return person


def trials_answered(
    sample: SampleStudy, person: Participant, *, trials: int, comment: str = ""
) -> None:
    """Answer the person's first trials; `comment` goes into every free text."""
    for assignment in person.assignments.order_by("order")[:trials]:
        now = person.consented_at + timedelta(minutes=10 * assignment.order)
        ids = {"participant": person.token, "trial": assignment.token}
        trial_open(**ids, now=now)
        pair_open(**ids, now=now + timedelta(minutes=4))
        sent = _sent(sample, seed=assignment.pk, comment=comment)
        response_record(**ids, sent=sent, now=now + timedelta(minutes=7))


def people_complete(sample: SampleStudy, *, count: int, comment: str = "") -> datetime:
    """Let people do the whole study; return a moment after the last of them."""
    for number in range(count):
        person = person_enrolled(sample, number=number)
        trials_answered(sample, person, trials=99, comment=comment)
    return THEN + timedelta(hours=count + 1)


def _sent(sample: SampleStudy, *, seed: int, comment: str) -> dict[str, str]:
    fields = answer_fields(measures_load(sample.study.measures))
    return {
        field.name: field.offered[(seed + place) % len(field.offered)] if field.offered else comment
        for place, field in enumerate(fields)
    }
