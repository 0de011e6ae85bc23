"""Every stored row of an assignment follows from seed and log; one changed cell does not."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from studyapp.models import (
    Assignment,
    Cohort,
    Event,
    Participant,
    Place,
    Scenario,
    Study,
    Tombstone,
)
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.response import trial_open
from studyapp.services.rights import participant_withdraw
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import person_enrolled, trials_answered

pytestmark = pytest.mark.django_db

LONG = timedelta(hours=5)
TELLING = "left-7"


def verified() -> str:
    out = io.StringIO()
    call_command("verify_assignment", "sample", stdout=out)
    return out.getvalue()


def differences() -> str:
    with pytest.raises(CommandError) as refused:
        verified()
    assert refused.value.returncode == 1
    return str(refused.value)


def enrol(sample: SampleStudy, number: float, *, is_test: bool = False) -> Participant:
    return participant_enrol(
        cohort_token=sample.cohort.token,
        visit=f"visit-{number}",
        newcomer=Newcomer(is_test=is_test),
        now=THEN + LONG * number,
    )


def withdraw(person: Participant) -> None:
    assert participant_withdraw(participant_id=person.pk, now=timezone.now())


@pytest.fixture
def study() -> SampleStudy:
    """A live study with shuffled measures in which everything has happened that can.

    Places 1 and 2 are complete, 2 without its person, who withdrew; on 3, the first person was
    away, the second sits now, and the first came back to 4; whoever sat on 5 withdrew; 6 waits.
    """
    sample = sample_study(debates=3)
    Study.objects.update(is_test=False, rules={"measure_order": "random"})
    sample.study.refresh_from_db()
    both = [person_enrolled(sample, number=number) for number in (0, 1)]
    for somebody in both:
        trials_answered(sample, somebody, trials=3)
    withdraw(both[1])
    away = person_enrolled(sample, number=3)
    enrol(sample, 4)
    trial = away.assignments.get(order=1).token
    trial_open(participant=away.token, trial=trial, now=THEN + LONG * 4)
    withdraw(enrol(sample, 4.1))
    enrol(sample, 4.2)
    enrol(sample, 4.3)
    enrol(sample, 5, is_test=True)
    return sample


def test_a_study_in_which_everything_happened_follows_from_seed_and_log(
    study: SampleStudy,
) -> None:
    told = verified()
    assert "no difference" in told
    live, test = (line.split() for line in told.splitlines()[2:4])
    assert live == ["open", "live", "6", "5", "1", "2", "1", "1", "15"]
    assert test == ["open", "test", "1", "1", "0", "0", "0", "0", "3"]


def trial() -> Any:
    """Somebody's second trial."""
    return Assignment.objects.filter(pk=Assignment.objects.filter(order=2).order_by("pk")[2].pk)


def person(*, at: int, is_test: bool = False) -> Any:
    found = Participant.objects.filter(place__number=at, place__is_test=is_test).get()
    return Participant.objects.filter(pk=found.pk)


def place(number: int, *, is_test: bool = False) -> Any:
    return Place.objects.filter(number=number, is_test=is_test)


def scenario_moved() -> None:
    """The second trial's scenario stands in the first; no scenario may stand twice."""
    first, second, _ = Assignment.objects.filter(participant=person(at=4).get()).order_by("order")
    second.delete()
    Assignment.objects.filter(pk=first.pk).update(scenario=second.scenario_id)


def trial_given_away() -> None:
    """A trial stands under somebody else, who has none."""
    newcomer = Participant.objects.create(
        study=Study.objects.get(), cohort=Cohort.objects.get(), enrolment=1, consented_at=THEN
    )
    trial().update(participant=newcomer)


