"""Withdrawing: a person is gone from every table, dump and export, and all sums still hold."""

from __future__ import annotations

import io
import threading
import time
import zipfile
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from studyapp.errors import StudyAppError
from studyapp.models import (
    Assignment,
    Event,
    Invitation,
    Participant,
    Place,
    Tombstone,
)
from studyapp.selectors.completions import completions_get
from studyapp.selectors.event_log import log_verify
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.export import bundle_export
from studyapp.services.rights import participant_withdraw
from studyapp.services.sealing import logs_seal
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete, person_enrolled, trials_answered
from tests.studyapp.left_behind import DAY, TEXTS, database_dump, person_full, table_rows
from tests.studyapp.racing import at_once

_LATER = THEN + timedelta(days=9)


@pytest.fixture
def sample(db: None) -> SampleStudy:
    return sample_study()


def _withdraw(person: Participant) -> bool:
    return participant_withdraw(participant_id=person.pk, now=_LATER)


class TestWhatStays:
    def test_a_tombstone_says_what_was_drawn_and_nothing_else(self, sample: SampleStudy) -> None:
        people_complete(sample, count=1)
        person = Participant.objects.get()
        drawn = [
            {"scenario": trial.scenario.key, "treatment_is_left": trial.treatment_is_left}
            for trial in person.assignments.select_related("scenario").order_by("order")
        ]
        assert _withdraw(person)
        stone = Tombstone.objects.get()
        assert (stone.enrolment, stone.trials, stone.was_complete) == (1, drawn, True)
        assert not Participant.objects.exists()

    def test_a_completed_place_stays_filled(self, sample: SampleStudy) -> None:
        people_complete(sample, count=1)
        _withdraw(Participant.objects.get())
        place = Place.objects.get()
        assert (place.is_complete, place.participant, place.reserved_until) == (True, None, None)
        assert person_enrolled(sample, number=5).enrolment == 2

    def test_another_place_is_given_on_with_its_draw(self, sample: SampleStudy) -> None:
        _withdraw(person_enrolled(sample, number=1))
        place = Place.objects.get()
        assert (place.is_complete, place.participant) == (False, None)
        assert person_enrolled(sample, number=2).enrolment == 1

    def test_completions_are_rows_and_tombstones(self, sample: SampleStudy) -> None:
        people_complete(sample, count=3)
        _withdraw(person_enrolled(sample, number=9))
        _withdraw(Participant.objects.earliest("pk"))
        sums = completions_get(sample.study.pk)
        assert (sums.n, sums.completed, sums.withdrawn, sums.withdrawn_complete) == (3, 2, 2, 1)
        assert sums.holds

    def test_the_log_still_verifies(self, sample: SampleStudy) -> None:
        people_complete(sample, count=2)
        logs_seal(now=_LATER)
        _withdraw(Participant.objects.earliest("pk"))
        person_enrolled(sample, number=5)
        _withdraw(Participant.objects.latest("pk"))
        logs_seal(now=_LATER)
        report = log_verify(sample.study.slug)
        assert (report.findings, report.unsealed) == ((), 0)
        assert report.erased > 10

    def test_rows_that_were_erased_without_a_withdrawal_are_found(
        self, sample: SampleStudy
    ) -> None:
        people_complete(sample, count=2)
        one = Event.objects.filter(kind="response.recorded").earliest("pk")
        Event.objects.filter(pk=one.pk).update(participant="", payload={}, at=None, is_erased=True)
        assert "withdrawals account for 0" in " ".join(log_verify(sample.study.slug).findings)

    def test_asking_again_changes_nothing(self, sample: SampleStudy) -> None:
        person = person_enrolled(sample, number=1)
        assert _withdraw(person)
        events = Event.objects.count()
        assert not _withdraw(person)
        assert (Event.objects.count(), Tombstone.objects.count()) == (events, 1)

    def test_others_keep_what_is_theirs(self, sample: SampleStudy) -> None:
        people_complete(sample, count=2)
        mine, other = Participant.objects.order_by("pk")
        before = list(Event.objects.filter(participant=other.code).values())
        _withdraw(mine)
        assert list(Event.objects.filter(participant=other.code).values()) == before
        assert other.assignments.count() == 2

    def test_an_invitation_forgets_who_was_invited_and_lets_nobody_in(
        self, sample: SampleStudy
    ) -> None:
        person = person_enrolled(sample, number=1)
        Invitation.objects.create(
            cohort=sample.cohort, participant=person, name="N", role="R", experience_years=3,
            credential="C", created_at=THEN, used_at=DAY,
        )  # fmt: skip
        _withdraw(person)
        left = Invitation.objects.get()
        assert (left.name, left.role, left.experience_years, left.credential) == ("", "", None, "")
        assert (left.participant, left.used_at, left.revoked_at) == (None, None, _LATER)


