"""A study's report in a real browser: its page, and what the report's own policy lets happen."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from analysis.report.pages import design_page
from studyapp.models import ReportKind, ReportState, Study, StudyReport, StudyState
from tests.analysis.studies import N33
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.sample_study import THEN, SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

_WORD = "correct horse"
_PLANTED = "<script>document.title = 'it ran'</script><p style='color: rgb(1, 2, 3)'>planted</p>"


def _built(sample: SampleStudy, html: str) -> StudyReport:
    return StudyReport.objects.create(
        study=sample.study,
        kind=ReportKind.REPORT,
        language="en",
        state=ReportState.FINISHED,
        html=html,
        json="{}",
        pdf=b"%PDF-",
        data_sha256="ab" * 32,
        participants=33,
        requested_at=THEN,
        built_at=THEN,
    )


def _signed_in(visitor: Visitor, address: str, profile: str = "desktop") -> Page:
    User.objects.create_superuser("ada", password=_WORD)
    page = visitor(profile).new_page()
    page.goto(f"/login/?next={address}")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()
    return page


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_the_page_can_be_read_and_used(visitor: Visitor, study: SampleStudy, profile: str) -> None:
    Study.objects.update(state=StudyState.CLOSED)
    _built(study, design_page(N33))
    page = _signed_in(visitor, reverse("study-report", args=["sample"]), profile)

    expect(page.get_by_role("heading", name="Report of the study")).to_be_visible()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"researcher-{profile}-report.png", full_page=True)
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0
    found = Axe().run(page).response["violations"]
    assert [(row["id"], row["nodes"][0]["html"]) for row in found] == []
    with page.expect_download() as download:
        page.get_by_role("link", name="PDF").click()
    assert download.value.suggested_filename.endswith(".pdf")


def test_the_report_s_style_works_and_nothing_else_does(
    visitor: Visitor, study: SampleStudy
) -> None:
    html = design_page(N33).replace("</main>", f"{_PLANTED}</main>")
    row = _built(study, html)
    page = _signed_in(visitor, reverse("report-read", args=["sample", row.pk]))

    expect(page.get_by_role("heading", level=1)).to_contain_text("The N=33 study")
    assert page.title() != "it ran"
    # The page's own style sheet is applied, a style planted in an element is not.
    colours = [
        page.locator(place).evaluate("element => getComputedStyle(element).color")
        for place in ("body", "text=planted")
    ]
    assert colours == ["rgb(31, 41, 51)"] * 2
