"""Faults that users of other platforms reported about the flow; none of them may occur here.

Each test carries the number of the report in the field's list of them (set B, and 74 of set E;
those that need a browser are in tests/browser/test_reports_of_others.py).
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from http.cookies import SimpleCookie
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from studyapp.models import (
    Assignment,
    Change,
    Draft,
    Event,
    Participant,
    Place,
    Response,
    Study,
)
from tests.parallel import at_once
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.entering import CODES, panel_study, sent_by_panel
from tests.studyapp.pages.reading import CHECK
from tests.walking import Walker, browser_new

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


@pytest.fixture
def walker(study: SampleStudy) -> Walker:
    return Walker().walk_to(study.link, "/reports/")


def later(**span: float) -> Any:
    return time_machine.travel(timezone.now() + timedelta(**span), tick=True)


def same_browser(walker: Walker) -> Walker:
    """Another tab of the same browser, at the same page."""
    client = browser_new()
    client.cookies = SimpleCookie(walker.client.cookies.output(header="", sep=";"))
    return Walker(client).get(walker.address)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_report_19_submitting_twice_at_once_stores_one_response(walker: Walker) -> None:
    tabs = [walker, *(same_browser(walker) for _ in range(3))]
    at_once([partial(tab.send, comment="Once") for tab in tabs])
    assert {tab.address for tab in tabs} == {tabs[0].address}
    assert Response.objects.count() == 8
    assert Event.objects.filter(kind="response.recorded").count() == 1


def test_report_20_back_from_the_thanks_page_and_sending_other_answers(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/reports/").send().walk_to("", "/reports/")
    address, form = walker.address, walker.filled(act_on="right")
    walker.send()
    before = list(Response.objects.values())
    again = walker.client.post(address, form)
    assert again.status_code == 409
    assert "You have already answered this page" in again.content.decode()
    assert list(Response.objects.values()) == before
    assert Event.objects.filter(kind="participant.completed").count() == 1


def test_report_21_back_and_forward_through_the_rating_page(walker: Walker) -> None:
    address = walker.address
    walker.send()
    for page in (address, address.replace("/reports/", "/debate/"), address):
        Walker(walker.client).get(page)
    answers = Response.objects.filter(assignment__order=1)
    assert answers.count() == 7
    assert len(set(answers.values_list("measure", "side"))) == 7
    assert Assignment.objects.filter(answered_at__isnull=False).count() == 1


@pytest.mark.parametrize("background", [True, False])
def test_report_23_a_study_with_nothing_to_rate(*, background: bool) -> None:
    study = sample_study(debates=0)
    if not background:
        Study.objects.update(background=[])
    walker = Walker().get(study.link)
    assert walker.status == 200
    walker.walk_to("", "/thanks/")
    assert Participant.objects.get().completion_code in walker.html


def test_report_24_the_last_item_leads_to_the_end_also_after_a_reload(study: SampleStudy) -> None:
    walker = Walker().walk(study.link)
    assert walker.address.endswith("/thanks/")
    code = Participant.objects.get().completion_code
    for address in (walker.address, walker.address, study.link):
        assert code in walker.get(address).html


def test_report_26_a_changed_answer_keeps_only_the_last_value(walker: Walker) -> None:
    draft = walker.address.replace("/reports/", "/draft/")
    for value in ("2", "5", "4"):
        sent = walker.filled(trust__left=value)
        assert walker.client.post(draft, sent).status_code == 204
    walker.send(trust__left="4")
    rated = Response.objects.filter(measure="trust", side="left")
    assert list(rated.values_list("value", flat=True)) == ["4"]
    changes = Change.objects.filter(field="trust.left").order_by("sequence")
    assert list(changes.values_list("value", flat=True)) == ["2", "5"]


def test_report_27_a_token_that_expired_after_hours(walker: Walker) -> None:
    with later(hours=3):
        walker.send(csrfmiddlewaretoken="a" * 64, comment="A long thought", act_on="right")
        assert walker.status == 403
        assert walker.page.forms[0].values["comment"] == "A long thought"
        form = {**walker.page.forms[0].values, **walker.page.forms[0].chosen}
        assert walker.client.post(walker.address, form).status_code == 302
    assert Response.objects.get(measure="comment").value == "A long thought"
    assert Response.objects.get(measure="act_on").value == "right"


def test_report_28_a_long_review_and_a_lost_cookie(walker: Walker) -> None:
    text = "A careful reading. " * 200
    del walker.client.cookies["csrftoken"]
    walker.send(comment=text)
    assert walker.status == 403
    assert walker.page.forms[0].values["comment"].strip() == text.strip()
    assert Response.objects.count() == 0


@pytest.mark.parametrize("hours", [1.5, 5, 24 * 20])
def test_report_30_whoever_takes_long_loses_nothing(walker: Walker, hours: float) -> None:
    with later(hours=hours):
        walker.send(comment="Took my time")
    assert Response.objects.get(measure="comment").value == "Took my time"
    assert Place.objects.get().participant == Participant.objects.get()


def test_report_31_edit_back_forward_and_the_answers_are_there(walker: Walker) -> None:
    draft = walker.address.replace("/reports/", "/draft/")
    walker.client.post(draft, walker.filled(comment="Edited", act_on="right"))
    Walker(walker.client).get(walker.address.replace("/reports/", "/debate/")).send()
    walker.get(walker.address)
    assert walker.page.forms[0].values["comment"] == "Edited"
    assert walker.page.forms[0].chosen["act_on"] == "right"


def test_report_34_who_was_rejected_cannot_go_on_by_refreshing(study: SampleStudy) -> None:
    Study.objects.update(measures=[*study.study.measures, CHECK], rules={"attention_failures": 1})
    walker = Walker().walk_to(study.link, "/reports/")
    address, form = walker.address, walker.filled(careful="o2")
    walker.send(careful="o1")
    token = address.split("/")[2]
    second = Assignment.objects.get(order=2).token
    pages = (address, f"/p/{token}/", f"/p/{token}/t/{second}/", f"/p/{token}/thanks/", study.link)
    for page in pages:
        assert Walker(walker.client).get(page).address.endswith("/ended/"), page
    for page in (address, f"/p/{token}/t/{second}/", f"/p/{token}/t/{second}/reports/"):
        walker.client.post(page, form)
    assert Response.objects.filter(measure="careful").get().value == "o1"
    assert Participant.objects.get().completed_at is None


def test_report_35_the_panel_is_reached_only_after_the_server_has_everything() -> None:
    study = panel_study()
    walker = Walker().get(sent_by_panel(study, "ann"))
    while not walker.address.endswith("/thanks/"):
        assert CODES["complete"] not in walker.html
        form = walker.filled()
        answer = walker.client.post(walker.address, form)
        # The answer to a form never leads off the site: what it leads to reads what is stored.
        assert answer.headers["Location"].startswith("/")
        walker.get(answer.headers["Location"])
    assert CODES["complete"] in walker.html
    assert Participant.objects.get().outcome == "complete"
    assert Response.objects.count() == 14


def test_report_37_completing_twice_and_long_after_the_place_was_due(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/reports/").send().walk_to("", "/reports/")
    address, form = walker.address, walker.filled()
    with later(days=30):
        for _ in range(2):
            assert walker.client.post(address, form).status_code == 302
        code = Participant.objects.get().completion_code
        assert code in walker.get(f"/p/{address.split('/')[2]}/").html
    assert Event.objects.filter(kind="participant.completed").count() == 1
    assert Place.objects.filter(is_complete=True).count() == 1


def test_report_38_what_a_failed_submission_held_is_kept_by_its_draft(walker: Walker) -> None:
    # The page sends a draft before its form (tests/browser); here: the draft alone arrived.
    draft = walker.address.replace("/reports/", "/draft/")
    walker.client.post(draft, walker.filled(comment="Before it broke"))
    assert Draft.objects.get().answers["comment"] == "Before it broke"
    assert Response.objects.count() == 0
    assert Walker().get(walker.address).page.forms[0].values["comment"] == "Before it broke"


def test_report_74_a_study_written_from_right_to_left_begins_with_consent() -> None:
    study = sample_study()
    Study.objects.update(texts={**study.study.texts, "language": "ar"})
    walker = Walker().get(study.link)
    assert 'dir="rtl"' in walker.html.split("<head>")[0]
    assert "agree" in walker.page.forms[0].radios
    assert "Step 1 of" in walker.html
    walker.walk_to("", "/reports/")
    # A scale starts where reading starts: its first anchor is first in the page in any direction.
    assert 'dir="rtl"' in walker.html.split("<head>")[0]
    assert walker.page.forms[0].radios["trust.left"] == ["1", "2", "3", "4", "5"]


def test_report_74_a_study_written_from_left_to_right_stays_so(walker: Walker) -> None:
    assert 'dir="ltr"' in walker.html.split("<head>")[0]
