"""Faults that users of other platforms reported, played in a browser; none may occur here.

Each test carries the number of the report in the field's list of them (sets B and E). Those that
need no browser are in tests/studyapp/pages/test_reports_of_others_flow.py. Of set E, 76, 78, 79,
80 and 82 are about editing, panels and deletion: 80 is in test_joining.py, the others in
tests/studyapp/pages/test_reports_of_others_rest.py.
"""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, Route, expect

from studyapp.models import Cohort, Draft, Participant, Response, Study
from tests.browser.conftest import Visitor
from tests.browser.narrow import NARROW, WIDER_THAN_WINDOW
from tests.browser.test_long_debate import long_study
from tests.browser.test_participant_input import SAVED
from tests.browser.way import RADIOS, check, send, to_reports, until
from tests.sample_study import SampleStudy
from tests.studyapp.entering import CODES, PROLIFIC

__all__ = ["long_study"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


def network_stops(page: Page) -> None:
    page.route("**/*", lambda route: route.abort())


def network_comes_back(page: Page) -> None:
    page.unroute("**/*")


def test_report_19_a_double_click_on_a_slow_server(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, *RADIOS, "fluency.right")

    def slow(route: Route) -> None:
        time.sleep(3)
        route.continue_()

    page.route("**/reports/", slow)
    page.dblclick("form.questions .button >> nth=0", no_wait_after=True)
    page.wait_for_url("**/t/*/", timeout=30_000)
    assert Response.objects.count() == 7


def test_report_28_cookies_deleted_while_typing(visitor: Visitor, study: SampleStudy) -> None:
    context = visitor()
    page = context.new_page()
    to_reports(page, study.link)
    context.clear_cookies()
    page.fill("#comment", "A long thought")
    # The page fetches itself a new token, and the draft arrives.
    expect(page.locator("[data-draft-status]")).to_have_text(SAVED)
    assert Draft.objects.get().answers == {"comment": "A long thought"}
    check(page, *RADIOS, "fluency.right")
    send(page)
    assert Response.objects.get(measure="comment").value == "A long thought"


def test_report_35_the_code_comes_after_everything_on_a_slow_network(
    visitor: Visitor, study: SampleStudy
) -> None:
    Study.objects.update(is_test=False, kind="study")
    Cohort.objects.update(link_kind="panel", panel=PROLIFIC)
    page = visitor("phone").new_page()
    to_reports(page, f"{study.link}?PROLIFIC_PID=a1&STUDY_ID=s&SESSION_ID=x")
    check(page, *RADIOS, "fluency.right")
    send(page)
    send(page)
    send(page)
    check(page, *RADIOS, "fluency.right")
    network = page.context.new_cdp_session(page)
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 5_000},
    )
    assert CODES["complete"] not in page.content()
    page.click("form.questions .button >> nth=0")
    page.wait_for_url("**/thanks/", timeout=30_000)
    assert Response.objects.count() == 14
    assert Participant.objects.get().outcome == "complete"
    expect(page.locator("main")).to_contain_text(CODES["complete"])


