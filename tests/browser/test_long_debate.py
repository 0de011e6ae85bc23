"""A debate of 200 turns and 300 kB can be read on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from studyapp.models import DebateTrace
from tests.browser.conftest import Visitor
from tests.browser.narrow import WIDER_THAN_WINDOW
from tests.browser.way import to_reports, until
from tests.sample_study import SampleStudy, sample_study

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture
def long_study(transactional_db: None) -> SampleStudy:
    study = sample_study(debates=1, turns=200)
    trace = DebateTrace.objects.get()
    for turn in trace.content["turns"]:
        turn["text"] += " " + "The tide does not wait for us. " * 50
    assert sum(len(turn["text"]) for turn in trace.content["turns"]) > 300_000
    DebateTrace.objects.update(content=trace.content, sha256="b" * 64)
    return study


def paint_ms(page: Page) -> float:
    entry = "performance.getEntriesByName('first-contentful-paint')[0]"
    return float(until(page, f"{entry}?.startTime"))


def test_two_hundred_turns_fit_and_every_jump_arrives(
    visitor: Visitor, long_study: SampleStudy
) -> None:
    page = visitor("phone", viewport={"width": 320, "height": 568}).new_page()
    to_reports(page, long_study.link)
    page.goto(page.url.replace("/reports/", "/debate/"))
    print(f"first paint of 200 turns, unthrottled: {paint_ms(page):.0f} ms")  # noqa: T201 - a figure
    assert not page.evaluate(WIDER_THAN_WINDOW)
    assert page.locator(".turn").count() == 200
    for turn in (200, 3, 117):
        page.click(f".jump a[href='#turn-{turn}']")
        expect(page.locator(f"#turn-{turn}-title")).to_be_in_viewport()


def test_search_shows_the_line_of_each_hit_in_turns_longer_than_the_window(
    visitor: Visitor, long_study: SampleStudy
) -> None:
    page = visitor("phone").new_page()
    to_reports(page, long_study.link)
    page.click("text=Look at the debate again")
    page.fill("#find", "does not wait")
    count = page.locator(".find-count")
    expect(count).to_have_text("1 of 2000", timeout=30_000)
    for hit in (2, 3, 4):
        page.click("[data-find-next]")
        expect(count).to_have_text(f"{hit} of 2000")
        assert hit_is_in_sight(page)
    for _ in range(5):
        page.click("[data-find-back]")
    expect(count).to_have_text("1999 of 2000")
    assert hit_is_in_sight(page)


def hit_is_in_sight(page: Page) -> bool:
    """Say whether the hit stands below the bar that stays at the top, and in the window."""
    page.wait_for_timeout(200)
    return bool(
        page.evaluate(
            """() => {
                const [hit] = CSS.highlights.get("found-at");
                const box = hit.getBoundingClientRect();
                const bar = document.querySelector(".find").getBoundingClientRect();
                return box.height > 0 && box.top >= bar.bottom && box.bottom <= innerHeight;
            }"""
        )
    )
