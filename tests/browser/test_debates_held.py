"""A debate asked for, watched and used in a real browser; on a desktop and on a phone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from studyapp import tasks
from studyapp.models import DebateRun, Study
from studyapp.seams.engine import config_preset
from studyapp.services.debates import Trunk, branch_execute
from studyapp.services.study import study_generate
from tests.apg_engine.debates.courtroom.trials import CLAIM, TEXTS
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import sideways
from tests.sample_study import sample_study
from tests.studyapp.debates import Clock
from tests.studyapp.held import committee_queued, held

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

_WORD = "correct horse"


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> list[int]:
    """Collect the branches for which a worker was to be woken."""
    settings.VAR_DIR = tmp_path
    found: list[int] = []
    monkeypatch.setattr(
        tasks.branch_execute, "delay_on_commit", lambda *, branch_id: found.append(branch_id)
    )
    return found


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_a_committees_debate_from_its_form_to_its_scenario(
    visitor: Visitor, woken: list[int], profile: str, language: str
) -> None:
    page = _signed_in(visitor, profile, language)
    page.goto("/studies/sample/new-committee/")
    _look(page, f"{language}-{profile}-committee")
    page.locator("main form button[type=submit]").click()
    expect(page.locator("#debate .tag").first).to_be_visible()
    _look(page, f"{language}-{profile}-committee-queued")

    debate = held(Trunk(DebateRun.objects.get().pk, woken[-1]))

    # Without a reload: the page looks again by itself.
    expect(page.locator("#result")).to_be_visible()
    _look(page, f"{language}-{profile}-committee-ended")
    assert debate.scenario is not None
    page.goto(f"/studies/sample/scenarios/{debate.scenario.key}/trace/")
    expect(page.locator("#produced")).to_be_visible()
    _look(page, f"{language}-{profile}-committee-trace")
    page.goto("/studies/sample/")
    expect(page.locator("#held")).to_be_visible()
    _look(page, f"{language}-{profile}-study")


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_a_trial_is_shown_while_it_goes_on_and_when_it_has_ended(
    visitor: Visitor, woken: list[int], tmp_path: Path, profile: str
) -> None:
    page = _signed_in(visitor, profile, "en")
    page.goto("/studies/sample/new-trial/")
    page.get_by_role("button", name="Hold the trial").click()
    expect(page.get_by_text("Choose a file of documents").first).to_be_visible()
    _look(page, f"{profile}-trial-refused")
    page.get_by_label("Claim", exact=True).fill(CLAIM)
    page.get_by_label("Documents").set_input_files(_corpus(tmp_path))
    page.get_by_role("button", name="Hold the trial").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    runs = branch_execute(branch_id=woken[-1], now=Clock(), environment={})
    branch_execute(branch_id=runs[0], now=Clock(), environment={})
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    _look(page, f"{profile}-trial-running")

    held(Trunk(DebateRun.objects.get().pk, runs[1]))

    page.reload()
    _look(page, f"{profile}-trial-ended")


def test_a_page_that_looks_again_leaves_its_reader_where_they_are(
    visitor: Visitor, woken: list[int]
) -> None:
    page = _signed_in(visitor, "desktop", "en")
    page.goto("/studies/sample/new-committee/")
    page.locator("main form button[type=submit]").click()
    cancel = page.get_by_role("button", name="Cancel the debate")
    cancel.focus()

    _looked_again(page)

    expect(cancel).to_be_focused()


def test_a_title_that_is_being_typed_while_texts_are_written_is_not_lost(
    visitor: Visitor, woken: list[int]
) -> None:
    page = _signed_in(visitor, "desktop", "en")
    study = Study.objects.get()
    held(committee_queued(study.pk))
    config = config_preset("offline")
    study_generate(study_id=study.pk, config=config, actor_id=None, now=timezone.now())
    page.goto("/studies/sample/")
    title = page.get_by_label("Title for participants").first
    title.fill("The bridge")

    _looked_again(page)
    expect(title).to_be_focused()
    page.get_by_role("button", name="Store title").first.focus()
    _looked_again(page)

    expect(title).to_have_value("The bridge")
    expect(page.get_by_role("button", name="Store title").first).to_be_focused()


def _looked_again(page: Page) -> None:
    """Wait until the page has asked again how far things are, and shows it."""
    with page.expect_response(lambda response: "/live/" in response.url):
        pass
    with page.expect_response(lambda response: "/live/" in response.url):
        pass


def _signed_in(visitor: Visitor, profile: str, language: str) -> Page:
    sample_study(state="draft", debates=1)
    User.objects.create_superuser("ada", password=_WORD)
    page = visitor(profile, locale={"en": "en-GB", "pl": "pl-PL"}[language]).new_page()
    page.goto("/studies/")
    page.goto("/studies/")
    page.locator("[name=username]").fill("ada")
    page.locator("[name=password]").fill(_WORD)
    page.locator("main form button[type=submit]").click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    return page


def _corpus(folder: Path) -> Path:
    file = folder / "corpus.jsonl"
    rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(TEXTS, 1)]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def _look(page: Page, name: str) -> None:
    """Keep a picture, and refuse what somebody could not read or reach."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"debates-{name}.png", full_page=True)
    assert list(sideways(page)) == [], name
    found = Axe().run(page).response["violations"]
    assert [(row["id"], row["nodes"][0]["html"]) for row in found] == [], name
