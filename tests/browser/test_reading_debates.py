"""Reading in a real browser: search, marks, clocks, unfolding, and what is told about it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from studyapp.models import (
    Assignment,
    Change,
    Cohort,
    EvidenceLink,
    Exposure,
    Participant,
    Response,
    Study,
)
from tests.browser.conftest import Visitor
from tests.browser.test_participant_input import tab_to
from tests.browser.way import BACKGROUND, RADIOS, check, listen, send, to_reports
from tests.sample_study import SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


def to_debate(page: Page, link: str) -> None:
    page.goto(link)
    check(page, "agree")
    send(page)
    check(page, *BACKGROUND)
    send(page)
    send(page)
    page.wait_for_selector("#turn-1")


def opened(**ago: float) -> None:
    """Let the current trial have been opened some time ago."""
    Assignment.objects.filter(trace_opened_at__isnull=False).update(
        trace_opened_at=timezone.now() - timedelta(**ago)
    )


def pressed(**pressure: Any) -> None:
    Cohort.objects.update(time_pressure=pressure)


def visible(item: str) -> int:
    return sum(Exposure.objects.filter(item=item).values_list("visible_ms", flat=True))


# Search ---------------------------------------------------------------------------------------


def test_search_counts_hits_and_steps_through_them_by_keyboard(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor("phone").new_page()
    complaints = listen(page)
    to_debate(page, study.link)
    word = "pump" if "pump" in page.inner_text(".turns") else "river"
    tab_to(page, "find")
    page.keyboard.type(word.upper())
    count = page.locator(".find-count")
    expect(count).to_contain_text("1 of ")
    total = int(count.inner_text().split()[-1])
    text = page.evaluate(
        "[...document.querySelectorAll('.reading, .question, .parties dd, .raw')]"
        ".map(e => e.textContent).join(' ')"
    )
    assert total == text.lower().count(word)
    page.keyboard.press("Enter")
    expect(count).to_have_text(f"2 of {total}")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(count).to_have_text(f"{total} of {total}")
    assert page.evaluate("CSS.highlights.get('found').size") == total
    page.keyboard.press("Escape")
    expect(count).to_be_empty()
    assert page.evaluate("CSS.highlights.get('found').size") == 0
    page.keyboard.type("no such word")
    expect(count).to_have_text("No hit")
    assert complaints == []


def test_a_hit_across_markup_and_in_a_closed_document_is_found(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    to_debate(page, study.link)
    if "Pump" not in page.inner_text("h1") and "harbour" not in page.inner_text("h1").lower():
        page.fill("#find", "of hating farmers")
        expect(page.locator(".find-count")).to_have_text("1 of 1")
        return
    page.fill("#find", "data sheet")
    expect(page.locator(".find-count")).to_have_text("1 of 1")
    expect(page.locator("details.document >> nth=1")).to_have_attribute("open", "")


# Marks ----------------------------------------------------------------------------------------


def test_marks_are_stored_and_taken_away_without_leaving_the_page(
    visitor: Visitor, study: SampleStudy
) -> None:
    Study.objects.update(rules={"evidence_links": True})
    page = visitor("phone").new_page()
    complaints = listen(page)
    to_reports(page, study.link)
    page.fill("#comment", "Half a thought")
    page.click("text=Look at the debate again")
    button = page.locator("#turn-2 .mark", has_text="Contradicts B")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-marks]")).to_contain_text("contradicts Report B")
    page.locator("#turn-2 .mark", has_text="Supports B").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert EvidenceLink.objects.get().relation == "supports"
    page.locator("[data-marks] .mark").click()
    expect(page.locator("[data-marks]")).to_contain_text("You have marked nothing yet")
    assert EvidenceLink.objects.count() == 0
    expect(page.locator("#comment")).to_have_value("Half a thought")
    assert complaints == []


def test_marks_by_keyboard_and_enter_in_the_form_marks_nothing(
    visitor: Visitor, study: SampleStudy
) -> None:
    Study.objects.update(rules={"evidence_links": True})
    page = visitor().new_page()
    to_reports(page, study.link)
    page.click("text=Look at the debate again")
    page.locator("#turn-1 .mark >> nth=0").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-marks]")).to_contain_text("supports Report A")
    check(page, *RADIOS)
    with page.expect_navigation():
        page.locator("#act_on").press("Enter")
    expect(page.locator(".error-summary")).to_be_visible()
    assert EvidenceLink.objects.count() == 1


def test_marks_without_script(visitor: Visitor, study: SampleStudy) -> None:
    Study.objects.update(rules={"evidence_links": True})
    page = visitor("phone", java_script_enabled=False).new_page()
    to_reports(page, study.link)
    page.fill("#comment", "Half a thought")
    page.click("text=Look at the debate again")
    page.click("#turn-3 .mark >> nth=1")
    expect(page.locator("[data-marks]")).to_contain_text("contradicts Report A")
    expect(page.locator("#comment")).to_have_value("Half a thought")
    expect(page.locator("#turn-3")).to_be_in_viewport()


# Time -----------------------------------------------------------------------------------------


def test_at_zero_a_locked_page_sends_what_it_holds_and_leads_on(
    visitor: Visitor, study: SampleStudy
) -> None:
    pressed(seconds=600, at_zero="lock")
    page = visitor("phone").new_page()
    to_reports(page, study.link)
    check(page, *RADIOS)
    page.fill("#comment", "Unfinished")
    opened(seconds=596)
    page.reload()
    check(page, *RADIOS)
    page.fill("#comment", "At the last moment")
    expect(page.locator("h1")).to_have_text("The time for this debate is over")
    page.click("main .actions .button")
    expect(page.locator(".kicker")).to_have_text("Debate 2 of 2")
    assert Assignment.objects.get(order=1).timed_out
    assert Response.objects.get(measure="comment").value == "At the last moment"


def test_at_zero_a_page_that_warns_says_so_and_takes_the_answers(
    visitor: Visitor, study: SampleStudy
) -> None:
    pressed(seconds=600, at_zero="warn")
    page = visitor().new_page()
    to_reports(page, study.link)
    opened(seconds=597)
    page.reload()
    expect(page.locator(".countdown-over")).to_be_visible()
    expect(page.locator(".countdown-left")).to_have_text("0:00")
    check(page, *RADIOS, "fluency.right")
    send(page)
    assert Assignment.objects.get(order=1).timed_out
    assert Response.objects.count() == 7


def test_the_clock_speaks_only_now_and_then(visitor: Visitor, study: SampleStudy) -> None:
    pressed(seconds=600, at_zero="record")
    page = visitor().new_page()
    to_debate(page, study.link)
    assert page.locator(".countdown-left").get_attribute("aria-live") == "off"
    opened(seconds=538)
    page.reload()
    said = page.locator("[data-countdown-say]")
    expect(said).to_be_empty()
    expect(said).to_have_text("60 seconds left")


def test_turns_appear_at_their_pace_also_after_a_reload(
    visitor: Visitor, study: SampleStudy
) -> None:
    pressed(turn_seconds=100)
    page = visitor("phone").new_page()
    to_debate(page, study.link)
    expect(page.locator("#turn-1")).to_be_visible()
    expect(page.locator("#turn-2")).to_be_hidden()
    expect(page.locator("text=I have read the debate")).to_be_hidden()
    opened(seconds=298)
    page.reload()
    expect(page.locator("#turn-3")).to_be_visible()
    expect(page.locator(".jump a[href='#turn-4']")).to_be_hidden()
    expect(page.locator("#turn-4")).to_be_visible()
    opened(seconds=900)
    page.reload()
    expect(page.locator("#turn-6")).to_be_visible()
    send(page)
    expect(page.locator("#report-a")).to_be_visible()


def test_without_script_the_debate_is_whole_and_says_why(
    visitor: Visitor, study: SampleStudy
) -> None:
    pressed(turn_seconds=100, seconds=600)
    page = visitor("phone", java_script_enabled=False).new_page()
    to_debate(page, study.link)
    expect(page.locator("#turn-6")).to_be_visible()
    expect(page.locator("text=the whole debate is shown at once")).to_be_visible()


# What is told ---------------------------------------------------------------------------------


def test_time_in_view_is_told_by_item(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor("desktop").new_page()
    complaints = listen(page)
    to_debate(page, study.link)
    page.wait_for_timeout(2500)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(1500)
    send(page)
    page.locator("#report-a").scroll_into_view_if_needed()
    page.wait_for_timeout(2500)
    check(page, *RADIOS, "fluency.right")
    check(page, "trust.left-1", "trust.left-3")
    send(page)
    # Ticks come late on a busy machine, so these are bounds and no measurement.
    assert visible("page:debate") >= 2000
    assert Exposure.objects.filter(item="page:debate", scrolled__gte=90).exists()
    assert visible("left") == visible("right") > 0
    assert visible("pair") > 0
    assert visible("T6") > 0
    assert visible("page:reports") >= 1000
    changes = Change.objects.filter(field="trust.left").order_by("sequence")
    assert list(changes.values_list("value", flat=True)) == ["1", "2"]
    assert Response.objects.get(measure="trust", side="left").value == "4"
    assert Participant.objects.get().device == "desktop"
    assert complaints == []


def test_one_report_at_a_time_is_no_pair_on_a_phone(visitor: Visitor, study: SampleStudy) -> None:
    small = {"width": 360, "height": 420}
    agent = "Mozilla/5.0 (Linux; Android 14; Mobile) Chrome/130.0 Mobile"
    page = visitor("phone", screen=small, viewport=small, user_agent=agent).new_page()
    to_reports(page, study.link)
    page.evaluate("document.querySelector('[data-item=left]').scrollIntoView()")
    page.wait_for_timeout(2500)
    check(page, *RADIOS, "fluency.right")
    send(page)
    assert visible("left") > 0
    assert visible("left") > visible("right")
    assert Participant.objects.get().device == "phone"


def test_a_page_left_alone_stops_counting(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    to_debate(page, study.link)
    page.clock.install()
    page.reload()
    opened(hours=1)
    page.mouse.move(200, 300)
    page.clock.run_for(600_000)
    page.click("text=I have read the debate")
    page.wait_for_selector("#report-a")
    alone = max(Exposure.objects.filter(item="page:debate").values_list("visible_ms", flat=True))
    assert 50_000 <= alone <= 75_000


def test_a_page_left_too_early_says_how_long(visitor: Visitor, study: SampleStudy) -> None:
    Study.objects.update(rules={"debate_seconds": 3})
    page = visitor("phone").new_page()
    to_debate(page, study.link)
    send(page)
    expect(page.locator("[data-wait]")).to_contain_text("more second")
    page.wait_for_timeout(4500)
    send(page)
    expect(page.locator("#report-a")).to_be_visible()
