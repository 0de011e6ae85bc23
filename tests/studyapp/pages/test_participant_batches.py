"""What a page tells about reading is stored, bounded, and refused where it cannot be."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from studyapp.models import (
    Draft,
    Exposure,
    Participant,
    Response,
)
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.pages.reading import at, batch, report_reading, rules
from tests.walking import Walker

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


def test_a_batch_is_stored(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    assert report_reading(walker, batch(T1=[900, 50])) == 204
    assert Exposure.objects.get().visible_ms == 900
    assert Participant.objects.get().device == "tablet"


@pytest.mark.parametrize(
    ("text", "status"),
    [("{", 400), (batch(T77=[1, 1]), 400), ("\udcff", 400), ("x" * 40_000, 413)],
)
def test_a_bad_batch_is_refused(study: SampleStudy, text: str, status: int) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    data = text.encode("utf-8", "surrogateescape")
    token = walker.page.forms[0].values["csrfmiddlewaretoken"]
    answer = walker.client.post(
        at(walker, "/reading/"),
        data,
        content_type="application/json",
        headers={"x-csrftoken": token},
    )
    assert answer.status_code == status
    assert Exposure.objects.count() == 0


def test_a_batch_without_a_token_is_refused(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    assert report_reading(walker, batch(T1=[1, 1]), **{"x-csrftoken": "x" * 64}) == 403


def test_somebody_else_s_trial_takes_no_batch(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    other = Walker().walk_to(study.link, "/debate/")
    walker.address = "/".join([*walker.address.split("/")[:4], *other.address.split("/")[4:]])
    token = other.page.forms[0].values["csrfmiddlewaretoken"]
    answer = other.client.post(
        at(walker, "/reading/"), batch(T1=[1, 1]), content_type="application/json",
        headers={"x-csrftoken": token},
    )  # fmt: skip
    assert answer.status_code == 404


def test_too_many_batches_are_refused_and_what_was_stored_stays(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    with time_machine.travel(timezone.now(), tick=False):
        told = [report_reading(walker, batch(T1=[number, 1])) for number in range(42)]
    assert told == [204] * 40 + [429] * 2
    assert Exposure.objects.get().visible_ms == 39


def test_the_form_carries_what_was_not_told_yet(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    walker.send(reading=batch(**{"page:debate": [400, 100]}))
    assert Exposure.objects.get().item == "page:debate"
    assert walker.send(reading="nonsense").status == 200
    assert Response.objects.count() == 7


def test_a_page_left_too_early_comes_back_and_says_how_long(study: SampleStudy) -> None:
    rules(debate_seconds=90, reports_seconds=40)
    walker = Walker().walk_to(study.link, "/debate/").send()
    assert walker.status == 409
    assert "more seconds on this page" in walker.html
    with time_machine.travel(timezone.now() + timedelta(seconds=90), tick=True):
        walker.send()
        assert walker.address.endswith("/reports/")
        walker.send(comment="Early", act_on="right")
        assert walker.status == 409
        assert walker.page.forms[0].values["comment"] == "Early"
        assert walker.page.forms[0].chosen["act_on"] == "right"
        assert Response.objects.count() == 0
        assert Draft.objects.get().answers["comment"] == "Early"
