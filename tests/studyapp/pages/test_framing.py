"""Only a researcher's own previews may stand in a frame, and nothing done in one counts."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from studyapp.domain.permissions import Role
from studyapp.models import Cohort, Participant, Study
from studyapp.pages.participant_arrival import PREVIEW, preview_sign
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.lab import Lab, browser_of, member_of, page_text, user_new
from tests.walking import PageReader, Walker

pytestmark = pytest.mark.django_db

FRAME = {"Sec-Fetch-Dest": "iframe"}


@pytest.fixture
def sample() -> SampleStudy:
    found = sample_study()
    Study.objects.update(is_test=False)
    return found


@pytest.fixture
def lab_open(sample: SampleStudy) -> Lab:
    return Lab(sample.study, browser_of(member_of(sample.study)), [])


def preview_of(sample: SampleStudy) -> str:
    return f"{sample.link}?{PREVIEW}={preview_sign(sample.cohort.token)}"


def may_be_framed(response: Any) -> bool:
    policy = response.headers["Content-Security-Policy"]
    allowed = "frame-ancestors 'self'" in policy
    assert allowed == (response.headers["X-Frame-Options"] == "SAMEORIGIN")
    assert allowed or "frame-ancestors 'none'" in policy
    return allowed


def framed(client: Client, address: str) -> bool:
    return may_be_framed(client.get(address, headers=FRAME))


def test_the_researcher_walks_the_whole_way_in_a_frame(lab_open: Lab, sample: SampleStudy) -> None:
    client = lab_open.ada
    client.defaults["HTTP_SEC_FETCH_DEST"] = "iframe"
    walker = Walker(client=client).get(preview_of(sample))
    for _ in range(20):
        assert may_be_framed(walker.response), walker.address
        if not walker.page.forms:
            break
        walker.send()
    assert walker.address.endswith("/thanks/")
    person = Participant.objects.get()
    assert person.is_test
    cohort = Cohort.objects.get()
    assert (cohort.enrolled, cohort.enrolled_test) == (0, 1)
    watch = page_text(browser_of(member_of(sample.study)), lab_open.url("study-watch"))
    assert person.completion_code not in watch


def test_a_form_that_comes_back_stays_in_its_frame(lab_open: Lab, sample: SampleStudy) -> None:
    form = PageReader(page_text(lab_open.ada, preview_of(sample))).forms[0]
    answer = lab_open.ada.post(sample.link, form.values, headers=FRAME)
    assert answer.status_code == 400
    assert may_be_framed(answer)


def test_nobody_else_and_nothing_live_can_be_framed(lab_open: Lab, sample: SampleStudy) -> None:
    live = Walker().get(sample.link).send()
    test = Walker().get(preview_of(sample)).send()
    others = [
        Client(),
        browser_of(user_new("bob")),
        browser_of(user_new("eve", is_staff=False)),
        browser_of(member_of(sample.study, Role.MONITOR, name="mo")),
    ]
    for client in others:
        for address in (preview_of(sample), test.address, sample.link):
            assert not framed(client, address), address
    for address in (sample.link, live.address, f"{sample.link}?{PREVIEW}=forged"):
        assert not framed(lab_open.ada, address), address


def test_out_of_a_frame_and_on_every_other_page_none_is_allowed(
    lab_open: Lab, sample: SampleStudy
) -> None:
    assert not may_be_framed(lab_open.ada.get(preview_of(sample)))
    for name in ("study-detail", "study-words", "study-preview", "study-log"):
        assert not framed(lab_open.ada, lab_open.url(name))
    assert not framed(lab_open.ada, reverse("study-list"))


def test_a_participant_s_page_asks_for_no_session(
    sample: SampleStudy, django_assert_num_queries: Any
) -> None:
    address = Walker().get(sample.link).send().address
    client = Client()
    with CaptureQueriesContext(connection) as alone:
        client.get(address)
    with django_assert_num_queries(len(alone)):
        client.get(address, headers=FRAME)


@pytest.mark.parametrize("frame", ["phone", "wide"])
def test_the_preview_page_frames_the_chosen_cohort_and_language(
    lab_open: Lab, sample: SampleStudy, frame: str
) -> None:
    Cohort.objects.create(study=sample.study, name="experts", kind="experts")
    Study.objects.update(translations={"pl": {"texts": {"title": "Dwa raporty"}}})
    asked = {"cohort": "experts", "language": "pl", "frame": frame}
    answer = lab_open.ada.get(lab_open.url("study-preview"), asked)
    html = answer.content.decode()
    assert f"preview-frame is-{frame}" in html
    assert "frame-src 'self'" in answer.headers["Content-Security-Policy"]
    token = Cohort.objects.get(name="experts").token
    source = next(v for t, n, v in PageReader(html).attributes if (t, n) == ("iframe", "src"))
    assert token in source
    assert source.endswith("lang=pl")
    assert "Dwa raporty" in page_text(lab_open.ada, source)


def test_a_draft_says_why_there_is_no_way_yet(lab: Lab) -> None:
    html = page_text(lab.ada, lab.url("study-preview"))
    assert "Begin a pilot first" in html
    assert "<iframe" not in html
