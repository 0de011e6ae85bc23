"""The page that is watched while a study runs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studyapp.models import Cohort, Invitation, Participant, Place, Study, StudyMember
from studyapp.selectors.watch import watch_get
from tests.sample_study import THEN, sample_study
from tests.studyapp.answering import person_enrolled, trials_answered
from tests.studyapp.held import committee_queued, draft_new
from tests.studyapp.lab import Lab, browser_of, page_text, user_new

pytestmark = pytest.mark.django_db


def test_everybody_stands_in_one_group_of_their_cohort() -> None:
    sample = sample_study()
    people = [person_enrolled(sample, number=number) for number in range(4)]
    trials_answered(sample, people[0], trials=2)
    trials_answered(sample, people[1], trials=1)
    Participant.objects.filter(pk=people[3].pk).update(outcome="screened_out")
    Place.objects.filter(participant=people[2]).update(reserved_until=THEN - timedelta(days=1))
    now = THEN + timedelta(hours=4)
    Place.objects.filter(participant=people[1]).update(reserved_until=now + timedelta(hours=1))

    watch = watch_get(sample.study.pk, is_test=True, now=now)

    (row,) = watch.cohorts
    assert (row.consented, row.complete, row.here, row.away, row.screened_out) == (4, 1, 1, 1, 1)
    assert row.consented == row.complete + row.here + row.away + row.screened_out
    assert [(one.kind, one.trial, one.people) for one in watch.stations] == [
        ("start", 0, 1),
        ("debate", 2, 1),
    ]
    assert sum(day.consented for day in watch.days) == 4
    assert [row.cells for row in watch.heat][-1] == ("answered", "answered")


def test_who_was_invited_by_name_is_counted_where_people_are() -> None:
    study = sample_study().study
    experts = Cohort.objects.create(study=study, name="experts", link_kind="personal")
    for name, revoked_at in (("Ann", None), ("Bo", None), ("Cy", THEN)):
        Invitation.objects.create(cohort=experts, name=name, created_at=THEN, revoked_at=revoked_at)

    watch = watch_get(study.pk, is_test=True, now=THEN)

    assert [(row.name, row.invited) for row in watch.cohorts] == [("open", None), ("experts", 2)]


def test_nothing_tells_an_arm_or_a_side(lab: Lab) -> None:
    page = lab.ada.get(lab.url("study-watch")).content.decode().casefold()
    for word in (lab.study.reference_arm, lab.study.treatment_arm, "report a", "left_arm"):
        assert word not in page


def test_the_page_shows_progress_and_renews_its_middle() -> None:
    sample = sample_study()
    owner = user_new("ada")
    StudyMember.objects.create(study=sample.study, user=owner, role="owner", added_at=THEN)
    person = person_enrolled(sample, number=1)
    trials_answered(sample, person, trials=1)
    client = browser_of(owner)

    page = client.get(f"/studies/{sample.study.slug}/watch/").content.decode()
    part = client.get(f"/studies/{sample.study.slug}/watch/live/").content.decode()

    assert person.code in page
    assert 'hx-trigger="every 10s"' in page
    assert person.code in part
    assert "<html" not in part


def test_work_of_every_kind_is_counted() -> None:
    study = Study.objects.get(pk=draft_new())
    owner = user_new("ada")
    StudyMember.objects.create(study=study, user=owner, role="owner", added_at=THEN)
    committee_queued(study.pk)

    page = " ".join(page_text(browser_of(owner), f"/studies/{study.slug}/watch/").split())

    assert "Debates: 1 waiting, 0 under way" in page
    assert "Texts: 0 waiting, 0 under way" in page


@pytest.mark.parametrize("asked", ["-1", "x", "²", "99999999999999999999"])
def test_a_page_that_is_none_is_the_first(lab: Lab, asked: str) -> None:
    assert lab.ada.get(lab.url("study-watch"), {"page": asked}).status_code == 200


def test_the_number_of_queries_does_not_grow_with_people() -> None:
    sample = sample_study()
    counts = []
    for number in (1, 2, 3, 4, 5, 6):
        person = person_enrolled(sample, number=number)
        trials_answered(sample, person, trials=2)
        with CaptureQueriesContext(connection) as queries:
            watch_get(sample.study.pk, is_test=True, now=THEN + timedelta(hours=9))
        counts.append(len(queries))
    assert len(set(counts)) == 1
