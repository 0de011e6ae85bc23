"""Keeping data for so many days after closing: reminders, then anonymising or deleting."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from studyapp import tasks
from studyapp.domain.export_options import ExportOptions
from studyapp.domain.permissions import Role
from studyapp.errors import MemberError, RoleRefusedError
from studyapp.models import (
    Event,
    EvidenceLink,
    ExportJob,
    Invitation,
    Participant,
    Response,
    Retention,
    RetentionAction,
    StudyMember,
    Tombstone,
)
from studyapp.selectors.completions import completions_get
from studyapp.selectors.event_log import log_verify
from studyapp.services.export import bundle_export
from studyapp.services.export.audit import completion_audit
from studyapp.services.retention import retention_set, retention_sweep
from studyapp.services.study import study_close
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete
from tests.studyapp.lab import user_new
from tests.studyapp.left_behind import DAY, TEXTS, database_dump, person_full

pytestmark = pytest.mark.django_db

_CLOSED: Final = THEN + timedelta(days=10)
_DAY: Final = timedelta(days=1)


@pytest.fixture
def sample() -> SampleStudy:
    sample = sample_study()
    people_complete(sample, count=3, comment="UNMISTAKABLE COMMENT")
    return sample


@pytest.fixture
def ada(sample: SampleStudy) -> User:
    ada = user_new("ada")
    User.objects.filter(pk=ada.pk).update(email="ada@example.org")
    StudyMember.objects.create(study=sample.study, user=ada, role=Role.OWNER, added_at=THEN)
    return ada


def _set(sample: SampleStudy, ada: User, days: int | None, action: str = "delete") -> None:
    retention_set(study_id=sample.study.pk, days=days, action=action, actor_id=ada.pk, now=THEN)


def _close(sample: SampleStudy) -> None:
    study_close(study_id=sample.study.pk, actor_id=None, now=_CLOSED)


class TestTheRule:
    def test_nothing_happens_before_the_study_is_closed(
        self, sample: SampleStudy, ada: User
    ) -> None:
        _set(sample, ada, 1)
        assert retention_sweep(now=_CLOSED + 999 * _DAY) == []
        assert Participant.objects.count() == 3

    def test_the_days_count_from_closing(self, sample: SampleStudy, ada: User) -> None:
        _set(sample, ada, 90)
        _close(sample)
        retention_sweep(now=_CLOSED + 89 * _DAY)
        assert Retention.objects.get().due_at == _CLOSED + 90 * _DAY
        assert Participant.objects.count() == 3

    def test_a_study_without_a_rule_keeps_everything(self, sample: SampleStudy, ada: User) -> None:
        _set(sample, ada, 1)
        _set(sample, ada, None)
        _close(sample)
        retention_sweep(now=_CLOSED + 9999 * _DAY)
        assert Participant.objects.count() == 3

    @pytest.mark.parametrize(("days", "action"), [(0, "delete"), (40000, "delete"), (9, "burn")])
    def test_what_is_not_allowed_is_refused(
        self, sample: SampleStudy, ada: User, days: int, action: str
    ) -> None:
        with pytest.raises(MemberError):
            _set(sample, ada, days, action)
        assert not Retention.objects.exists()

    def test_only_an_owner_sets_it(self, sample: SampleStudy, ada: User) -> None:
        StudyMember.objects.update(role=Role.EDITOR)
        with pytest.raises(RoleRefusedError):
            _set(sample, ada, 1)

    def test_the_log_says_what_it_was_and_is(self, sample: SampleStudy, ada: User) -> None:
        _set(sample, ada, 90)
        _set(sample, ada, 30, "anonymise")
        told = Event.objects.filter(kind="retention.set").latest("pk").payload
        assert (told["before"], told["after"]) == (
            "delete after 90 days",
            "anonymise after 30 days",
        )


class TestCarryingOut:
    def test_deleting_leaves_tombstones_and_sums(self, sample: SampleStudy, ada: User) -> None:
        _set(sample, ada, 30)
        _close(sample)
        for _ in range(3):
            retention_sweep(now=_CLOSED + 31 * _DAY)
        assert (Participant.objects.count(), Tombstone.objects.count()) == (0, 3)
        assert completions_get(sample.study.pk).n == 3
        assert log_verify(sample.study.slug).findings == ()
        assert Event.objects.filter(kind="retention.done").count() == 1

    def test_anonymising_keeps_ratings_and_takes_what_leads_to_people(
        self, sample: SampleStudy, ada: User
    ) -> None:
        person = Participant.objects.earliest("pk")
        Participant.objects.filter(pk=person.pk).update(
            external_id="PANEL-7", captured={"a": "b"}, device="phone"
        )
        Invitation.objects.create(
            cohort=sample.cohort, participant=person, name="Dr. N", created_at=THEN
        )
        ratings = Response.objects.exclude(value="UNMISTAKABLE COMMENT").count()
        _set(sample, ada, 30, "anonymise")
        _close(sample)
        for _ in range(3):
            retention_sweep(now=_CLOSED + 31 * _DAY)

        assert Response.objects.count() == ratings
        left = str(list(Participant.objects.values())) + str(list(Invitation.objects.values()))
        gone = ("PANEL-7", "Dr. N", "phone", person.token, person.completion_code)
        assert [word for word in (*gone, str(person.receipt_digest)) if word in left] == []
        assert log_verify(sample.study.slug).findings == ()

    def test_what_was_done_is_not_undone(self, sample: SampleStudy, ada: User) -> None:
        _set(sample, ada, 30)
        _close(sample)
        for _ in range(3):
            retention_sweep(now=_CLOSED + 31 * _DAY)
        with pytest.raises(MemberError, match="carried out already"):
            _set(sample, ada, 90)


class TestReminders:
    def test_each_comes_once(self, sample: SampleStudy, ada: User) -> None:
        _set(sample, ada, 100)
        _close(sample)
        told = [
            reminder.days_left
            for day in range(100)
            for _ in range(2)
            for reminder in retention_sweep(now=_CLOSED + day * _DAY)
        ]
        assert told == [100, 60, 30, 7, 1]

    def test_owners_are_written_to_by_the_worker(self, sample: SampleStudy, ada: User) -> None:
        _set(sample, ada, 100)
        _close(sample)
        Event.objects.filter(kind="study.closed").update(at=timezone.now())
        tasks.runs_sweep()
        assert mail.outbox[0].to == ["ada@example.org"]
        assert "100 days" in mail.outbox[0].subject


@pytest.mark.django_db(transaction=True)
class TestNothingIsLeft:
    @pytest.fixture
    def gone(self, sample: SampleStudy, ada: User, request: pytest.FixtureRequest) -> list[str]:
        """Have time run out for somebody who left a trace in every table."""
        person = person_full(sample)
        Invitation.objects.create(cohort=sample.cohort, name="NEVER CAME", created_at=THEN)
        EvidenceLink.objects.update(writer="A-BROWSER")
        ExportJob.objects.create(
            study=sample.study, actor="ada", options={}, requested_at=THEN, state="failed"
        )
        words = [*TEXTS, "NEVER CAME", "A-BROWSER", person.token, person.completion_code]
        words += [str(person.receipt_digest), *_trial_tokens(person)]
        dump = database_dump()
        assert [word for word in words if word not in dump] == [], "they are stored before"
        _set(sample, ada, 30, request.param)
        _close(sample)
        for _ in range(4):
            retention_sweep(now=DAY + 60 * _DAY)
        assert Retention.objects.get().done_at is not None
        return words

    @pytest.mark.parametrize("gone", list(RetentionAction.values), indirect=True)
    def test_a_dump_has_no_trace(self, gone: list[str]) -> None:
        dump = database_dump()
        assert [word for word in gone if word in dump] == []
        assert not ExportJob.objects.exists()

    @pytest.mark.parametrize("gone", list(RetentionAction.values), indirect=True)
    def test_an_export_has_no_trace_and_its_sums_hold(
        self, gone: list[str], sample: SampleStudy
    ) -> None:
        target = io.BytesIO()
        both = ExportOptions(data="both", external_ids=True)
        bundle_export(
            study_id=sample.study.pk, target=target, actor_id=None, now=_CLOSED, options=both
        )
        with zipfile.ZipFile(target) as bundle:
            text = "".join(bundle.read(name).decode() for name in bundle.namelist())
        assert [word for word in gone if word in text] == []
        assert completion_audit(sample.study).agrees
        assert log_verify(sample.study.slug).findings == ()


def _trial_tokens(person: Participant) -> list[str]:
    return list(person.assignments.values_list("token", flat=True))
