"""The pages about a report: what is offered when, and under which policy it is shown."""

from __future__ import annotations

import base64
import re
from hashlib import sha256

import pytest

from studyapp import tasks
from studyapp.models import ReportKind, ReportState, Study, StudyReport, StudyState
from tests.sample_study import SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import START
from tests.studyapp.lab import Lab, page_text

pytestmark = pytest.mark.django_db

PAGE = "<!doctype html>\n<html><head><style>\nb{color:red}\n</style></head><body>n 3</body></html>"


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the reports for which a worker was to be woken, in place of a broker."""
    found: list[int] = []
    monkeypatch.setattr(
        tasks.report_build, "delay_on_commit", lambda *, report_id: found.append(report_id)
    )
    return found


@pytest.fixture
def answered(lab: Lab) -> Lab:
    """Ada's study, open, with two people's answers."""
    lab.generate()
    lab.ada.post(lab.url("study-open"))
    study = Study.objects.get(pk=lab.study.pk)
    people_complete(SampleStudy(study, study.cohorts.get()), count=2)
    return lab


def _built(lab: Lab, kind: ReportKind) -> StudyReport:
    files = {"json": "{}", "pdf": b"%PDF-1.7"} if kind == ReportKind.REPORT else {}
    return StudyReport.objects.create(
        study=lab.study,
        kind=kind,
        language="en",
        state=ReportState.FINISHED,
        html=PAGE,
        requested_at=START,
        built_at=START,
        data_sha256="ab" * 32,
        **files,
    )


def _closed(lab: Lab) -> None:
    Study.objects.filter(pk=lab.study.pk).update(state=StudyState.CLOSED)


class TestAsking:
    def test_a_running_study_offers_the_design_check_and_no_report(
        self, answered: Lab, woken: list[int]
    ) -> None:
        page = page_text(answered.ada, answered.url("study-report"))
        assert "<h1>\n" in page
        assert "Design check" in page
        assert "Nothing was built yet" in page

        answered.ada.post(answered.url("report-request"), {"language": "en"})

        row = StudyReport.objects.get()
        assert (row.kind, woken) == (ReportKind.DESIGN, [row.pk])
        live = page_text(answered.ada, answered.url("report-live"))
        assert "hx-get" in live
        assert "Waiting for a worker" in live

    def test_a_closed_study_offers_the_report_in_both_languages(
        self, answered: Lab, woken: list[int]
    ) -> None:
        _closed(answered)
        for language in ("en", "pl"):
            answered.ada.post(answered.url("report-request"), {"language": language})

        rows = list(StudyReport.objects.values_list("kind", "language"))
        assert rows == [("report", "en"), ("report", "pl")]
        assert len(woken) == 2

    def test_a_study_without_answers_says_so(self, lab: Lab, woken: list[int]) -> None:
        response = lab.ada.post(lab.url("report-request"), {"language": "en"}, follow=True)

        assert "Nobody has answered yet" in response.content.decode()
        assert woken == []

    def test_a_failure_is_told(self, answered: Lab) -> None:
        row = _built(answered, ReportKind.DESIGN)
        StudyReport.objects.filter(pk=row.pk).update(state=ReportState.FAILED, error="no <answers>")

        page = page_text(answered.ada, answered.url("study-report"))

        assert "no &lt;answers&gt;" in page
        assert "hx-get" not in page


class TestReading:
    def test_the_page_links_what_can_be_taken_along(self, answered: Lab) -> None:
        _closed(answered)
        row = _built(answered, ReportKind.REPORT)
        page = page_text(answered.ada, answered.url("study-report"))

        for form, start in (("html", b"<!doctype"), ("pdf", b"%PDF-"), ("json", b"{}")):
            address = answered.url("report-file", report=row.pk, form=form)
            assert address in page
            response = answered.ada.get(address)
            assert response.content.startswith(start)
            assert response["Content-Disposition"].startswith("attachment")
            assert response["X-Content-Type-Options"] == "nosniff"

    def test_it_is_shown_under_a_policy_that_allows_its_own_style_alone(
        self, answered: Lab
    ) -> None:
        row = _built(answered, ReportKind.REPORT)

        response = answered.ada.get(answered.url("report-read", report=row.pk))

        style = re.search("<style>(.*?)</style>", response.content.decode(), re.DOTALL)
        assert style is not None
        digest = base64.b64encode(sha256(style[1].encode()).digest()).decode()
        policy = dict(
            part.strip().partition(" ")[::2]
            for part in response["Content-Security-Policy"].split(";")
        )
        assert policy["style-src"] == f"'sha256-{digest}'"
        assert policy["default-src"] == "'none'"
        assert policy["frame-ancestors"] == "'none'"
        assert policy["sandbox"] == ""
        assert "script-src" not in policy

    def test_every_other_page_keeps_the_site_s_policy(self, answered: Lab) -> None:
        response = answered.ada.get(answered.url("study-report"))

        assert "style-src 'self'" in response["Content-Security-Policy"]
        assert "sandbox" not in response["Content-Security-Policy"]

    def test_a_design_check_has_no_results_to_take_along(self, answered: Lab) -> None:
        row = _built(answered, ReportKind.DESIGN)

        for form in ("pdf", "json", "zip", "error"):
            address = answered.url("report-file", report=row.pk, form=form)
            assert answered.ada.get(address).status_code == 404, form

    def test_a_report_of_another_study_is_not_found_under_one_s_own(self, answered: Lab) -> None:
        row = _built(answered, ReportKind.REPORT)
        other = Study.objects.create(
            slug="other", title="x", owner=answered.study.owner, seed=1, measures=[],
            created_at=START,
        )  # fmt: skip
        own = Lab(other, answered.ada, [])

        assert own.ada.get(own.url("report-read", report=row.pk)).status_code == 404
        assert own.ada.get(own.url("report-file", report=row.pk, form="pdf")).status_code == 404
