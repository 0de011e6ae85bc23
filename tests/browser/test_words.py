"""What participants read, in Chromium: written, looked at beside it, walked in a phone's frame."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from studyapp.models import Cohort, GenerationRun, Participant, RunState, Scenario, Study
from studyapp.seams.engine import config_preset
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import sideways
from tests.sample_study import sample_study
from tests.studyapp.pages.test_researcher_progress import PRICED, USED, call_add

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

_WORD = "correct horse"
_QUESTION = {
    "key": "years",
    "question": "How many years have you worked with pumps?",
    "options": [{"value": "few", "label": "Up to five"}, {"value": "many", "label": "More"}],
}


@pytest.fixture
def draft(transactional_db: None) -> Study:
    owner = User.objects.create_superuser("ada", password=_WORD)
    sample = sample_study(state="draft")
    Study.objects.update(kind="study", is_test=False, owner=owner)
    Cohort.objects.update(instructions="Read it as an engineer.", background=[_QUESTION])
    return sample.study


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_words_are_written_and_seen_as_participants_will(
    visitor: Visitor, draft: Study, profile: str
) -> None:
    page = _sign_in(visitor(profile).new_page(), "/studies/sample/words/")
    _look(page, f"{profile}-words")
    page.get_by_role("link", name="Information and consent", exact=True).click()
    seen = page.frame_locator("iframe[name=words-preview]")
    expect(seen.get_by_role("button", name="Agree and start")).to_be_visible()
    _look(page, f"{profile}-words-consent")
    page.get_by_label("Title that participants read").fill("Pumps at night")
    page.get_by_role("button", name="Look at it without storing").click()
    expect(seen.get_by_role("heading", name="Pumps at night")).to_be_visible()
    page.get_by_role("button", name="Store", exact=True).click()
    expect(page.get_by_text("The version of the consent text is now")).to_be_visible()
    page.get_by_role("link", name="Questions about the reports").click()
    _look(page, f"{profile}-words-measures")
    page.get_by_role("link", name="What participants read").click()
    page.get_by_label("Language", exact=True).fill("pl")
    page.get_by_role("button", name="Begin to translate").click()
    page.get_by_label("Title that participants read").fill("Pompy nocą")
    page.get_by_role("button", name="Store", exact=True).click()
    expect(seen.get_by_role("heading", name="Pompy nocą")).to_be_visible()
    _look(page, f"{profile}-words-polish")
    page.get_by_role("link", name="What participants read").click()
    expect(page.get_by_text("texts missing").first).to_be_visible()
    _look(page, f"{profile}-words-missing")


def test_the_way_is_walked_in_the_frame_of_a_phone(visitor: Visitor, draft: Study) -> None:
    Study.objects.update(state="open", opened_at=timezone.now())
    page = _sign_in(visitor("desktop").new_page(), "/studies/sample/preview/")
    frame = page.frame_locator("iframe.preview-frame")
    expect(frame.get_by_text("Test link.")).to_be_visible()
    box = page.locator("iframe.preview-frame").bounding_box()
    assert box
    assert (box["width"], box["height"]) == (362, 742)
    _look(page, "preview-phone")
    frame.get_by_label("I have read this page", exact=False).check()
    frame.get_by_role("button", name="Agree and start").click()
    expect(frame.get_by_text("How many years have you worked with pumps?")).to_be_visible()
    frame.get_by_text("More", exact=True).click()
    frame.get_by_role("button", name="Continue", exact=True).click()
    expect(frame.get_by_text("Read it as an engineer.")).to_be_visible()
    frame.get_by_role("button", name="Read the debate").click()
    expect(frame.get_by_role("heading", name="The situation")).to_be_visible()
    _look(page, "preview-phone-debate")
    assert Participant.objects.get().is_test
    assert Cohort.objects.get().enrolled == 0


def test_progress_moves_without_a_reload_and_ends_in_the_story(
    visitor: Visitor, draft: Study
) -> None:
    scenario = Scenario.objects.earliest("position")
    run = GenerationRun.objects.create(
        trace=scenario.trace, config=config_preset("paper"), state=RunState.QUEUED,
        created_at=timezone.now(),
    )  # fmt: skip
    Scenario.objects.filter(pk=scenario.pk).update(run=run, pair=None)
    page = _sign_in(visitor("desktop").new_page(), "/studies/sample/")
    expect(page.get_by_text("waiting for a worker")).to_be_visible()
    GenerationRun.objects.update(
        state=RunState.RUNNING, stage="auditing", pair_number=1, started_at=timezone.now()
    )
    for role in ("proposer", "auditor"):
        call_add(run.pk, role, PRICED, USED)
    expect(page.get_by_text("checking the draft sentence by sentence")).to_be_visible()
    expect(page.get_by_text("0.0040 USD").first).to_be_visible()
    _look(page, "progress-study")
    page.get_by_role("link", name="The gate's story").first.click()
    expect(page.get_by_text("4 words written")).to_be_visible()
    call_add(run.pk, "proposer", PRICED, USED)
    expect(page.get_by_text("4 words written")).to_have_count(2)
    _look(page, "progress-run")
    page.get_by_role("button", name="Cancel run").click()
    expect(page.get_by_text("What it had recorded is kept.")).to_be_visible()
    expect(page.get_by_text("0.0060 USD")).to_be_visible()


def _sign_in(page: Page, address: str) -> Page:
    page.goto(address)
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def _look(page: Page, name: str) -> None:
    found = Axe().run(page)
    bad = [row["id"] for row in found.response["violations"] if row["impact"] in
           ("serious", "critical")]  # fmt: skip
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
    assert bad == []
    assert list(sideways(page, sizes=("100%",))) == []
