"""A network that is gone when a form is sent: every page waits, keeps what was entered, goes on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from studyapp.models import Assignment, Outcome, Participant, Study
from tests.browser.conftest import Visitor
from tests.browser.test_reading_troubles import on_device
from tests.browser.test_reports_of_others import network_comes_back, network_stops
from tests.browser.way import BACKGROUND, check, send, until
from tests.sample_study import SampleStudy
from tests.studyapp.entering import SCREENING

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
WAITING = "it goes on by itself as soon as the server answers"
BUTTON = "main .actions button >> nth=0"


@pytest.fixture
def screened(study: SampleStudy) -> SampleStudy:
    Study.objects.update(screening=SCREENING)
    return study


def sent_without_network(page: Page) -> None:
    """Press the button twice while nothing answers, and let the network come back."""
    address = page.url
    network_stops(page)
    page.click(BUTTON)
    expect(page.locator("[data-waiting]")).to_contain_text(WAITING)
    page.click(BUTTON)
    assert page.url == address
    network_comes_back(page)
    with page.expect_navigation(timeout=30_000):
        pass


def test_every_form_before_the_reports_waits_for_the_network(
    visitor: Visitor, screened: SampleStudy
) -> None:
    page = visitor("phone").new_page()
    page.goto(screened.link)
    check(page, "agree")
    sent_without_network(page)
    check(page, "adult", "region")
    sent_without_network(page)
    check(page, "task")
    sent_without_network(page)
    check(page, *BACKGROUND)
    sent_without_network(page)
    sent_without_network(page)
    assert page.url.endswith("/debate/")
    sent_without_network(page)
    expect(page.locator("#report-a")).to_be_visible()
    person = Participant.objects.get()
    assert person.screening_attempts == 1
    assert len(person.background or {}) == len(BACKGROUND)
    assert Assignment.objects.get(order=1).pair_opened_at is not None
    assert on_device(page) == []


def test_a_server_that_fails_is_waited_for_as_well(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    page.goto(study.link)
    check(page, "agree")
    page.route("**/healthz", lambda route: route.fulfill(status=503))
    page.click(BUTTON)
    expect(page.locator("[data-waiting]")).to_contain_text(WAITING)
    page.unroute("**/healthz")
    page.wait_for_url("**/about-you/", timeout=30_000)


def test_a_proxy_that_shuts_the_address_of_health_holds_nobody_up(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    page.route("**/healthz", lambda route: route.fulfill(status=404))
    page.goto(study.link)
    check(page, "agree")
    send(page)
    assert page.url.endswith("/about-you/")


@pytest.mark.parametrize("form", ["screening", "background"])
def test_what_was_entered_outlives_a_closed_page(
    visitor: Visitor, study: SampleStudy, form: str
) -> None:
    if form == "screening":
        Study.objects.update(screening=SCREENING)
    first = "region" if form == "screening" else BACKGROUND[0]
    context = visitor()
    page = context.new_page()
    page.goto(study.link)
    check(page, "agree")
    send(page)
    address = page.url
    network_stops(page)
    check(page, first)
    page.close()
    again = context.new_page()
    again.goto(address)
    expect(again.locator(f"[id='{first}']")).to_be_checked()
    expect(again.locator("[data-draft-status]")).to_contain_text("is filled in again")


def test_who_is_screened_out_leaves_nothing_on_the_device(
    visitor: Visitor, screened: SampleStudy
) -> None:
    page = visitor().new_page()
    page.goto(screened.link)
    check(page, "agree")
    send(page)
    page.check("[name=adult][value=no]")
    check(page, "region")
    send(page)
    assert Participant.objects.get().outcome == Outcome.SCREENED_OUT
    until(page, "localStorage.length === 0")


def test_a_receipt_code_outlives_a_lost_network(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor("phone").new_page()
    page.goto(study.link)
    check(page, "agree")
    send(page)
    page.goto("/rights/")
    page.get_by_label("Receipt code").fill(Participant.objects.get().receipt)
    sent_without_network(page)
    expect(page.get_by_text("Consent given")).to_be_visible()
    with page.expect_download():
        page.get_by_role("button", name="JSON").click()
    with page.expect_download():
        page.get_by_role("button", name="CSV").click()
