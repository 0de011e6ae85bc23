"""A study about uploaded debates, as its participants meet it: nothing untrue, no run's id."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from studyapp.models import Participant, Study
from tests.blinding import crawled, leaks
from tests.sample_study import DEMO
from tests.studyapp.debates import AGREES, DEADLOCK
from tests.studyapp.lab import Lab, browser_of, debate_file, page_text, user_new

pytestmark = pytest.mark.django_db
RUN_ID = "aegis_blackout, kg_cfr_full, exp_e2_20260313_223929_kg_cfr_full_009"
# What the demo study says of itself, and what is true of no other study.
CLAIMS = (
    "demo study",
    "conceptual replication",
    "are our own",
    "fictional",
    "written for this study",
    "There is no payment",
)


def trajectory() -> SimpleUploadedFile:
    """Return a debate whose file calls it by the id of the run that recorded it."""
    content = json.loads(DEADLOCK.read_text(encoding="utf-8")) | {"title": RUN_ID}
    return SimpleUploadedFile("run_009.json", json.dumps(content).encode())


@pytest.fixture
def uploaded(queued: list[int]) -> Lab:
    """Three debates uploaded by Ada, with their texts."""
    ada = browser_of(user_new("ada"))
    debates = [debate_file(AGREES.name), debate_file(DEADLOCK.name), trajectory()]
    ada.post(reverse("study-create"), {"title": "Mine", "debates": debates})
    lab = Lab(Study.objects.get(), ada, queued)
    lab.generate()
    return lab


def link(lab: Lab) -> str:
    return reverse("join", kwargs={"cohort": lab.study.cohorts.get().token})


def test_participants_read_what_is_true_of_the_study_and_no_run_s_id(uploaded: Lab) -> None:
    uploaded.ada.post(uploaded.url("study-open"))

    pages = [got for got in crawled(link(uploaded)) if got.answer.is_page]

    everything = " ".join(re.sub(r"\s+", " ", page.answer.html) for page in pages)
    assert [claim for claim in CLAIMS if claim in everything] == []
    assert [part for part in (RUN_ID, "kg_cfr", "exp_e2") if part in everything] == []
    assert leaks(*pages) == []
    assert "three recorded debates" in pages[0].answer.html
    minutes = re.search(r"About (\d+) minutes", pages[0].answer.html)
    assert minutes is not None
    assert int(minutes[1]) == Study.objects.get().texts["minutes"]
    assert "Debate 3 of 3" in everything
    assert Participant.objects.get().completed_at is not None


def test_the_texts_count_what_the_study_has_when_it_opens(uploaded: Lab) -> None:
    for scenario in uploaded.study.scenarios.all()[1:]:
        uploaded.ada.post(uploaded.url("scenario-remove", key=scenario.key))
    assert "one recorded debate" in page_text(uploaded.ada, uploaded.url("study-detail"))

    uploaded.ada.post(uploaded.url("study-open"))

    page = crawled(link(uploaded))[0].answer.html
    assert "one recorded debate" in page
    assert "debates" not in page.split("What you will do")[1].split("</ul>")[0]


def test_a_debate_gets_a_title_for_participants(uploaded: Lab) -> None:
    keys = list(uploaded.study.scenarios.values_list("key", flat=True))
    for key, title in zip(keys, ("An archive", "A telescope", "Another telescope"), strict=True):
        uploaded.ada.post(uploaded.url("scenario-name", key=key), {"title": f" {title} "})
    uploaded.ada.post(uploaded.url("study-open"))

    answers = [got.answer for got in crawled(link(uploaded))]
    everything = " ".join(answer.html for answer in answers if answer.is_page)

    assert everything.count("<h1 lang") >= 3
    assert "Another telescope" in everything


@pytest.mark.parametrize("title", [RUN_ID, "The baseline", "x" * 201])
def test_a_title_that_tells_too_much_is_refused(lab: Lab, title: str) -> None:
    response = lab.ada.post(lab.url("scenario-name", key=lab.key), {"title": title}, follow=True)

    assert "title" in str(next(iter(response.context["messages"])))
    assert not lab.study.scenarios.exclude(title="").exists()


def test_a_title_stays_once_the_study_was_open(uploaded: Lab) -> None:
    uploaded.ada.post(uploaded.url("study-open"))
    uploaded.ada.post(uploaded.url("scenario-name", key=uploaded.key), {"title": "Late"})

    assert not uploaded.study.scenarios.filter(title="Late").exists()


def test_an_old_title_that_tells_too_much_keeps_the_study_shut(uploaded: Lab) -> None:
    uploaded.study.scenarios.filter(key=uploaded.key).update(title=RUN_ID)

    response = uploaded.ada.post(uploaded.url("study-open"), follow=True)

    assert "Participants would read the title" in response.content.decode()
    assert uploaded.state() == "draft"


def test_a_definition_whose_titles_tell_too_much_is_refused() -> None:
    definition = json.loads(DEMO.read_text(encoding="utf-8")) | {
        "slug": "own",
        "scenarios": [{"key": "one", "title": RUN_ID, "trace": AGREES.name}],
        "plan": {},
    }
    upload = SimpleUploadedFile("own.json", json.dumps(definition).encode())

    response = browser_of(user_new("ada")).post(
        reverse("study-create"),
        {"from": "definition", "definition": upload, "debates": debate_file(AGREES.name)},
    )

    assert response.status_code == 400
    assert "own.json: scenarios: title" in response.content.decode()
    assert not Study.objects.exists()


def test_a_study_that_collects_data_must_bring_its_own_texts(queued: list[int]) -> None:
    definition = json.loads(DEMO.read_text(encoding="utf-8")) | {
        "slug": "own",
        "kind": "study",
        "texts": {},
        "scenarios": [{"key": "one", "title": "One", "trace": DEADLOCK.name}],
        "plan": {},
    }
    upload = SimpleUploadedFile("own.json", json.dumps(definition).encode())
    ada = browser_of(user_new("ada"))
    ada.post(
        reverse("study-create"),
        {"from": "definition", "definition": upload, "debates": debate_file(DEADLOCK.name)},
    )
    lab = Lab(Study.objects.get(), ada, queued)
    lab.generate()

    response = ada.post(lab.url("study-open"), follow=True)

    assert "texts are not complete" in response.content.decode()
    assert lab.state() == "draft"
