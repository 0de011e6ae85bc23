"""Public reports about assignment in other platforms, each reproduced here.

Set C of the field's list, by number: 41 davidjurgens/potato#80, 42 tatsu-lab/alpaca_eval#34, 43
revisit-studies/study#1028 and #1387, 44 davidjurgens/potato#100, 45 NYUCCL/psiTurk#295, 48
empiricaly/meteor-empirica-core#255 and 51 karrot-dev/karrot-backend#1067 are here. 50
Dallinger/Dallinger#9809 (sign-ups that stall each other) and 200 requests for 100 places are in
tests/flows/test_race_for_places.py; 52 lm-sys/FastChat#1210 (texts that name their model) in
tests/studyapp/domain/test_lint.py; 54 (readable ids) in
tests/studyapp/pages/test_participant_blinding.py.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.db import connection

from studyapp.domain.randomise import block_size
from studyapp.errors import StudyFullError
from studyapp.models import Assignment, Cohort, Participant, Place, Study
from studyapp.selectors.verification import assignment_verify
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.export import bundle_write
from tests.parallel import consents_sent
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete, person_enrolled, trials_answered

BLOCK = block_size(2)
EXPIRED = timedelta(hours=6)


@pytest.fixture
def threads(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip(
            "needs PostgreSQL: threads cannot share an in-memory SQLite; unset DATABASE_URL"
        )


def enrol(study: SampleStudy, visit: str, now: datetime, *, is_test: bool = False) -> Participant:
    newcomer = Newcomer(is_test=is_test)
    return participant_enrol(
        cohort_token=study.cohort.token, visit=visit, newcomer=newcomer, now=now
    )


def long_table(study: SampleStudy) -> list[dict[str, str]]:
    target = io.BytesIO()
    bundle_write(study_id=study.study.pk, target=target)
    with zipfile.ZipFile(target) as bundle:
        (name,) = (name for name in bundle.namelist() if name.endswith("long.csv"))
        text = io.TextIOWrapper(bundle.open(name), encoding="utf-8", newline="")
        return list(csv.DictReader(text))


def sides_of_complete() -> Counter[tuple[int, bool]]:
    done = Assignment.objects.filter(participant__completed_at__isnull=False)
    return Counter(done.values_list("scenario_id", "treatment_is_left"))


@pytest.mark.django_db
def test_forty_people_meet_both_ways_round_equally_often() -> None:
    """davidjurgens/potato#80: one order for everybody."""
    study = sample_study()
    for number in range(40):
        enrol(study, f"visit {number}", THEN)
    cells = Counter(Assignment.objects.values_list("scenario_id", "treatment_is_left"))
    assert set(cells.values()) == {20}


@pytest.mark.django_db
def test_the_export_says_which_arm_stood_where_as_it_was_stored() -> None:
    """tatsu-lab/alpaca_eval#34: the order shown is not exported."""
    study = sample_study()
    people_complete(study, count=BLOCK)
    stored = {
        (code, key): "apg" if treatment_is_left else "baseline"
        for code, key, treatment_is_left in Assignment.objects.values_list(
            "participant__code", "scenario__key", "treatment_is_left"
        )
    }
    rows = [row for row in long_table(study) if row["scenario"]]
    assert {(row["participant_id"], row["scenario"]): row["left_arm"] for row in rows} == stored
    rated = [row for row in rows if row["arm"] in ("apg", "baseline") and row["position"]]
    assert rated
    assert all((row["position"] == "left") == (row["arm"] == row["left_arm"]) for row in rated)


@pytest.mark.django_db
def test_when_every_third_leaves_those_who_complete_stay_balanced() -> None:
    """revisit-studies/study#1028, #1387: dropouts unbalance the conditions."""
    study = sample_study()
    for number in range(20):
        person = person_enrolled(study, number=number)
        if number % 3 != 2:
            trials_answered(study, person, trials=2)
    assert Participant.objects.filter(completed_at__isnull=False).count() == 14
    cells = sides_of_complete()
    assert max(cells.values()) - min(cells.values()) <= BLOCK

    # Six more come once the places of those who left are free again: exactly balanced.
    for number in range(30, 36):
        trials_answered(study, person_enrolled(study, number=number), trials=2)
    assert set(sides_of_complete().values()) == {10}
    assert Cohort.objects.get().enrolled_test == 20
    assert assignment_verify(study.study.pk, now=THEN + timedelta(days=9)).differences == ()


@pytest.mark.django_db
def test_abandoned_places_open_again_and_late_people_get_them() -> None:
    """davidjurgens/potato#100: abandoned assignments still count, and late people are refused."""
    study = sample_study(quota=8)
    for number in range(8):
        person = enrol(study, f"visit {number}", THEN)
        if number % 2:
            Participant.objects.filter(pk=person.pk).update(completed_at=THEN, outcome="complete")
            Place.objects.filter(participant=person).update(is_complete=True)
    with pytest.raises(StudyFullError):
        enrol(study, "at once", THEN)
    late = [enrol(study, f"late {number}", THEN + EXPIRED) for number in range(4)]
    assert [person.enrolment for person in late] == [1, 3, 5, 7]
    with pytest.raises(StudyFullError):
        enrol(study, "too late", THEN + EXPIRED)


@pytest.mark.django_db
def test_previews_do_not_move_the_live_draw() -> None:
    """NYUCCL/psiTurk#295: test runs shift the live counterbalancing."""

    def live_draws(slug: str, *, previews: int) -> list[tuple[int, str, bool]]:
        study = sample_study(slug=slug)
        Study.objects.filter(slug=slug).update(is_test=False)
        for number in range(previews):
            enrol(study, f"preview {number}", THEN, is_test=True)
        for number in range(BLOCK):
            enrol(study, f"visit {number}", THEN)
        live = Assignment.objects.filter(participant__study__slug=slug, participant__is_test=False)
        rows = live.order_by("participant", "order")
        return list(rows.values_list("order", "scenario__key", "treatment_is_left"))

    assert live_draws("previewed", previews=5) == live_draws("fresh", previews=0)
    counters = Cohort.objects.order_by("pk").values_list("enrolled", "enrolled_test")
    assert list(counters) == [(BLOCK, 5), (BLOCK, 0)]


@pytest.mark.django_db
def test_a_place_for_tests_is_none_of_the_live_places() -> None:
    """NYUCCL/psiTurk#295, at the last place: previews fill the test lane and no live place."""
    study = sample_study(quota=3)
    Study.objects.update(is_test=False)
    for number in range(3):
        enrol(study, f"preview {number}", THEN, is_test=True)
    assert [enrol(study, f"visit {number}", THEN).enrolment for number in range(3)] == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_fifty_at_once_into_fifty_places_refuse_nobody() -> None:
    """empiricaly/meteor-empirica-core#255: people told that the study is full while it is not."""
    study = sample_study(quota=50)
    assert consents_sent(study.link, 50) == {200: 50}
    assert sorted(Participant.objects.values_list("enrolment", flat=True)) == list(range(1, 51))


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_thirty_at_once_when_two_of_ten_places_have_expired_give_exactly_two() -> None:
    """karrot-dev/karrot-backend#1067: a cap crossed by joins at the same moment."""
    study = sample_study(quota=10)
    for number in range(10):
        person = enrol(study, f"visit {number}", THEN)
        if number not in (3, 6):
            Place.objects.filter(participant=person).update(is_complete=True)
    assert consents_sent(study.link, 30) == {200: 2, 409: 28}
    newest = Participant.objects.order_by("-pk").values_list("enrolment", flat=True)[:2]
    assert sorted(newest) == [4, 7]
    assert Place.objects.count() == 10
