"""A researcher in a real browser: build, watch, open, export; on a desktop and on a phone."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from studyapp.models import Study
from studyapp.services.study import texts_generate
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.studyapp.debates import AGREES, DEADLOCK, Clock

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

_WORD = "correct horse"


@pytest.fixture
def problems() -> Iterator[list[str]]:
    """Collect what the browser complains about; there must be nothing."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_from_an_upload_to_a_bundle(
    visitor: Visitor, queued: list[int], problems: list[str], profile: str
) -> None:
    User.objects.create_user("ada", password=_WORD, is_staff=True)
    page = visitor(profile).new_page()
    page.on("console", lambda message: _complaint(message.type, message.text, problems))

    _sign_in(page, "/studies/", look=f"{profile}-sign-in")
    _look(page, f"{profile}-studies-none")
    _build(page, [AGREES, DEADLOCK], look=f"{profile}-new-study")
    _look(page, f"{profile}-study-built")
    page.get_by_role("button", name="Generate texts").click()
    expect(page.get_by_text("waiting for a worker")).to_have_count(2)
    _look(page, f"{profile}-study-waiting")
    for run_id in queued:
        texts_generate(run_id=run_id, now=Clock(), environment={})
    # Without a reload: the page looks again by itself.
    expect(page.get_by_text("ready", exact=True)).to_have_count(2)
    page.reload()
    page.get_by_role("button", name="Go live").click()
    expect(page.get_by_text("Its link now takes participants")).to_be_visible()
    _look(page, f"{profile}-study-open")
    for number, name in enumerate(("Read the debate", "The gate's story", "Look at the pair")):
        page.get_by_role("link", name=name).last.click()
        _look(page, f"{profile}-inside-{number}")
        page.go_back()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download bundle").click()

    assert "long.csv" in zipfile.ZipFile(download.value.path()).namelist()
    assert Study.objects.get().state == "open"


def test_a_run_that_ends_shows_its_result_without_a_reload(
    visitor: Visitor, queued: list[int]
) -> None:
    User.objects.create_superuser("ada", password=_WORD)
    page = visitor("desktop").new_page()
    _sign_in(page, "/studies/")
    _build(page, [DEADLOCK])
    page.get_by_role("button", name="Generate texts").click()
    page.get_by_role("link", name="The gate's story").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()

    texts_generate(run_id=queued[0], now=Clock(), environment={})

    expect(page.get_by_role("heading", name="Result: a Divergence Report")).to_be_visible()
    evidence = page.locator(".evidence a").first
    address = evidence.text_content() or ""
    page.locator("details:has(.evidence) summary").first.click()
    evidence.click()
    expect(page.locator(f"[id='{address.partition('.')[0]}']")).to_be_in_viewport()


def test_a_long_word_as_a_title_does_not_widen_the_page(visitor: Visitor) -> None:
    User.objects.create_user("ada", password=_WORD, is_staff=True)
    page = visitor("phone").new_page()
    _sign_in(page, "/studies/")
    _build(page, [AGREES], title="W" * 120)
    page.get_by_label("Title for participants").fill("W" * 150)
    page.get_by_role("button", name="Store title").click()
    page.get_by_text("What participants read before and after").click()
    _look(page, "phone-study-long-title")


def _sign_in(page: Page, address: str, *, look: str = "") -> None:
    page.goto(address)
    if look:
        _look(page, look)
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()


def _build(
    page: Page, debates: list[Path], *, title: str = "Nights and rooms", look: str = ""
) -> None:
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Debate files").first.set_input_files(debates)
    if look:
        _look(page, look)
    page.get_by_role("button", name="Create study").click()


def _look(page: Page, name: str) -> None:
    """Keep a picture, and refuse what somebody could not read or reach."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"researcher-{name}.png", full_page=True)
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, f"{name} scrolls sideways by {width} px"
    if name.startswith("desktop"):
        return  # the same pages; their narrow form is the harder one
    found = Axe().run(page).response["violations"]
    assert [(row["id"], row["nodes"][0]["html"]) for row in found] == [], name


def _complaint(kind: str, text: str, found: list[str]) -> None:
    if kind in ("error", "warning"):
        found.append(text)
