"""The log's chain: sealed in batches, by several workers at once, and broken by one changed row."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from studyapp import tasks
from studyapp.models import Event, EventSeal, Participant
from studyapp.selectors.event_log import log_verify
from studyapp.services.sealing import logs_seal
from studyapp.services.study import study_close
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete, person_enrolled
from tests.studyapp.racing import at_once

_LATER = THEN + timedelta(days=9)


@pytest.fixture
def sample(db: None) -> SampleStudy:
    return sample_study()


def _verified(slug: str = "sample") -> str:
    out = StringIO()
    call_command("verify_log", slug, stdout=out, stderr=StringIO())
    return out.getvalue()


def _refused(slug: str = "sample") -> str:
    errors = StringIO()
    with pytest.raises(CommandError) as found:
        call_command("verify_log", slug, stdout=StringIO(), stderr=errors)
    assert found.value.returncode == 1
    return errors.getvalue()


class TestSealing:
    def test_whatever_happened_is_sealed_once(self, sample: SampleStudy) -> None:
        people_complete(sample, count=2)
        assert logs_seal(now=_LATER) == 1
        assert logs_seal(now=_LATER) == 0
        first = EventSeal.objects.get()
        assert (first.number, first.events) == (1, Event.objects.count())

        person_enrolled(sample, number=7)
        assert logs_seal(now=_LATER) == 1
        assert f"{Event.objects.count()} events (0 erased), 2 seals, 0 events not" in _verified()

    def test_studies_have_chains_of_their_own(self, sample: SampleStudy) -> None:
        other = sample_study(slug="other")
        person_enrolled(sample, number=1)
        person_enrolled(other, number=2)
        person_enrolled(sample, number=3)
        assert logs_seal(now=_LATER) == 2
        assert "verified" in _verified()
        assert "verified" in _verified("other")

    def test_the_worker_s_sweep_seals(self, sample: SampleStudy) -> None:
        person_enrolled(sample, number=1)
        tasks.runs_sweep()
        assert EventSeal.objects.count() == 1

    def test_closing_a_study_seals_its_end(
        self, sample: SampleStudy, django_capture_on_commit_callbacks: Callable[..., object]
    ) -> None:
        person_enrolled(sample, number=1)
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
            study_close(study_id=sample.study.pk, actor_id=None, now=_LATER)
        assert EventSeal.objects.get().last_event == Event.objects.get(kind="study.closed").pk


class TestVerification:
    @pytest.fixture
    def sealed(self, sample: SampleStudy) -> SampleStudy:
        people_complete(sample, count=2)
        logs_seal(now=_LATER)
        person_enrolled(sample, number=7)
        logs_seal(now=_LATER)
        assert "verified" in _verified()
        return sample

    @pytest.mark.parametrize(
        "change",
        [
            {"kind": "pair.opened"},
            {"payload": {"order": 9}},
            {"participant": "SOMEBODY"},
            {"at": THEN},
        ],
    )
    def test_one_changed_row_fails(self, sealed: SampleStudy, change: dict[str, object]) -> None:
        row = Event.objects.filter(kind="response.recorded").earliest("pk")
        Event.objects.filter(pk=row.pk).update(**change)
        assert f"event {row.pk} " in _refused()

    def test_a_changed_row_with_a_digest_that_fits_breaks_the_chain(
        self, sealed: SampleStudy
    ) -> None:
        row = Event.objects.filter(kind="response.recorded").earliest("pk")
        row.payload = {"order": 9}
        Event.objects.filter(pk=row.pk).update(payload=row.payload, sha256=row.digest())
        assert "seal 1: found" in _refused()

    def test_a_removed_row_fails(self, sealed: SampleStudy) -> None:
        Event.objects.filter(kind="trace.opened").earliest("pk").delete()
        assert "rows were removed or added" in _refused()

    def test_a_removed_seal_is_a_gap(self, sealed: SampleStudy) -> None:
        EventSeal.objects.filter(number=1).delete()
        assert "the chain has a gap" in _refused()

    def test_a_row_that_claims_to_be_erased_must_be_empty(self, sealed: SampleStudy) -> None:
        Event.objects.filter(kind="trace.opened").update(is_erased=True)
        assert "marked as erased and still holds data" in _refused()

    def test_a_participant_who_is_gone_without_a_tombstone_fails(self, sealed: SampleStudy) -> None:
        Participant.objects.latest("pk").delete()
        assert "3 enrolments" in _refused()

    def test_an_unknown_study_is_said(self, sample: SampleStudy) -> None:
        with pytest.raises(CommandError, match="there is no study 'nowhere'"):
            call_command("verify_log", "nowhere")

    def test_what_concerns_no_study_has_a_chain_too(self, sample: SampleStudy) -> None:
        Event.objects.create(study="", kind="account.created", payload={}, at=THEN)
        logs_seal(now=_LATER)
        out = StringIO()
        call_command("verify_log", "--site", stdout=out)
        assert out.getvalue().startswith("site: 1 events")


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    def test_many_workers_make_one_chain(self) -> None:
        people_complete(sample_study(), count=3)
        at_once([lambda: logs_seal(now=_LATER)] * 8)
        assert list(EventSeal.objects.values_list("number", flat=True)) == [1]
        assert "verified" in _verified()

    def test_sealing_beside_enrolment_leaves_no_row_behind(self) -> None:
        sample = sample_study(quota=40)
        jobs: list[Callable[[], object]] = [
            partial(person_enrolled, sample, number=number) for number in range(12)
        ]
        at_once(jobs + [lambda: logs_seal(now=_LATER)] * 4)
        logs_seal(now=_LATER)
        report = log_verify("sample")
        assert (report.unsealed, report.findings) == (0, ())

    def test_a_row_that_is_not_committed_yet_is_waited_for(self) -> None:
        if connection.vendor == "sqlite":
            pytest.skip("needs PostgreSQL: SQLite has one writer at a time")
        sample_study()
        inserted, go_on = threading.Event(), threading.Event()

        def slow() -> None:
            with transaction.atomic():
                Event.objects.create(study="sample", kind="slow", at=THEN)
                inserted.set()
                go_on.wait(timeout=10)
            connection.close()

        thread = threading.Thread(target=slow)
        thread.start()
        inserted.wait(timeout=10)
        # It waits for a moment, gives up, and leaves nothing half sealed.
        assert logs_seal(now=_LATER) == 0
        go_on.set()
        thread.join()
        assert logs_seal(now=_LATER) == 1
        assert EventSeal.objects.get().events == Event.objects.filter(study="sample").count()
