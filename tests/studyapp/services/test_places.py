"""Who comes back is counted anew: no quota is crossed by people who were away."""

from __future__ import annotations

from datetime import timedelta

import pytest

from studyapp.errors import (
    EntryRefusedError,
    PlaceLostError,
    StepOrderError,
    StudyNotOpenError,
    UnknownLinkError,
)
from studyapp.models import Cohort, Event, Invitation, Outcome, Participant, Place, Study
from studyapp.selectors.cohorts import cohorts_list, strata_list
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.completion import participation_end
from studyapp.services.places import place_keep
from studyapp.services.screening import screening_record
from tests.sample_study import THEN, SampleStudy
from tests.studyapp.entering import (
    PROLIFIC,
    expert_study,
    invited,
    live_study,
    panel_study,
    screened_study,
)

pytestmark = pytest.mark.django_db

LATER = THEN + timedelta(days=1)
NORTH = {"adult": "yes", "region": "north"}


def enrol(study: SampleStudy, visit: str, newcomer: Newcomer | None = None) -> Participant:
    return participant_enrol(
        cohort_token=study.cohort.token, visit=visit, newcomer=newcomer or Newcomer(), now=THEN
    )


def enrol_later(study: SampleStudy, visit: str) -> Participant:
    return participant_enrol(
        cohort_token=study.cohort.token, visit=visit, newcomer=Newcomer(), now=LATER
    )


def screen(person: Participant, **hours: int) -> None:
    screening_record(
        participant=person.token,
        stage="eligibility",
        sent=NORTH,
        now=THEN + timedelta(**hours),
    )


def test_who_was_away_keeps_an_untouched_place() -> None:
    study = live_study(quota=1)
    person = enrol(study, "a")
    place_keep(participant=person, now=LATER)
    place = Place.objects.get()
    assert place.participant == person
    assert place.reserved_until is not None
    assert place.reserved_until > LATER
    assert not Event.objects.filter(kind="place.retaken").exists()


def test_who_was_away_while_others_filled_the_study_has_lost_the_place() -> None:
    study = live_study()
    Study.objects.update(quota=1)
    Cohort.objects.create(study=study.study, name="other")
    person = Participant.objects.get(pk=enrol(study, "a").pk)
    other = Cohort.objects.get(name="other")
    participant_enrol(cohort_token=other.token, visit="b", newcomer=Newcomer(), now=LATER)
    with pytest.raises(PlaceLostError):
        place_keep(participant=person, now=LATER)
    counts = [page.counts for page in cohorts_list(study.study.pk, now=LATER)]
    assert [(count.here, count.away) for count in counts] == [(0, 1), (1, 0)]


def test_who_was_away_while_others_filled_the_stratum_has_lost_the_place() -> None:
    study = screened_study(strata={"region": {"north": 1}})
    away = enrol(study, "a")
    screen(away)
    again = enrol_later(study, "b")
    # The lowest free place was the first one's; both may sit, but the stratum has room for one.
    screen(again, days=1)
    assert Participant.objects.get(pk=again.pk).outcome == Outcome.IN_PROGRESS
    with pytest.raises(PlaceLostError):
        place_keep(participant=Participant.objects.get(pk=away.pk), now=LATER)
    rows = strata_list(study.study.pk, now=LATER)
    assert [(row.name, row.taken, row.quota) for row in rows] == [("region = north", 1, 1)]


def test_who_has_ended_keeps_no_place_and_cannot_end_twice() -> None:
    study = live_study(quota=1)
    person = enrol(study, "a")
    participation_end(participant=person, outcome=Outcome.FAILED_ATTENTION, why="checks", now=THEN)
    ended = Participant.objects.get()
    with pytest.raises(StepOrderError):
        place_keep(participant=ended, now=THEN)
    with pytest.raises(StepOrderError):
        participation_end(participant=ended, outcome=Outcome.SCREENED_OUT, why="x", now=THEN)
    assert Participant.objects.get().outcome == Outcome.FAILED_ATTENTION
    assert enrol(study, "b").enrolment == 1


def test_a_revoked_invitation_keeps_no_place() -> None:
    study = expert_study()
    person = enrol(study, "", Newcomer(invitation=invited(study).token))
    Invitation.objects.update(revoked_at=THEN)
    with pytest.raises(UnknownLinkError):
        place_keep(participant=person, now=THEN)


def test_each_kind_of_link_lets_only_its_own_people_in() -> None:
    study = expert_study()
    other = invited(study)
    with pytest.raises(EntryRefusedError, match="entered by personal links"):
        enrol(study, "a")
    Invitation.objects.update(revoked_at=THEN)
    with pytest.raises(EntryRefusedError, match="used before, or it was taken back"):
        enrol(study, "a", Newcomer(invitation=other.token))
    Cohort.objects.update(link_kind="panel", panel=PROLIFIC)
    with pytest.raises(EntryRefusedError, match="needs the panel's id"):
        enrol(study, "a")
    assert not Participant.objects.exists()
    assert Cohort.objects.get().enrolled == 0
    assert enrol(study, "a", Newcomer(is_test=True)).is_test


def test_a_test_may_come_while_the_study_pauses_but_not_once_it_is_closed() -> None:
    study = live_study()
    Study.objects.update(state="paused")
    assert enrol(study, "a", Newcomer(is_test=True)).is_test
    with pytest.raises(StudyNotOpenError):
        enrol(study, "b")
    Study.objects.update(state="closed")
    with pytest.raises(StudyNotOpenError):
        enrol(study, "c", Newcomer(is_test=True))


def test_one_panel_id_is_one_participant_also_in_a_test_study() -> None:
    study = panel_study()
    Study.objects.update(is_test=True)
    newcomer = Newcomer(external_id="a", captured={"SESSION_ID": "1"})
    assert enrol(study, "x", newcomer) == enrol(study, "y", newcomer)
