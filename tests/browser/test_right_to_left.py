"""A study in Arabic, on a site whose own words run the other way."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

from studyapp.models import DebateTrace, Participant, Study
from tests.browser.conftest import Visitor
from tests.browser.way import BACKGROUND, RADIOS, check, send
from tests.sample_study import SampleStudy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
WORDS = "يتوقع مد عاصف في الساعة 02:40، وتملك المدينة 3 مضخات."


@pytest.fixture
def arabic(study: SampleStudy) -> SampleStudy:
    texts = {**study.study.texts, "language": "ar", "title": WORDS, "contact": WORDS}
    measures = [{**row, "question": WORDS} for row in study.study.measures]
    Study.objects.update(texts=texts, measures=measures)
    for trace in DebateTrace.objects.all():
        trace.content |= {"language": "ar", "question": WORDS}
        DebateTrace.objects.filter(pk=trace.pk).update(
            content=trace.content, sha256=trace.sha256[::-1]
        )
    return study


def runs(element: Locator) -> str:
    return str(element.evaluate("one => getComputedStyle(one).direction"))


def ends_before_its_start(element: Locator) -> bool:
    """Say whether the last character stands to the left of the first, as a right-to-left line's."""
    return bool(
        element.evaluate(
            """one => {
                const text = one.firstChild, place = (from) => {
                    const range = document.createRange();
                    range.setStart(text, from);
                    range.setEnd(text, from + 1);
                    return range.getBoundingClientRect().left;
                };
                return place(text.length - 1) < place(0);
            }"""
        )
    )


def test_words_run_their_own_way_beside_the_site_s(visitor: Visitor, arabic: SampleStudy) -> None:
    page = visitor(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(arabic.link)
    contact = page.locator(".statements li").last
    assert runs(contact) == "rtl"
    assert ends_before_its_start(contact.locator("span"))
    check(page, "agree")
    send(page)
    check(page, *BACKGROUND)
    send(page)
    send(page)
    question = page.locator(".question-text")
    assert runs(question) == "rtl"
    assert ends_before_its_start(question)
    send(page)
    # The site has no Arabic: its English sentence ends with its full stop, on the right.
    assert not ends_before_its_start(page.get_by_text("Read both, then answer"))


def test_a_time_beside_an_answer_stays_whole(visitor: Visitor, arabic: SampleStudy) -> None:
    page = visitor(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(arabic.link)
    check(page, "agree")
    send(page)
    check(page, *BACKGROUND)
    for _ in range(3):
        send(page)
    check(page, *RADIOS, "fluency.right")
    page.fill("#comment", WORDS)
    send(page)
    page.goto(f"/p/{Participant.objects.get().token}/rights/")
    answer = page.locator("dd", has_text=WORDS)
    page.locator("details", has=answer).locator("summary").click()
    assert not ends_before_its_start(answer.locator("time"))
    assert ends_before_its_start(answer.locator("bdi"))
