"""Keyboard, drafts, Back and double clicks in a real browser."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, Route, expect

from studyapp.models import Draft, Participant, Response
from tests.browser.conftest import Visitor
from tests.browser.way import BACKGROUND, RADIOS, check, listen, send, to_reports
from tests.sample_study import SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
SAVED = "Your answers so far are kept."


def tab_to(page: Page, target: str) -> None:
    """Press Tab until the element with this id or this text has the focus."""
    script = "t => [document.activeElement.id, document.activeElement.textContent.trim()]"
    for _ in range(120):
        if target in page.evaluate(script):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached by keyboard")


def choose(page: Page, *names: str) -> None:
    for name in names:
        tab_to(page, name)
        page.keyboard.press("Space")


def press(page: Page, button: str) -> None:
    tab_to(page, button)
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_the_whole_way_by_keyboard_alone(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    complaints = listen(page)
    page.goto(study.link)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    page.keyboard.press("Enter")
    choose(page, "agree")
    press(page, "Agree and start")
    choose(page, *BACKGROUND)
    press(page, "Continue")
    for _ in range(2):
        press(page, "Read the debate")
        press(page, "I have read the debate")
        choose(page, *RADIOS)
        tab_to(page, "fluency.right")
        page.keyboard.press("Space")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        press(page, "Submit and continue")
    expect(page.locator("h1")).to_have_text("Thank you")
    fluency = Response.objects.filter(measure="fluency", side="right")
    assert set(fluency.values_list("value", flat=True)) == {"4"}
    assert complaints == []


def test_the_error_summary_has_the_focus_and_leads_to_the_field(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, *RADIOS)
    send(page)
    expect(page.locator(".error-summary")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "fluency.right"


def test_what_is_entered_is_kept_without_submitting(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor("phone").new_page()
    to_reports(page, study.link)
    check(page, "act_on")
    page.fill("#comment", "Half a thought")
    expect(page.locator("[data-draft-status]")).to_have_text(SAVED)
    assert Draft.objects.get().answers == {"act_on": "left", "comment": "Half a thought"}

    token = Participant.objects.get().token
    elsewhere = visitor("desktop").new_page()
    elsewhere.goto(f"/p/{token}/")
    expect(elsewhere.locator("#act_on")).to_be_checked()
    expect(elsewhere.locator("#comment")).to_have_value("Half a thought")


def test_closing_the_page_at_once_still_keeps_the_last_answer(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, "fluent")
    page.goto("/s/nowhere/")
    deadline = time.monotonic() + 10
    while not Draft.objects.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert Draft.objects.get().answers == {"fluent": "left"}


def test_a_failing_network_is_told_and_tried_again(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    failures = 0

    def fail_once(route: Route) -> None:
        nonlocal failures
        failures += 1
        if failures == 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/draft/", fail_once)
    check(page, "act_on")
    status = page.locator("[data-draft-status]")
    expect(status).to_have_text("Your answers cannot be kept right now. Trying again.")
    expect(status).to_have_text(SAVED)
    assert failures == 2


def test_everything_works_without_script(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor("phone", java_script_enabled=False).new_page()
    to_reports(page, study.link)
    check(page, *RADIOS)
    page.click("text=Save and continue later")
    page.click("text=Continue now")
    expect(page.locator("[id='trust.left']")).to_be_checked()
    check(page, "fluency.right")
    send(page)
    expect(page.locator("h1")).not_to_have_text("Two reports on this debate")
    assert Response.objects.count() == 7


def test_back_shows_that_the_answers_stand(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, *RADIOS, "fluency.right")
    send(page)
    page.wait_for_url("**/t/*/")
    page.go_back()
    expect(page.locator("h1")).to_have_text("You have already answered this page")
    page.go_forward()
    expect(page.locator("main .actions button")).to_have_text("Read the debate")
    assert Response.objects.count() == 7


def test_back_and_forward_before_submitting_lose_nothing(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, "act_on", "trust.right")
    page.fill("#comment", "Still here")
    expect(page.locator("[data-draft-status]")).to_have_text(SAVED)
    page.go_back()
    page.go_forward()
    expect(page.locator("[id='trust.right']")).to_be_checked()
    expect(page.locator("#comment")).to_have_value("Still here")


def test_a_double_click_stores_once_and_leads_on(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, *RADIOS, "fluency.right")
    page.dblclick("form.questions .button >> nth=0")
    page.wait_for_url("**/t/*/")
    expect(page.locator("main .actions button")).to_have_text("Read the debate")
    assert Response.objects.count() == 7


def test_the_second_tab_is_told(visitor: Visitor, study: SampleStudy) -> None:
    context = visitor()
    one = context.new_page()
    to_reports(one, study.link)
    two = context.new_page()
    two.goto(one.url)
    one.bring_to_front()
    check(one, *RADIOS, "fluency.right")
    send(one)
    one.wait_for_url("**/t/*/")
    two.bring_to_front()
    check(two, "act_on-1")
    expect(two.locator("[data-draft-status]")).to_contain_text("already finished in another tab")
    check(two, *RADIOS[1:], "fluency.right")
    send(two)
    expect(two.locator("h1")).to_have_text("You have already answered this page")
    assert Response.objects.get(measure="act_on").value == "left"
