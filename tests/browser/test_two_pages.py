"""One trial open twice, in two tabs or on two devices: an idle page takes nothing back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from studyapp.models import Assignment, Cohort, Draft, Response
from tests.browser.conftest import Visitor
from tests.browser.test_participant_input import SAVED
from tests.browser.test_reports_of_others import network_comes_back, network_stops
from tests.browser.way import check, to_reports
from tests.sample_study import SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
OVER = "The time for this debate is over"


def under_pressure() -> None:
    Cohort.objects.update(time_pressure={"seconds": 600, "at_zero": "lock"})


def seconds_left(seconds: int) -> None:
    at = timezone.now() - timedelta(seconds=600 - seconds)
    Assignment.objects.filter(trace_opened_at__isnull=False).update(trace_opened_at=at)


def written(page: Page, words: str) -> None:
    page.fill("#comment", words)
    check(page, "act_on")
    expect(page.locator("[data-draft-status]")).to_have_text(SAVED)


def stored() -> set[tuple[str, str]]:
    return set(Response.objects.values_list("measure", "value"))


def test_at_zero_a_phone_left_open_takes_nothing_back(visitor: Visitor, study: SampleStudy) -> None:
    under_pressure()
    phone = visitor("phone").new_page()
    to_reports(phone, study.link)
    seconds_left(20)
    phone.reload()
    laptop = visitor().new_page()
    laptop.goto(phone.url)
    written(laptop, "On the laptop")
    laptop.context.close()
    expect(phone.locator("h1")).to_have_text(OVER, timeout=40_000)
    assert stored() == {("comment", "On the laptop"), ("act_on", "left")}


@pytest.mark.parametrize("button", ["Save and continue later", "Submit and continue"])
def test_an_idle_tab_takes_nothing_back(visitor: Visitor, study: SampleStudy, button: str) -> None:
    context = visitor()
    idle = context.new_page()
    to_reports(idle, study.link)
    writing = context.new_page()
    writing.goto(idle.url)
    written(writing, "In the other tab")
    writing.close()
    with idle.expect_navigation():
        idle.get_by_role("button", name=button).last.click()
    assert Draft.objects.get().answers == {"comment": "In the other tab", "act_on": "left"}


def test_a_tab_that_saves_leaves_the_words_of_an_idle_one_out(
    visitor: Visitor, study: SampleStudy
) -> None:
    context = visitor()
    idle = context.new_page()
    to_reports(idle, study.link)
    writing = context.new_page()
    writing.goto(idle.url)
    written(writing, "Last words")
    with writing.expect_navigation():
        writing.get_by_role("button", name="Save and continue later").click()
    idle.wait_for_timeout(1500)
    assert Draft.objects.get().answers["comment"] == "Last words"


def test_time_that_runs_out_without_network_waits_for_it(
    visitor: Visitor, study: SampleStudy
) -> None:
    under_pressure()
    page = visitor("phone").new_page()
    to_reports(page, study.link)
    written(page, "In time")
    seconds_left(4)
    page.reload()
    network_stops(page)
    status = page.locator("[data-draft-status]")
    expect(status).to_contain_text("The server cannot be reached", timeout=20_000)
    network_comes_back(page)
    expect(page.locator("h1")).to_have_text(OVER, timeout=40_000)
    assert stored() == {("comment", "In time"), ("act_on", "left")}
