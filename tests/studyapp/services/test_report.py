"""A study's report: asked for, built once by a worker, kept, and built anew when asked again."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
import pytest_django

from studyapp import tasks
from studyapp.errors import ReportError
from studyapp.models import Event, ReportState, Study, StudyReport, StudyState
from studyapp.seams import reports
from studyapp.seams.reports import ReportFiles
from studyapp.services.export import bundle_write
from studyapp.services.report import (
    MAX_ATTEMPTS,
    report_build,
    report_request,
    reports_sweep,
)
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import START, Clock
from tests.studyapp.lab import member_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample() -> SampleStudy:
    sample = sample_study()
    people_complete(sample, count=6)
    return sample


@pytest.fixture
def bundles(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Collect what analysis was handed, in place of the seconds it takes."""
    handed: list[bytes] = []

    def quick(bundle: Path, *, language: str, timeout: float) -> ReportFiles:
        handed.append(bundle.read_bytes())
        return ReportFiles(html=f"<p>{language} {len(handed)}</p>")

    monkeypatch.setattr(reports, "report_files", quick)
    monkeypatch.setattr(reports, "design_files", quick)
    return handed


def _ask(sample: SampleStudy, *, language: str = "en", now: datetime = START) -> int | None:
    asker = member_of(sample.study)
    return report_request(study_id=sample.study.pk, language=language, actor_id=asker.pk, now=now)


def _asked(sample: SampleStudy) -> int:
    report_id = _ask(sample)
    assert report_id is not None
    return report_id


def _close(sample: SampleStudy) -> None:
    Study.objects.filter(pk=sample.study.pk).update(state=StudyState.CLOSED)


@pytest.mark.slow
@pytest.mark.timeout(300)
class TestWithAnalysis:
    """These run the real command in a process of its own."""

    def test_a_closed_study_gets_the_whole_report(self, sample: SampleStudy) -> None:
        _close(sample)
        report_id = _asked(sample)

        report_build(report_id=report_id, now=Clock())

        row = StudyReport.objects.get(pk=report_id)
        assert (row.state, row.error, row.kind) == (ReportState.FINISHED, "", "report")
        assert row.html.startswith("<!doctype html>")
        assert "Secret working title" in row.html
        assert bytes(row.pdf).startswith(b"%PDF-")
        results = json.loads(row.json)
        assert results["scenarios"]["scenario-1"]["trust"]["n"] == 6
        # No path of this machine: the command is one that repeats it anywhere.
        assert results["command"] == "python -m analysis report sample.zip --out report"
        target = io.BytesIO()
        bundle_write(study_id=sample.study.pk, target=target)
        assert row.data_sha256 == sha256(target.getvalue()).hexdigest()
        assert row.participants == 6

    @pytest.mark.parametrize("state", [StudyState.OPEN, StudyState.PAUSED])
    def test_a_running_study_gets_a_check_without_outcomes(
        self, sample: SampleStudy, state: str
    ) -> None:
        Study.objects.filter(pk=sample.study.pk).update(state=state)
        report_id = _asked(sample)

        report_build(report_id=report_id, now=Clock())

        row = StudyReport.objects.get(pk=report_id)
        assert (row.state, row.kind) == (ReportState.FINISHED, "design")
        assert "no outcome by arm" in row.html
        assert (row.json, bytes(row.pdf)) == ("", b"")
        for outcome in ("Wilcoxon", "p =", "d_z", "SD"):
            assert outcome not in row.html

    def test_what_analysis_refuses_is_told_to_the_researcher(self, sample: SampleStudy) -> None:
        plan = {"exclusions": [{"rule": "mood"}]}
        Study.objects.filter(pk=sample.study.pk).update(plan=plan, state=StudyState.CLOSED)
        report_id = _asked(sample)

        report_build(report_id=report_id, now=Clock())

        row = StudyReport.objects.get(pk=report_id)
        assert row.state == ReportState.FAILED
        assert row.error.startswith("exclusion rule 'mood' in the plan; known: incomplete")

    def test_an_analysis_that_takes_too_long_is_ended(
        self, sample: SampleStudy, settings: pytest_django.Settings
    ) -> None:
        settings.REPORT_TIMEOUT_SECONDS = 0.01
        report_id = _asked(sample)

        report_build(report_id=report_id, now=Clock())

        row = StudyReport.objects.get(pk=report_id)
        assert row.state == ReportState.FAILED
        assert "took longer than 0.01 s" in row.error


