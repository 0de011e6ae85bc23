"""What is told, when, to whom, and only once."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Final

import pytest

from studyapp.domain.occasions import Occasion, StallRule
from studyapp.domain.permissions import Role
from studyapp.models import (
    DebateRun,
    ExportJob,
    GenerationRun,
    Notice,
    NoticeDelivery,
    Participant,
    Scenario,
    Study,
    StudyMember,
    Webhook,
)
from studyapp.services.notices import mail_set, notices_sweep, rule_set
from studyapp.services.study import study_open, study_pause
from tests.sample_study import THEN, SampleStudy
from tests.studyapp.answering import people_complete, person_enrolled
from tests.studyapp.debates import run_queued
from tests.studyapp.held import committee_queued, draft_new
from tests.studyapp.services.notices.telling import live_study, owner_with_mail, webhook_of

pytestmark = pytest.mark.django_db

_HOUR: Final = timedelta(hours=1)


def _sweep(now: datetime = THEN + 6 * _HOUR) -> int:
    return notices_sweep(now=now, sends_mail=True)


def _told(occasion: Occasion) -> list[dict[str, object]]:
    rows = Notice.objects.filter(occasion=occasion).order_by("pk")
    return list(rows.values_list("data", flat=True))


def _rule(sample: SampleStudy, *, hours: int, people: int = 10) -> None:
    rule = StallRule(hours, people)
    rule_set(study_id=sample.study.pk, rule=rule, actor_id=None, now=THEN)


class TestPlaces:
    def test_a_full_cohort_is_told_once(self) -> None:
        sample = live_study(quota=2)
        people_complete(sample, count=1)
        _sweep()
        assert _told(Occasion.COHORT_FULL) == []
        person_enrolled(sample, number=5)
        _sweep(THEN + 5 * _HOUR)
        _sweep(THEN + 5 * _HOUR)
        assert _told(Occasion.COHORT_FULL) == [
            {"study": "sample", "version": 1, "cohort": "open", "places": 2}
        ]

    def test_a_place_whose_holder_went_away_is_not_taken(self) -> None:
        sample = live_study(quota=1)
        person_enrolled(sample, number=0)
        _sweep(THEN + timedelta(days=1))
        assert _told(Occasion.COHORT_FULL) == []

    def test_a_full_study_is_told_beside_its_cohorts(self) -> None:
        sample = live_study()
        Study.objects.update(quota=1)
        people_complete(sample, count=1)
        _sweep()
        assert _told(Occasion.STUDY_FULL) == [{"study": "sample", "version": 1, "places": 1}]

    def test_the_planned_number_is_told_when_it_has_completed(self) -> None:
        sample = live_study(quota=2)
        people_complete(sample, count=2)
        _sweep()
        told = _told(Occasion.PLANNED_N)
        assert [(row["planned"], row["completed"]) for row in told] == [(2, 2)]

    def test_tests_and_pilots_are_nobody_s_news(self) -> None:
        sample = live_study(quota=1)
        Study.objects.update(is_test=True)
        sample.study.refresh_from_db()
        people_complete(sample, count=1)
        assert _sweep(THEN + timedelta(days=99)) == 0


class TestStalls:
    def test_a_live_study_to_which_nobody_comes_is_told_once(self) -> None:
        sample = live_study()
        _rule(sample, hours=5)
        _sweep(THEN + 4 * _HOUR)
        assert _told(Occasion.STALLED) == []
        _sweep(THEN + 5 * _HOUR)
        _sweep(THEN + 50 * _HOUR)
        assert _told(Occasion.STALLED) == [{"study": "sample", "version": 1, "hours": 5}]

    def test_it_is_told_again_when_it_stalls_again(self) -> None:
        sample = live_study()
        _rule(sample, hours=5)
        _sweep(THEN + 6 * _HOUR)
        person_enrolled(sample, number=10)
        _sweep(THEN + 11 * _HOUR)
        assert len(_told(Occasion.STALLED)) == 1
        _sweep(THEN + 16 * _HOUR)
        assert len(_told(Occasion.STALLED)) == 2

    def test_a_pause_is_no_stall(self) -> None:
        sample = live_study()
        _rule(sample, hours=5)
        study_pause(study_id=sample.study.pk, actor_id=None, now=THEN)
        _sweep(THEN + 9 * _HOUR)
        study_open(study_id=sample.study.pk, actor_id=None, now=THEN + 9 * _HOUR)
        _sweep(THEN + 10 * _HOUR)
        assert _told(Occasion.STALLED) == []
        _sweep(THEN + 14 * _HOUR)
        assert len(_told(Occasion.STALLED)) == 1

    def test_a_study_that_has_its_number_does_not_stall(self) -> None:
        sample = live_study(quota=1)
        people_complete(sample, count=1)
        _sweep(THEN + timedelta(days=99))
        assert _told(Occasion.STALLED) == []

    def test_many_who_came_while_nobody_completes_are_told(self) -> None:
        sample = live_study()
        _rule(sample, hours=3, people=4)
        for number in range(3):
            person_enrolled(sample, number=number)
        _sweep(THEN + 4 * _HOUR)
        assert _told(Occasion.STUCK) == []
        person_enrolled(sample, number=4)
        _sweep(THEN + 5 * _HOUR)
        _sweep(THEN + 6 * _HOUR)
        told = _told(Occasion.STUCK)
        assert [(row["hours"], row["in_progress"]) for row in told] == [(3, 4)]


class TestWork:
    def test_a_run_that_failed_is_told_and_again_after_a_retry(self) -> None:
        sample, run = live_study(), run_queued()
        Scenario.objects.filter(pk=sample.study.scenarios.earliest("pk").pk).update(run=run)
        for hour in (1, 2):
            at = THEN + hour * _HOUR
            GenerationRun.objects.filter(pk=run.pk).update(state="failed", finished_at=at)
            _sweep(at)
            _sweep(at)
        told = _told(Occasion.TEXTS_FAILED)
        assert [(row["run"], row["state"]) for row in told] == [(run.pk, "failed")] * 2

    def test_a_debate_that_failed_is_told_in_a_draft_and_again_after_a_retry(self) -> None:
        debate = committee_queued(draft_new()).debate_id
        for hour in (1, 2):
            at = THEN + hour * _HOUR
            DebateRun.objects.filter(pk=debate).update(state="failed", finished_at=at)
            _sweep(at)
            _sweep(at)
        told = _told(Occasion.DEBATE_FAILED)
        assert [(row["debate"], row["state"]) for row in told] == [(debate, "failed")] * 2

    def test_what_failed_long_ago_is_no_news(self) -> None:
        sample, run = live_study(), run_queued()
        Scenario.objects.filter(pk=sample.study.scenarios.earliest("pk").pk).update(run=run)
        GenerationRun.objects.filter(pk=run.pk).update(state="cancelled", finished_at=THEN)
        _sweep(THEN + timedelta(days=2))
        assert _told(Occasion.TEXTS_FAILED) == []

    @pytest.mark.parametrize(
        ("state", "occasion"),
        [("finished", Occasion.EXPORT_READY), ("failed", Occasion.EXPORT_FAILED)],
    )
    def test_an_export_s_end_is_told_in_a_draft_too(self, state: str, occasion: Occasion) -> None:
        sample = live_study()
        Study.objects.update(state="draft")
        job = ExportJob.objects.create(
            study=sample.study, options={}, state=state, sha256="a", requested_at=THEN
        )
        _sweep()
        _sweep()
        assert [row["export"] for row in _told(occasion)] == [job.pk]


class TestReaders:
    def test_a_webhook_is_told_only_what_it_asked_for(self) -> None:
        sample = live_study(quota=1)
        made = webhook_of(sample.study, (Occasion.PLANNED_N,))
        people_complete(sample, count=1)
        _sweep()
        delivery = NoticeDelivery.objects.get(webhook=made.id)
        assert delivery.notice.occasion == Occasion.PLANNED_N
        assert Notice.objects.count() == 2

    def test_mail_goes_to_members_who_want_it_and_still_may(self) -> None:
        sample = live_study(quota=1)
        people = {
            name: owner_with_mail(sample.study, name=name, role=Role.EDITOR)
            for name in ("ada", "ben", "cem")
        }
        for name in ("ada", "ben"):
            mail_set(
                study_id=sample.study.pk,
                actor_id=people[name].pk,
                occasions=[Occasion.COHORT_FULL],
                now=THEN,
            )
        StudyMember.objects.filter(user=people["ben"]).update(role=Role.MONITOR)
        people_complete(sample, count=1)
        _sweep()
        readers = NoticeDelivery.objects.values_list("reader__member__user__username", flat=True)
        assert list(readers) == ["ada"]

    def test_a_site_that_cannot_send_mail_puts_none_on_its_way(self) -> None:
        sample = live_study(quota=1)
        ada = owner_with_mail(sample.study)
        mail_set(
            study_id=sample.study.pk,
            actor_id=ada.pk,
            occasions=[Occasion.COHORT_FULL],
            now=THEN,
        )
        people_complete(sample, count=1)
        notices_sweep(now=THEN + _HOUR, sends_mail=False)
        assert not NoticeDelivery.objects.exists()

    def test_no_notice_names_a_participant_or_an_arm(self) -> None:
        sample = live_study(quota=3)
        _rule(sample, hours=1, people=1)
        webhook_of(sample.study)
        people_complete(sample, count=2)
        person_enrolled(sample, number=3)
        for hours in (2, 3, 9, 99):
            _sweep(THEN + hours * _HOUR)
        told = json.dumps(list(Notice.objects.values("occasion", "subject", "data")))
        assert Notice.objects.count() == 2
        for person in Participant.objects.all():
            assert person.code not in told
            assert person.token not in told
        assert sample.study.reference_arm not in told
        assert sample.study.treatment_arm not in told
        assert Webhook.objects.count() == 1
