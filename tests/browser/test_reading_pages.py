"""Pages that only some studies have, in a browser: looks, widths, accessibility."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page

from studyapp.models import Assignment, Cohort, Study
from tests.browser.conftest import Visitor
from tests.browser.test_participant_way import Inspector
from tests.browser.way import BACKGROUND, check, send, to_reports, until
from tests.sample_study import SampleStudy
from tests.studyapp.pages.reading import CHECK, SURE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def opened(**ago: float) -> None:
    at = timezone.now() - timedelta(**ago)
    Assignment.objects.filter(trace_opened_at__isnull=False).update(trace_opened_at=at)


def to_introduction(page: Page, link: str) -> None:
    page.goto(link)
    check(page, "agree")
    send(page)
    check(page, *BACKGROUND)
    send(page)


def rule(**changes: Any) -> None:
    Study.objects.update(rules={**Study.objects.get().rules, **changes})


def everything_on(study: SampleStudy, **pressure: Any) -> None:
    Study.objects.update(
        measures=[SURE, CHECK, *study.study.measures],
        rules={"evidence_links": True, "shows_private": True, "attention_failures": 1},
    )
    Cohort.objects.update(time_pressure=pressure)


def walk_debate(page: Page, link: str, inspector: Inspector) -> None:
    to_introduction(page, link)
    inspector.look(page, "time-announced")
    send(page)
    inspector.look(page, "first-turn")
    opened(seconds=400)
    page.reload()
    page.fill("#find", "the")
    until(page, "document.querySelector('.find-count').textContent.includes(' ')")
    inspector.look(page, "found")
    rule(debate_seconds=3000)
    send(page)
    inspector.look(page, "too-early")
    rule(debate_seconds=0)
    send(page)


def walk_reports(page: Page, inspector: Inspector) -> None:
    page.click("text=Look at the debate again")
    page.click("#turn-2 .mark >> nth=1")
    page.click("#turn-3 .mark >> nth=2")
    page.wait_for_selector("[data-mark] >> nth=1")
    inspector.look(page, "marks")
    opened(seconds=570)
    page.reload()
    page.wait_for_selector(".countdown.is-short")
    inspector.look(page, "short-of-time")
    opened(seconds=700)
    page.reload()
    inspector.look(page, "time-over")


@pytest.mark.parametrize("profile", ["phone", "desktop"])
def test_every_page_with_all_rules_is_in_order(
    visitor: Visitor, study: SampleStudy, profile: str
) -> None:
    everything_on(study, seconds=600, at_zero="lock", turn_seconds=60)
    page = visitor(profile, color_scheme="light", bypass_csp=True).new_page()
    inspector = Inspector(profile, "all-rules")
    walk_debate(page, study.link, inspector)
    walk_reports(page, inspector)
    inspector.report()
    assert inspector.findings == []
    assert len(inspector.pages) == 7


FITS = """input => {
    const style = getComputedStyle(input), pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return pen.measureText(input.placeholder).width <= room;
}"""


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("width", [320, 360])
def test_what_stands_in_the_search_field_is_never_cut(
    visitor: Visitor, study: SampleStudy, width: int, language: str
) -> None:
    Study.objects.update(translations={"pl": {"texts": {"title": "Czytanie debat"}}})
    page = visitor("phone", viewport={"width": width, "height": 740}).new_page()
    to_reports(page, f"{study.link}?lang={language}")
    page.locator(".debate-again > summary").click()
    beside = page.locator("#find").evaluate(FITS)
    page.goto(page.url.replace("/reports/", "/debate/"))
    assert page.locator("#find").evaluate(FITS)
    assert beside
