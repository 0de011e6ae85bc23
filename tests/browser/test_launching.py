"""A study in Chromium from own texts over a pilot to its archive, and on to a second version."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from studyapp.models import Participant, Study
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.entering import entered

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

_WORD = "correct horse"
_TEXTS = """\
scenario,arm,text
scenario-1,baseline,The harbour stays open until the crane is mended.
scenario-1,apg,The harbour is shut and nobody says for how long.
"""


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_from_own_texts_to_the_archive(
    visitor: Visitor, transactional_db: None, tmp_path: Path, profile: str
) -> None:
    owner = User.objects.create_superuser("ada", password=_WORD)
    sample = sample_study(state="draft", debates=1)
    Study.objects.update(kind="study", is_test=False, owner=owner)
    page = visitor(profile).new_page()
    _sign_in(page, "/studies/sample/")
    _bring(page, tmp_path / "mine.csv", profile)
    _pilot(page, sample, profile)
    _launch(page, profile)
    _put_away(page, profile)
    assert Study.objects.get(version=2).family == "sample"


def _bring(page: Page, file: Path, profile: str) -> None:
    page.get_by_text("Bring your own texts").click()
    file.write_text(_TEXTS.replace("apg", "else"), encoding="utf-8")
    _send(page, file)
    expect(page.get_by_text("mine.csv: row 3, arm: found 'else'")).to_be_visible()
    _look(page, f"{profile}-own-texts-refused")
    file.write_text(_TEXTS, encoding="utf-8")
    _send(page, file)
    expect(page.get_by_text("own texts, brought in a file")).to_be_visible()
    _look(page, f"{profile}-own-texts")
    page.get_by_role("link", name="Look at the pair").click()
    _look(page, f"{profile}-own-pair")
    page.go_back()


def _pilot(page: Page, sample: SampleStudy, profile: str) -> None:
    page.get_by_role("button", name="Begin a pilot").click()
    entered(sample.link)
    page.reload()
    expect(page.get_by_text("A pilot.")).to_be_visible()
    _look(page, f"{profile}-piloting")
    assert Participant.objects.get().is_test


def _launch(page: Page, profile: str) -> None:
    page.get_by_role("button", name="Go live").click()
    expect(page.get_by_text("Its link now takes participants")).to_be_visible()
    assert Participant.objects.count() == 0
    _look(page, f"{profile}-live")
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON").click()
    found = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert found["scenarios"][0]["texts"] == "own"


def _put_away(page: Page, profile: str) -> None:
    page.get_by_text("Close for good").click()
    page.get_by_role("button", name="Close study").click()
    page.get_by_role("button", name="Archive study").click()
    _look(page, f"{profile}-archived")
    page.get_by_role("button", name="Make a new version").click()
    expect(page.get_by_text("This is version 2")).to_be_visible()
    _look(page, f"{profile}-second-version")


def _send(page: Page, file: Path) -> None:
    page.locator("input[name=pairs]").set_input_files(file)
    page.get_by_role("button", name="Store these texts").click()


def _sign_in(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()


def _look(page: Page, name: str) -> None:
    """Keep a picture, and refuse what somebody could not read or reach."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"launching-{name}.png", full_page=True)
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, f"{name} scrolls sideways by {width} px"
    found = Axe().run(page).response["violations"]
    assert [(row["id"], row["nodes"][0]["html"]) for row in found] == [], name
