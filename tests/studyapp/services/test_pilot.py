"""A pilot: people walk a draft and leave test data, which is gone when it ends."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from studyapp.domain.seeds import seed_of_pilot
from studyapp.errors import FrozenError, IllegalMoveError, StudyNotOpenError
from studyapp.models import (
    Cohort,
    Event,
    LinkKind,
    Participant,
    Place,
    Response,
    Study,
    StudyState,
    Tombstone,
)
from studyapp.selectors.arm_key import key_is_sealed
from studyapp.selectors.event_log import log_verify
from studyapp.selectors.verification import assignment_verify
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.export import bundle_export
from studyapp.services.rights import participant_withdraw
from studyapp.services.study import (
    cohort_remove,
    scenario_remove,
    study_archive,
    study_close,
    study_open,
    study_pilot,
    study_redraft,
)
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete, person_enrolled, trials_answered
from tests.studyapp.entering import entered

pytestmark = pytest.mark.django_db

_LATER = THEN + timedelta(days=1)


@pytest.fixture
def draft() -> SampleStudy:
    """A study that will collect data, not launched yet."""
    sample = sample_study(state="draft")
    Study.objects.update(kind="study", is_test=False)
    sample.study.refresh_from_db()
    return sample


@pytest.fixture
def pilot(draft: SampleStudy) -> SampleStudy:
    study_pilot(study_id=draft.study.pk, actor_id=None, now=THEN)
    draft.study.refresh_from_db()
    return draft


def _followed(sample: SampleStudy) -> bool:
    """Whether every row of the assignment follows from seed and log, and the log adds up."""
    verified = assignment_verify(sample.study.pk, now=timezone.now())
    return not verified.differences and not log_verify(sample.study.slug).findings


def test_the_link_of_a_draft_is_shut_and_a_pilot_opens_it(draft: SampleStudy) -> None:
    with pytest.raises(StudyNotOpenError):
        participant_enrol(cohort_token=draft.cohort.token, visit="v", newcomer=Newcomer(), now=THEN)
    study_pilot(study_id=draft.study.pk, actor_id=None, now=THEN)

    entered(draft.link)

    person = Participant.objects.get()
    assert (person.is_test, person.design_sha256) == (True, "")
    assert list(Cohort.objects.values_list("enrolled", "enrolled_test")) == [(0, 1)]


def test_a_pilot_is_walked_to_its_end_and_freezes_nothing(pilot: SampleStudy) -> None:
    people_complete(pilot, count=3)

    assert Participant.objects.filter(is_test=True, completed_at__isnull=False).count() == 3
    pilot.study.refresh_from_db()
    assert (pilot.study.design_sha256, pilot.study.opened_at) == ("", None)
    assert not key_is_sealed(pilot.study)
    assert _followed(pilot)


def test_a_panel_sends_the_same_person_twice_into_a_pilot(pilot: SampleStudy) -> None:
    Cohort.objects.update(link_kind=LinkKind.PANEL, panel={"provider": "other"})
    newcomer = Newcomer(external_id="P1")
    both = [
        participant_enrol(
            cohort_token=pilot.cohort.token, visit=f"v{number}", newcomer=newcomer, now=THEN
        )
        for number in range(2)
    ]
    assert both[0] == both[1]


def test_the_design_rests_while_somebody_may_walk_it(pilot: SampleStudy) -> None:
    with pytest.raises(FrozenError, match="piloting"):
        scenario_remove(study_id=pilot.study.pk, key="scenario-1", actor_id=None, now=THEN)
    with pytest.raises(FrozenError, match="back to a draft"):
        cohort_remove(study_id=pilot.study.pk, name="open", actor_id=None, now=THEN)


def _clutter(sample: SampleStudy) -> None:
    people_complete(sample, count=2)
    gone = person_enrolled(sample, number=5)
    trials_answered(sample, gone, trials=99)
    participant_withdraw(participant_id=gone.pk, now=_LATER)
    person_enrolled(sample, number=6)


def test_back_in_a_draft_nothing_of_the_pilot_is_left(pilot: SampleStudy) -> None:
    _clutter(pilot)

    study = study_redraft(study_id=pilot.study.pk, actor_id=None, now=_LATER)

    assert study.state == StudyState.DRAFT
    for table in (Participant, Place, Response, Tombstone):
        assert not table.objects.exists(), table
    assert list(Cohort.objects.values_list("enrolled", "enrolled_test")) == [(0, 0)]
    told = Event.objects.get(kind="pilot.cleared").payload["before"]
    assert (told["participants"], told["complete"], told["withdrawn"]) == (3, 2, 1)
    assert _followed(pilot)
    scenario_remove(study_id=study.pk, key="scenario-2", actor_id=None, now=_LATER)
    study_pilot(study_id=study.pk, actor_id=None, now=_LATER)
    person_enrolled(pilot, number=99)
    assert _followed(pilot)


def test_after_the_launch_places_count_from_one_and_only_live_people_are_there(
    pilot: SampleStudy,
) -> None:
    _clutter(pilot)

    study = study_open(study_id=pilot.study.pk, actor_id=None, now=_LATER)
    person = person_enrolled(pilot, number=100)

    assert (person.is_test, person.enrolment) == (False, 1)
    assert person.design_sha256 == study.design_sha256 != ""
    assert Participant.objects.count() == 1
    assert _followed(pilot)


def test_what_a_pilot_shows_tells_nothing_of_the_draws_to_come(pilot: SampleStudy) -> None:
    people_complete(pilot, count=8)
    target = io.BytesIO()
    bundle_export(study_id=pilot.study.pk, target=target, actor_id=None, now=_LATER)
    with zipfile.ZipFile(target) as bundle:
        manifest = json.loads(bundle.read("manifest.json"))

    assert manifest["seed"] == seed_of_pilot(pilot.study.seed) != pilot.study.seed
    assert "pilot" in manifest["kind"]
    assert str(pilot.study.seed) not in json.dumps(manifest)
    assert manifest["participants"]["complete"] == 8


def test_only_a_closed_study_is_archived_and_it_stays_unsealed(pilot: SampleStudy) -> None:
    ids: dict[str, Any] = {"study_id": pilot.study.pk, "actor_id": None, "now": _LATER}
    with pytest.raises(IllegalMoveError, match="piloting"):
        study_archive(**ids)
    study_open(**ids)
    with pytest.raises(IllegalMoveError, match="only when it is closed"):
        study_archive(**ids)
    study_close(**ids)

    study = study_archive(**ids)

    assert study.state == StudyState.ARCHIVED
    assert not key_is_sealed(study)
    for move in (study_open, study_pilot, study_redraft, study_close):
        with pytest.raises(IllegalMoveError):
            move(**ids)


def test_somebody_who_waited_for_a_place_finds_the_pilot_over(pilot: SampleStudy) -> None:
    stale = Cohort.objects.select_related("study").get()
    study_redraft(study_id=pilot.study.pk, actor_id=None, now=_LATER)

    with pytest.raises(StudyNotOpenError):
        participant_enrol(
            cohort_token=stale.token, visit="late", newcomer=Newcomer(is_test=True), now=_LATER
        )
    assert not Place.objects.exists()