CHANGES: dict[str, tuple[Callable[[], object], str]] = {
    "assignment side": (
        lambda: trial().update(treatment_is_left=not trial().get().treatment_is_left),
        "trial 2: treatment_is_left: found",
    ),
    "assignment order": (lambda: trial().update(order=7), "trial 7: found"),
    "assignment scenario": (scenario_moved, "trial 1: scenario: found"),
    "assignment measure order": (
        lambda: trial().update(measure_order=trial().get().measure_order[::-1]),
        "trial 2: measure_order: found",
    ),
    "assignment person": (trial_given_away, "trial 2: found no row"),
    "assignment token": (lambda: trial().update(token=TELLING), "trial 2: token: found 6"),
    "assignment missing": (lambda: trial().delete(), "trial 2: found no row"),
    "assignment extra": (
        lambda: Assignment.objects.create(
            participant=Participant.objects.earliest("pk"),
            scenario=Scenario.objects.create(
                study=Study.objects.get(),
                trace=Scenario.objects.earliest("pk").trace,
                key="late",
                position=9,
            ),
            order=4,
            treatment_is_left=True,
        ),
        "trial 4:",
    ),
    "participant number": (
        lambda: person(at=4).update(enrolment=9),
        "enrolment: found 9, derived 3",
    ),
    "participant lane": (lambda: person(at=4).update(is_test=True), "is_test: found True"),
    "participant cohort": (
        lambda: person(at=4).update(
            cohort=Cohort.objects.create(study=Study.objects.get(), name="other")
        ),
        "cohort: found 'other', derived 'open'",
    ),
    "participant time": (
        lambda: person(at=4).update(consented_at=THEN - LONG),
        "consented_at: found",
    ),
    "participant outcome": (
        lambda: person(at=4).update(outcome="complete", completed_at=THEN),
        "outcome: found 'complete', derived 'in_progress'",
    ),
    "participant extra": (
        lambda: Participant.objects.create(
            study=Study.objects.get(), cohort=Cohort.objects.get(), enrolment=1, consented_at=THEN
        ),
        "found a row, derived no row: the log has no enrolment",
    ),
    "participant missing": (
        lambda: (
            Assignment.objects.filter(participant=person(at=4).get()).delete(),
            person(at=4).delete(),
        ),
        "found no row, derived a row: the log has an enrolment",
    ),
    "place holder": (
        lambda: place(6).update(participant=None),
        "place 6 of open: participant: found None",
    ),
    "place number": (lambda: place(6).update(number=8), "place 8 of open: found a row"),
    "place lane": (lambda: place(6).update(is_test=True), "test place 6 of open: found a row"),
    "place filled": (lambda: place(6).update(is_complete=True), "is_complete: found True"),
    "place emptied": (lambda: place(2).update(is_complete=False), "place 2 of open: is_complete"),
    "place reserved too short": (
        lambda: place(6).update(reserved_until=THEN),
        "place 6 of open: reserved_until: found",
    ),
    "place reserved too long": (
        lambda: place(6).update(reserved_until=timezone.now() + LONG),
        "reserved_until: found",
    ),
    "place missing": (lambda: place(6).delete(), "place 6 of open: found no row"),
    "place extra": (
        lambda: Place.objects.create(cohort=Cohort.objects.get(), number=7),
        "place 7 of open",
    ),
    "counter": (lambda: Cohort.objects.update(enrolled=9), "cohort open: enrolled: found 9"),
    "test counter": (lambda: Cohort.objects.update(enrolled_test=2), "enrolled_test: found 2"),
    "tombstone trials": (
        lambda: Tombstone.objects.filter(was_complete=True).update(trials=[]),
        "trials: found []",
    ),
    "tombstone number": (
        lambda: Tombstone.objects.filter(was_complete=True).update(enrolment=3),
        "place 2 of open: is_complete",
    ),
    "tombstone completeness": (
        lambda: Tombstone.objects.update(was_complete=False),
        "was_complete: found 0 complete",
    ),
    "tombstone lane": (
        lambda: Tombstone.objects.filter(was_complete=True).update(is_test=True),
        "test place 2 of open: found no row",
    ),
    "tombstone missing": (
        lambda: Tombstone.objects.filter(was_complete=False).delete(),
        "tombstones: found 1 rows, derived 2",
    ),
    "tombstone extra": (
        lambda: Tombstone.objects.create(
            study=Study.objects.get(),
            cohort=Cohort.objects.get(),
            enrolment=1,
            trials=[],
            was_complete=False,
        ),
        "tombstones: found 3 rows, derived 2",
    ),
    "seed": (lambda: Study.objects.update(seed=1), "treatment_is_left: found"),
    "log entry twice": (
        lambda: Event.objects.create(
            study="sample",
            participant=person(at=4).get().code,
            kind="participant.enrolled",
            payload={},
            at=THEN,
        ),
        "derived none: enrolled before",
    ),
    "log entry of nobody": (
        lambda: Event.objects.create(
            study="sample", participant="NOBODY", kind="place.expired", payload={}, at=THEN
        ),
        "derived none: nobody of this name enrolled",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_change_is_found_and_named(study: SampleStudy, name: str) -> None:
    change, told = CHANGES[name]
    assert "no difference" in verified()
    change()
    assert told in differences()


def test_a_study_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CommandError, match="there is no study 'sample'") as refused:
        verified()
    assert refused.value.returncode == 2
