"""The researcher's page about exports in a real browser, from the request to the download."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import pytest_django
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from studyapp import tasks
from studyapp.models import ExportJob, Participant, Study
from studyapp.services.export.jobs import export_build
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.sample_study import SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import Clock

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

_WORD = "correct horse"
_REASON = "A participant reported harm; we must know what they read."


@pytest.fixture(autouse=True)
def worker_apart(
    tmp_path: Path,
    settings: pytest_django.Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Leave the worker's part to the test."""
    woken: list[int] = []
    settings.EXPORT_DIR = tmp_path / "exports"
    monkeypatch.setattr(
        tasks.export_build, "delay_on_commit", lambda *, job_id: woken.append(job_id)
    )


@pytest.fixture
def running(study: SampleStudy) -> SampleStudy:
    """A live study with two people's answers; its arm key is sealed."""
    people_complete(study, count=2)
    Study.objects.update(is_test=False, kind="study", quota=40)
    Participant.objects.update(is_test=False)
    return study


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_an_export_is_asked_for_watched_and_taken_along_and_the_key_unsealed(
    visitor: Visitor, running: SampleStudy, profile: str, tmp_path: Path
) -> None:
    page = _signed_in(visitor, reverse("study-exports", args=["sample"]), profile)
    _look(page, f"researcher-{profile}-exports-sealed")

    page.get_by_label("Blind: leave out which arm stood where").uncheck()
    page.get_by_role("button", name="Build export").click()
    expect(page.get_by_role("alert")).to_contain_text("is sealed until the study is closed")
    page.get_by_label("Blind: leave out which arm stood where").check()
    page.get_by_role("button", name="Build export").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    job = ExportJob.objects.get()
    ExportJob.objects.update(state="running", rows_done=30, rows_total=120, stage="long.csv")
    expect(page.get_by_text("30 of about 120 rows")).to_be_visible(timeout=15_000)
    _look(page, f"researcher-{profile}-exports-running")
    ExportJob.objects.update(state="queued")
    export_build(job_id=job.pk, now=Clock())

    with page.expect_download(timeout=30_000) as download:
        page.get_by_role("button", name="Download").click(timeout=15_000)
    assert download.value.suggested_filename == "sample-blind.zip"
    path = tmp_path / "taken.zip"
    download.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None

    page.get_by_text("Unseal earlier").click()
    page.get_by_label("Reason").fill(_REASON)
    page.get_by_role("button", name="Unseal for good").click()
    expect(page.get_by_text("Unsealed early by ada")).to_be_visible()
    _look(page, f"researcher-{profile}-exports-unsealed")


def _look(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    found = Axe().run(page).response["violations"]
    assert [(row["id"], row["nodes"][0]["html"]) for row in found] == []


def _signed_in(visitor: Visitor, address: str, profile: str) -> Page:
    User.objects.create_superuser("ada", password=_WORD)
    page = visitor(profile).new_page()
    page.goto(f"/login/?next={address}")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()
    return page