def test_report_38_a_server_that_is_down_when_the_form_is_sent(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor("phone").new_page()
    to_reports(page, study.link)
    check(page, *RADIOS, "fluency.right")
    page.fill("#comment", "Not lost")
    expect(page.locator("[data-draft-status]")).to_have_text(SAVED)
    network_stops(page)
    page.fill("#comment", "Not lost either")
    page.click("form.questions .button >> nth=0")
    status = page.locator("[data-draft-status]")
    expect(status).to_contain_text("are sent as soon as it answers")
    expect(page.locator("#comment")).to_have_value("Not lost either")
    assert Response.objects.count() == 0
    network_comes_back(page)
    # Nobody has to press again.
    page.wait_for_url("**/t/*/", timeout=30_000)
    assert Response.objects.get(measure="comment").value == "Not lost either"
    assert Response.objects.count() == 8


def test_report_38_a_laptop_closed_without_network_keeps_what_was_typed(
    visitor: Visitor, study: SampleStudy
) -> None:
    context = visitor()
    page = context.new_page()
    to_reports(page, study.link)
    address = page.url
    network_stops(page)
    check(page, "act_on-1", "trust.left-3")
    page.fill("#comment", "Typed on a train")
    page.wait_for_timeout(300)
    page.close()
    again = context.new_page()
    again.goto(address)
    expect(again.locator("#comment")).to_have_value("Typed on a train")
    expect(again.locator("[id='act_on-1']")).to_be_checked()
    # Once the server has it, nothing stays on the device.
    until(again, "localStorage.length === 0")
    assert Draft.objects.get().answers["comment"] == "Typed on a train"


def test_nothing_stays_on_the_device_after_submitting(visitor: Visitor, study: SampleStudy) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    check(page, *RADIOS, "fluency.right")
    send(page)
    until(page, "localStorage.length === 0")


def test_a_second_tab_is_told_at_once(visitor: Visitor, study: SampleStudy) -> None:
    context = visitor()
    one = context.new_page()
    to_reports(one, study.link)
    two = context.new_page()
    two.goto(one.url)
    for page in (one, two):
        expect(page.locator("[data-draft-status]")).to_contain_text("open in another tab as well")


def test_report_69_a_debate_of_two_hundred_turns_is_drawn_in_parts(
    visitor: Visitor, long_study: SampleStudy
) -> None:
    page = visitor("phone").new_page()
    to_reports(page, long_study.link)
    page.goto(page.url.replace("/reports/", "/debate/"))
    skipped = page.evaluate(
        "[...document.querySelectorAll('.turn > .reading')].filter(turn =>"
        " !turn.checkVisibility({contentVisibilityAuto: true})).length"
    )
    assert skipped > 150
    frames = page.evaluate(
        """() => new Promise(done => {
            const times = []; let last = performance.now(); const start = last;
            const frame = now => {
                times.push(now - last); last = now; scrollBy(0, 60);
                if (now - start < 2000) requestAnimationFrame(frame); else done(times);
            };
            requestAnimationFrame(frame);
        })"""
    )
    ordered = sorted(frames)
    print(  # noqa: T201 - a figure
        f"scrolling 200 turns: median frame {ordered[len(ordered) // 2]:.0f} ms, "
        f"95th percentile {ordered[int(len(ordered) * 0.95)]:.0f} ms"
    )
    page.fill("#find", "tide does not wait")
    expect(page.locator(".find-count")).to_have_text("1 of 2000", timeout=30_000)


@pytest.mark.parametrize("width", [320, 360])
def test_report_70_all_points_of_a_scale_are_in_sight(
    visitor: Visitor, study: SampleStudy, width: int
) -> None:
    page = visitor("phone", viewport={"width": width, "height": 568}).new_page()
    to_reports(page, study.link)
    assert not page.evaluate(WIDER_THAN_WINDOW)
    for scale in page.locator(".scale").all():
        scale.scroll_into_view_if_needed()
        boxes = [option.bounding_box() for option in scale.locator(".option").all()]
        assert len(boxes) == 5
        for box in boxes:
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        top, bottom = boxes[0], boxes[-1]
        assert top is not None
        assert bottom is not None
        assert bottom["y"] + bottom["height"] - top["y"] <= NARROW["height"]


def test_report_72_a_scale_says_its_question_its_place_and_its_state(
    visitor: Visitor, study: SampleStudy
) -> None:
    page = visitor().new_page()
    to_reports(page, study.link)
    group = page.get_by_role("group", name="How much do you trust each report? Report A")
    expect(group).to_have_count(1)
    options = group.get_by_role("radio")
    expect(options).to_have_count(5)
    options.nth(3).check()
    tree = group.aria_snapshot()
    assert '- radio "4 Very much" [checked]' in tree
    assert '- radio "1 Not at all"' in tree
    # Radios of one name in one group: a browser tells "4 of 5" by itself.
    names = {option.get_attribute("name") for option in options.all()}
    assert names == {"trust.left"}
    for measure in ("act_on", "faithful", "fluent"):
        named = page.locator(f"fieldset:has(#{measure}) > legend")
        assert named.inner_text().strip()


def test_report_73_every_control_of_the_rating_page_is_reached_by_keyboard(
    visitor: Visitor, study: SampleStudy
) -> None:
    Study.objects.update(rules={"evidence_links": True})
    page = visitor().new_page()
    to_reports(page, study.link)
    page.click("text=Look at the debate again")
    wanted = page.evaluate(
        """() => [...document.querySelectorAll('main a, main button, main summary, main input,'
            + ' main textarea')].filter(e => e.checkVisibility() && e.type !== 'hidden'
            && e.tabIndex >= 0 && e.type !== 'radio').length"""
    )
    radios = page.evaluate(
        "new Set([...document.querySelectorAll('[type=radio]')].map(r => r.name)).size"
    )
    page.evaluate("document.querySelector('main').focus(); window.reached = new Set()")
    for _ in range(wanted + radios + 5):
        page.keyboard.press("Tab")
        page.evaluate(
            "document.activeElement.closest('main') && reached.add(document.activeElement)"
        )
    assert page.evaluate("reached.size") == wanted + radios


def test_report_74_a_scale_begins_on_the_right_where_reading_does(
    visitor: Visitor, study: SampleStudy
) -> None:
    Study.objects.update(texts={**study.study.texts, "language": "ar"})
    page = visitor().new_page()
    page.goto(study.link)
    assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"
    expect(page.locator("#agree")).to_be_visible()
    to_reports(page, study.link)
    first, last = (
        page.locator(".scale >> nth=0").locator(".option").nth(place).bounding_box()
        for place in (0, 4)
    )
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]
    assert not page.evaluate(WIDER_THAN_WINDOW)
