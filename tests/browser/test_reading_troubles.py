"""What goes wrong while somebody reads and answers: long texts, lost cookies, clocks, deletion."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from studyapp.models import Cohort, EvidenceLink, Participant, Place, Response, Study
from tests.browser.conftest import Visitor
from tests.browser.test_reading_debates import to_debate
from tests.browser.way import RADIOS, check, send, to_reports, until
from tests.sample_study import SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
STATUS = "[data-draft-status]"


def late(route: Route) -> None:
    time.sleep(2)
    route.continue_()


def optional_all() -> None:
    study = Study.objects.get()
    study.measures = [{**row, "required": False} for row in study.measures]
    study.save(update_fields=["measures"])


def on_device(page: Page) -> list[str]:
    found: list[str] = page.evaluate("Object.keys(localStorage)")
    return [key for key in found if key.startswith("draft:")]


@pytest.mark.parametrize("length", [4000, 9000])
def test_a_text_of_any_length_reaches_the_server(
    visitor: Visitor, study: SampleStudy, length: int
) -> None:
    """A draft of more than 64 KiB cannot be sent as a request that outlives its page."""
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, *RADIOS, "fluency.right")
    page.fill("#comment", "水" * length)
    send(page)
    if length > 4000:
        expect(page.locator("#comment-error")).to_contain_text("4000 characters")
        assert len(page.input_value("#comment")) == length
    else:
        assert len(Response.objects.get(measure="comment").value) == length


def test_a_mark_outlives_a_lost_cookie(visitor: Visitor, study: SampleStudy) -> None:
    Study.objects.update(rules={"evidence_links": True})
    context = visitor()
    page = context.new_page()
    to_reports(page, study.link)
    page.click("text=Look at the debate again")
    context.clear_cookies()
    page.click("#turn-2 .mark >> nth=0")
    expect(page.locator("[data-marks-status]")).to_have_text("Your mark is stored.")
    assert EvidenceLink.objects.get().address == "T2"


def test_answers_after_a_deletion_elsewhere_lead_on_and_leave_nothing(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    Participant.objects.get().delete()
    page.fill("#comment", "Typed too late")
    expect(page.locator(STATUS)).to_have_text(
        "Nothing more can be stored on this page. Load it again to see why."
    )
    send(page)
    assert "reports" not in page.title().lower()
    assert on_device(page) == []


def test_a_withdrawal_leaves_no_draft_on_the_device(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    page.route("**/draft/", lambda route: route.abort())
    page.fill("#comment", "Never sent")
    expect(page.locator(STATUS)).to_have_text(
        "Your answers cannot be kept right now. Trying again."
    )
    assert len(on_device(page)) == 1
    page.goto("/rights/withdrawn/")
    until(page, "!Object.keys(localStorage).some(key => key.startsWith('draft:'))")


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_wrong_clock_takes_no_newer_words(
    visitor: Visitor, study: SampleStudy, hours: int
) -> None:
    context = visitor()
    context.add_init_script(
        f"{{ const now = Date.now.bind(Date); Date.now = () => now() + {hours * 3_600_000}; }}"
    )
    page = context.new_page()
    to_reports(page, study.link)
    page.fill("#comment", "First")
    expect(page.locator(STATUS)).to_have_text("Your answers so far are kept.")
    page.route("**/draft/", lambda route: route.abort())
    page.fill("#comment", "First and second")
    expect(page.locator(STATUS)).to_have_text(
        "Your answers cannot be kept right now. Trying again."
    )
    page.reload()
    expect(page.locator("#comment")).to_have_value("First and second")


def test_a_page_that_was_slow_to_start_takes_no_newer_words(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    page.route("**/draft*.js", late)
    to_reports(page, study.link)
    page.fill("#comment", "First")
    expect(page.locator(STATUS)).to_have_text("Your answers so far are kept.")
    page.route("**/draft/", lambda route: route.abort())
    page.fill("#comment", "First and second")
    expect(page.locator(STATUS)).to_have_text(
        "Your answers cannot be kept right now. Trying again."
    )
    page.reload()
    expect(page.locator("#comment")).to_have_value("First and second")


@pytest.mark.parametrize("damaged", ["{", "null", "{}", '{"at": "x", "values": null}'])
def test_a_damaged_copy_on_the_device_is_passed_over(
    visitor: Visitor, study: SampleStudy, damaged: str
) -> None:
    page = visitor().new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    to_reports(page, study.link)
    page.evaluate(
        "text => localStorage.setItem('draft:' + document.querySelector('[data-keep]').dataset.keep"
        ", text)",
        damaged,
    )
    page.reload()
    page.fill("#comment", "Still kept")
    expect(page.locator(STATUS)).to_have_text("Your answers so far are kept.")
    assert errors == []


def test_optional_answers_say_so_and_can_be_taken_back(
    visitor: Visitor, study: SampleStudy
) -> None:
    optional_all()
    page = visitor("phone").new_page()
    to_reports(page, study.link)
    group = page.get_by_role("group", name="Which report would you act on? (optional)")
    back = group.get_by_role("button", name="Take this answer back")
    expect(back).to_be_hidden()
    check(page, "act_on", "trust.left")
    back.click()
    expect(page.locator("#act_on")).not_to_be_checked()
    expect(page.locator("#act_on")).to_be_focused()
    send(page)
    assert [row.measure for row in Response.objects.all()] == ["trust"]


def test_the_clock_counts_the_time_in_which_the_page_arrived(
    visitor: Visitor, study: SampleStudy
) -> None:
    Cohort.objects.update(time_pressure={"seconds": 600, "at_zero": "lock"})
    page = visitor().new_page()

    def late(route: Route) -> None:
        time.sleep(5)
        route.continue_()

    page.route("**/countdown*.js", late)
    to_debate(page, study.link)
    sent = int(page.get_attribute("[data-ends-in]", "data-ends-in") or 0) / 1000
    minutes, seconds = page.inner_text(".countdown-left").split(":")
    assert int(minutes) * 60 + int(seconds) <= sent - 4


# Search ---------------------------------------------------------------------------------------


def search(page: Page, wanted: str) -> str:
    page.fill("#find", "")
    expect(page.locator(".find-count")).to_have_text("")
    page.fill("#find", wanted)
    expect(page.locator(".find-count")).not_to_have_text("")
    return page.inner_text(".find-count")


def turn_set(page: Page, text: str) -> None:
    page.evaluate("t => document.querySelector('#turn-1 .reading').textContent = t", text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Wodociąg ŻÓŁĆ", "wodociag zółc"),
        ("İstanbul first, then qqxx", "QQXX"),
        ("one\ntwo\u00a0three", "One  two three"),
        ("a.b(c)*[d] \\ $", "A.b(C)*[d] \\ $"),
        ("only § here", "§"),
        ("مرحبا بالعالم", "مرحبا"),
    ],
)
def test_search_finds_what_people_type(
    visitor: Visitor, study: SampleStudy, text: str, wanted: str
) -> None:
    page = visitor().new_page()
    to_debate(page, study.link)
    turn_set(page, text)
    assert search(page, wanted) == "1 of 1"
    assert search(page, "x" * 10_000) == "No hit"


def test_search_tells_nothing_of_turns_to_come(visitor: Visitor, study: SampleStudy) -> None:
    Cohort.objects.update(time_pressure={"turn_seconds": 600})
    page = visitor().new_page()
    to_debate(page, study.link)
    page.evaluate("document.querySelector('#turn-3 .reading').textContent = 'qqxx'")
    assert search(page, "qqxx") == "No hit"


def test_whose_place_was_given_on_does_not_read_on_in_vain(
    visitor: Visitor, study: SampleStudy
) -> None:
    Study.objects.update(is_test=False, kind="study")
    Cohort.objects.update(quota=1)
    page = visitor("phone").new_page()
    to_reports(page, study.link)
    page.goto(page.url.replace("/reports/", "/debate/"))
    Place.objects.update(reserved_until=timezone.now() - timedelta(hours=1))
    to_reports(visitor().new_page(), study.link)
    expect(page.locator("h1")).to_have_text("Your place was given on", timeout=40_000)