@pytest.mark.django_db(transaction=True)
class TestNothingIsLeft:
    @pytest.fixture
    def gone(self) -> list[str]:
        """Withdraw somebody who left a trace in every table; return what must be nowhere."""
        sample = sample_study()
        people_complete(sample, count=2)
        person = person_full(sample)
        trials = person.assignments.values_list("token", flat=True)
        words = [person.code, person.token, person.completion_code, *trials, *TEXTS]
        words += [str(person.receipt_digest), person.receipt, DAY.date().isoformat()]
        for word in words:
            if word != person.receipt:
                assert word in database_dump(), f"{word} is stored before"
        assert _withdraw(person)
        return words

    def test_a_dump_of_the_database_has_no_trace(self, gone: list[str]) -> None:
        dump = database_dump()
        assert "studyapp_tombstone" in dump
        assert [word for word in gone if word in dump] == []

    def test_no_table_has_a_trace(self, gone: list[str]) -> None:
        found = [
            (table, word)
            for table in connection.introspection.table_names()
            for row in table_rows(table)
            for word in gone
            if word in row
        ]
        assert found == []

    def test_an_export_has_no_trace(self, gone: list[str]) -> None:
        target = io.BytesIO()
        study = Tombstone.objects.get().study_id
        bundle_export(study_id=study, target=target, actor_id=None, now=_LATER, include_test=True)
        with zipfile.ZipFile(target) as bundle:
            text = "".join(bundle.read(name).decode() for name in bundle.namelist())
        assert [word for word in gone if word in text] == []
        assert Participant.objects.earliest("pk").code in text


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    def test_many_requests_leave_one_tombstone(self) -> None:
        person = person_enrolled(sample_study(), number=1)
        at_once([lambda: _withdraw(person)] * 6)
        assert Tombstone.objects.count() == 1
        assert log_verify("sample").findings == ()

    def test_answers_that_arrive_meanwhile_go_too(self) -> None:
        sample = sample_study()
        people = [person_enrolled(sample, number=number) for number in range(4)]

        def answer(person: Participant) -> Callable[[], object]:
            return lambda: _answer_or_gone(sample, person)

        def leave(person: Participant) -> Callable[[], object]:
            return lambda: _withdraw(person)

        at_once([job for person in people for job in (answer(person), leave(person))])
        codes = [person.code for person in people]
        assert not Assignment.objects.exists()
        assert not Event.objects.filter(participant__in=codes).exists()
        assert completions_get(sample.study.pk).holds

    def test_a_withdrawal_waits_for_a_place_that_is_being_given_on(self) -> None:
        sample = sample_study(quota=1)
        person = person_enrolled(sample, number=1)
        Place.objects.update(reserved_until=THEN)
        late = THEN + timedelta(days=3)
        jobs: list[Callable[[], object]] = [
            lambda: _withdraw(person),
            lambda: participant_enrol(
                cohort_token=sample.cohort.token, visit="next", newcomer=Newcomer(), now=late
            ),
        ]
        at_once(jobs)
        assert Participant.objects.get().enrolment == 1
        assert not Event.objects.filter(participant=person.code).exists()


def _answer_or_gone(sample: SampleStudy, person: Participant) -> None:
    """Answer until the person is gone; then every step is refused, and that is fine."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and Participant.objects.filter(pk=person.pk).exists():
        try:
            trials_answered(sample, person, trials=2)
        except (StudyAppError, Assignment.DoesNotExist):
            threading.Event().wait(0.01)