class TestAsking:
    def test_a_study_without_an_answer_has_nothing_to_report(self) -> None:
        with pytest.raises(ReportError, match="Nobody has answered yet"):
            _ask(sample_study())
        assert not StudyReport.objects.exists()

    def test_a_language_without_texts_is_refused(self, sample: SampleStudy) -> None:
        with pytest.raises(ReportError, match="no report in 'fr'; there are: en, pl"):
            _ask(sample, language="fr")

    def test_asking_twice_wakes_one_worker(self, sample: SampleStudy) -> None:
        assert _ask(sample) is not None
        assert _ask(sample, now=START + timedelta(seconds=1)) is None
        assert StudyReport.objects.count() == 1

    def test_each_request_is_recorded(self, sample: SampleStudy) -> None:
        _ask(sample)

        event = Event.objects.get(kind="design.requested")
        assert event.study == "sample"
        assert event.payload["language"] == "en"


class TestBuilding:
    def test_while_the_arm_key_is_sealed_analysis_is_handed_a_blind_bundle(
        self, sample: SampleStudy, bundles: list[bytes]
    ) -> None:
        Study.objects.update(is_test=False, kind="study", state=StudyState.OPEN)

        report_build(report_id=_asked(sample), now=Clock())

        with zipfile.ZipFile(io.BytesIO(bundles[0])) as archive:
            assert json.loads(archive.read("manifest.json"))["blind"] is True

    def test_a_doubled_message_finds_nothing_to_do(
        self, sample: SampleStudy, bundles: list[bytes]
    ) -> None:
        report_id = _asked(sample)

        report_build(report_id=report_id, now=Clock())
        report_build(report_id=report_id, now=Clock())

        assert len(bundles) == 1

    def test_it_is_built_anew_when_asked_again_and_readable_until_then(
        self, sample: SampleStudy, bundles: list[bytes]
    ) -> None:
        report_id = _asked(sample)
        report_build(report_id=report_id, now=Clock())
        assert _ask(sample, now=START + timedelta(hours=1)) == report_id
        assert StudyReport.objects.get(pk=report_id).html == "<p>en 1</p>"

        report_build(report_id=report_id, now=Clock())

        assert StudyReport.objects.get(pk=report_id).html == "<p>en 2</p>"

    def test_the_bundle_is_the_one_a_download_gives(
        self, sample: SampleStudy, bundles: list[bytes]
    ) -> None:
        report_build(report_id=_asked(sample), now=Clock())

        with zipfile.ZipFile(io.BytesIO(bundles[0])) as archive:
            assert "long.csv" in archive.namelist()
        assert not Event.objects.filter(kind="bundle.exported").exists()

    def test_a_worker_that_was_overtaken_drops_what_it_built(
        self, sample: SampleStudy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        report_id = _asked(sample)

        def overtaken(bundle: Path, *, language: str, timeout: float) -> ReportFiles:
            StudyReport.objects.update(lease_token="other")  # noqa: S106 - no password
            return ReportFiles(html="late")

        monkeypatch.setattr(reports, "design_files", overtaken)
        report_build(report_id=report_id, now=Clock())

        assert StudyReport.objects.get(pk=report_id).html == ""


class TestSweep:
    def test_it_sends_a_lost_request_again_once_in_a_lease(self, sample: SampleStudy) -> None:
        report_id = _asked(sample)
        later = START + timedelta(hours=1)

        assert reports_sweep(now=START) == []
        assert reports_sweep(now=later) == [report_id]
        assert reports_sweep(now=later) == []

    def test_a_worker_that_dies_every_time_is_given_up(self, sample: SampleStudy) -> None:
        report_id = _asked(sample)
        StudyReport.objects.update(state=ReportState.RUNNING, attempts=MAX_ATTEMPTS)

        assert reports_sweep(now=START + timedelta(hours=1)) == []

        row = StudyReport.objects.get(pk=report_id)
        assert row.state == ReportState.FAILED
        assert "stopped in the middle" in row.error
        assert _ask(sample, now=START + timedelta(hours=2)) == report_id

    def test_the_worker_s_sweep_looks_at_reports_too(
        self, sample: SampleStudy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        report_id, woken = _asked(sample), []
        monkeypatch.setattr(
            tasks.report_build, "delay_on_commit", lambda **message: woken.append(message)
        )
        StudyReport.objects.update(lease_until=START)

        tasks.runs_sweep()

        assert woken == [{"report_id": report_id}]
