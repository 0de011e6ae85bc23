"""Places are given once each, within the quota, and what was drawn is recorded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from studyapp.domain.randomise import trials_draw
from studyapp.errors import StudyFullError, StudyNotOpenError, UnknownLinkError
from studyapp.models import Assignment, Cohort, Event, Participant
from studyapp.services.assignment import Newcomer, participant_enrol
from tests.parallel import at_once, consents_sent
from tests.sample_study import THEN, SampleStudy, sample_study

ROOT = Path(__file__).resolve().parents[3]


def enrol(study: SampleStudy, visit: str) -> Participant:
    return participant_enrol(
        cohort_token=study.cohort.token, visit=visit, newcomer=Newcomer(), now=THEN
    )


@pytest.fixture
def threads(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip(
            "needs PostgreSQL: threads cannot share an in-memory SQLite; unset DATABASE_URL"
        )


@pytest.mark.django_db
def test_what_was_drawn_is_stored_and_can_be_drawn_again() -> None:
    study = sample_study(debates=3)
    keys = list(study.study.scenarios.order_by("position").values_list("key", flat=True))
    for number in range(1, 9):
        person = enrol(study, f"visit {number}")
        assert person.enrolment == number
        drawn = trials_draw(
            seed=study.study.seed, cohort="open", enrolment=number, scenarios=len(keys)
        )
        stored = person.assignments.order_by("order").values_list(
            "order", "scenario__key", "treatment_is_left"
        )
        assert list(stored) == [
            (order, keys[trial.scenario], trial.treatment_is_left)
            for order, trial in enumerate(drawn, start=1)
        ]


@pytest.mark.django_db
def test_enrolment_is_written_to_the_log_with_the_wording_that_was_agreed_to() -> None:
    study = sample_study()
    person = enrol(study, "a visit")
    event = Event.objects.get(kind="participant.enrolled")
    assert (event.study, event.participant, event.at) == ("sample", person.code, THEN)
    assert event.payload["enrolment"] == 1
    assert [trial["scenario"] for trial in event.payload["trials"]] == list(
        person.assignments.order_by("order").values_list("scenario__key", flat=True)
    )
    assert len(event.payload["texts_sha256"]) == 64


@pytest.mark.django_db
def test_sixty_participants_are_balanced_over_sides_and_orders() -> None:
    study = sample_study()
    for number in range(60):
        enrol(study, f"visit {number}")
    cells = Counter(Assignment.objects.values_list("scenario", "order", "treatment_is_left"))
    assert set(cells.values()) == {15}
    assert len(cells) == 2 * 2 * 2


@pytest.mark.django_db
def test_one_visit_is_one_participant_however_often_it_is_sent() -> None:
    study = sample_study(quota=1)
    assert enrol(study, "one") == enrol(study, "one")
    assert Participant.objects.count() == 1
    assert Cohort.objects.get().enrolled_test == 1


@pytest.mark.django_db
def test_the_visit_does_not_tell_the_personal_link() -> None:
    study = sample_study()
    person = enrol(study, "one")
    assert "one" not in person.token
    assert len(person.token) == 22


@pytest.mark.django_db
def test_a_test_study_marks_its_participants() -> None:
    assert enrol(sample_study(), "one").is_test


@pytest.mark.django_db
def test_a_full_cohort_refuses_and_counts_nobody() -> None:
    study = sample_study(quota=1)
    enrol(study, "one")
    with pytest.raises(StudyFullError, match="has its 1 participants"):
        enrol(study, "two")
    assert Cohort.objects.get().enrolled_test == 1
    assert Event.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_a_study_that_is_not_open_refuses(state: str) -> None:
    with pytest.raises(StudyNotOpenError, match=f"is {state}, not open"):
        enrol(sample_study(state=state), "one")
    assert Cohort.objects.get().enrolled_test == 0


@pytest.mark.django_db
def test_an_unknown_link_refuses() -> None:
    study = sample_study()
    study.cohort.delete()
    with pytest.raises(UnknownLinkError):
        enrol(study, "one")


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_thirty_at_once_into_ten_places_give_exactly_ten() -> None:
    study = sample_study(quota=10)
    assert consents_sent(study.link, 30) == {200: 10, 409: 20}
    assert sorted(Participant.objects.values_list("enrolment", flat=True)) == list(range(1, 11))
    assert Cohort.objects.get().enrolled_test == 10
    assert Assignment.objects.count() == 20


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_thirty_at_once_into_thirty_places_refuse_nobody() -> None:
    study = sample_study(quota=30)
    assert consents_sent(study.link, 30) == {200: 30}
    cells = Counter(Assignment.objects.values_list("scenario", "treatment_is_left"))
    assert all(abs(count - 15) <= 2 for count in cells.values())


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_one_visit_sent_ten_times_at_once_takes_one_place() -> None:
    study = sample_study()
    tokens = at_once([lambda: enrol(study, "the same").token] * 10)
    assert len(set(tokens)) == 1
    assert Participant.objects.count() == 1
    assert Cohort.objects.get().enrolled_test == 1


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_on_sqlite_thirty_at_once_into_ten_places_give_exactly_ten(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.parallel", str(tmp_path / "places.sqlite3"), "10", "30"],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "statuses": {"200": 10, "409": 20},
        "enrolled": 10,
        "numbers": list(range(1, 11)),
    }
