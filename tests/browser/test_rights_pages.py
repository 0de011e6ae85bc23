"""The pages about one's own data, in a browser: readable at 360 px, by keyboard, and clean."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.cache import cache
from playwright.sync_api import Page, expect

from studyapp.models import Participant
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import sideways
from tests.browser.way import to_reports
from tests.sample_study import SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_see_take_along_and_withdraw(visitor: Visitor, study: SampleStudy, profile: str) -> None:
    cache.clear()
    page = visitor(profile).new_page()
    to_reports(page, study.link)
    receipt = Participant.objects.get().receipt
    page.goto("/rights/")
    _look(page, f"{profile}-rights")
    page.get_by_label("Receipt code").fill("BBBB-BBBB-BBBB")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Nothing is stored under this code")
    _look(page, f"{profile}-rights-wrong")
    page.get_by_label("Receipt code").fill(receipt)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Consent given")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    _look(page, f"{profile}-rights-data")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == "my-data.csv"
    page.get_by_role("button", name="Withdraw and delete").click()
    expect(page.get_by_role("alert")).to_contain_text("Tick the box if you are sure")
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Withdraw and delete").click()
    expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    _look(page, f"{profile}-withdrawn")
    assert not Participant.objects.exists()
    _come_back(page, study.link, profile)


def _come_back(page: Page, link: str, profile: str) -> None:
    page.goto(link)
    expect(page.get_by_role("link", name="Begin anew")).to_be_visible()
    _look(page, f"{profile}-withdrawn-again")
    page.goto("/p/somebody-who-is-gone/")
    expect(page.get_by_role("heading", name="Nothing is stored under this link")).to_be_visible()
    _look(page, f"{profile}-link-gone")


def _look(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
    assert list(sideways(page)) == [], name
    found = Axe().run(page).response["violations"]
    grave = [row for row in found if row["impact"] in ("serious", "critical")]
    assert grave == [], f"{name}: {grave}"
