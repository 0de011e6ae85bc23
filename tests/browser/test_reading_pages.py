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
from tests.browser.way import BACKGROUND, check, send
from tests.sample_study import SampleStudy
from tests.studyapp.pages.test_participant_reading import CHECK, SURE

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


def everything_on(study: SampleStudy, **pressure: Any) -> None:
    Study.objects.update(
        measures=[SURE, CHECK, *study.study.measures],
        rules={"evidence_links": True, "shows_private": True, "attention_failures": 1},
    )
    Cohort.objects.update(time_pressure=pressure)


@pytest.mark.parametrize("profile", ["phone", "desktop"])
def test_every_page_with_all_rules_is_in_order(
    visitor: Visitor, study: SampleStudy, profile: str
) -> None:
    everything_on(study, seconds=600, at_zero="lock", turn_seconds=60)
    page = visitor(profile, color_scheme="light", bypass_csp=True).new_page()
    inspector = Inspector(profile, "all-rules")
    to_introduction(page, study.link)
    inspector.look(page, "time-announced")
    send(page)
    inspector.look(page, "first-turn")
    opened(seconds=400)
    page.reload()
    page.fill("#find", "the")
    page.wait_for_function("document.querySelector('.find-count').textContent.includes(' ')")
    inspector.look(page, "found")
    Study.objects.update(rules={**Study.objects.get().rules, "debate_seconds": 3000})
    with page.expect_navigation():
        page.click("main .actions .button")
    inspector.look(page, "too-early")
    Study.objects.update(rules={**Study.objects.get().rules, "debate_seconds": 0})
    with page.expect_navigation():
        page.click("main .actions .button")
    page.click("text=Look at the debate again")
    page.click("#turn-2 .mark >> nth=1")
    page.click("#turn-3 .mark >> nth=2")
    page.wait_for_selector("[data-mark] >> nth=1")
    inspector.look(page, "marks")
    opened(seconds=575)
    page.reload()
    page.wait_for_selector(".countdown.is-short")
    inspector.look(page, "short-of-time")
    opened(seconds=700)
    page.reload()
    inspector.look(page, "time-over")
    inspector.report()
    assert inspector.findings == []
