"""From draft to archive on the pages: what each button does, and that the seed is on none."""

from __future__ import annotations

import json
from typing import Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from studyapp.models import Event, Participant, Study
from studyapp.services.study import study_open
from tests.sample_study import THEN
from tests.studyapp.debates import START
from tests.studyapp.entering import entered
from tests.studyapp.held import committee_queued
from tests.studyapp.lab import Lab, browser_of, page_text, user_new
from tests.studyapp.pages.addresses import addresses

_SEED: Final = 4611686018427387903


def _own_texts(lab: Lab, *, arm: str = "apg") -> str:
    rows = [("baseline", "The first text says this."), (arm, "The second text says that.")]
    lines = [f"{lab.key},{name},{text}" for name, text in rows]
    return "\n".join(["scenario,arm,text", *lines])


def _brought(lab: Lab, text: str) -> str:
    lab.study.scenarios.exclude(key=lab.key).delete()
    file = SimpleUploadedFile("mine.csv", text.encode(), content_type="text/csv")
    answer = lab.ada.post(lab.url("pairs-load"), {"pairs": file}, follow=True)
    return answer.content.decode()


def test_own_texts_are_uploaded_and_looked_at(lab: Lab) -> None:
    page = _brought(lab, _own_texts(lab))

    assert "Own texts were stored" in page
    assert "own texts, brought in a file" in page
    pair = page_text(lab.ada, lab.url("pair-detail", key=lab.key))
    assert "The first text says this." in pair
    assert "own texts from mine.csv" in pair


def test_a_file_that_does_not_fit_says_why_on_the_page(lab: Lab) -> None:
    page = _brought(lab, _own_texts(lab, arm="other"))

    assert "mine.csv: row 3, arm: found &#x27;other&#x27;; allowed: baseline, apg" in page
    assert lab.study.scenarios.filter(pair__isnull=False).count() == 0


def _pressed(lab: Lab, name: str) -> str:
    return lab.ada.post(lab.url(name), follow=True).content.decode()


@pytest.mark.timeout(180)
def test_every_state_is_reached_by_its_button(lab: Lab) -> None:
    _brought(lab, _own_texts(lab))
    link = f"/s/{lab.study.cohorts.get().token}/"
    for name, state, tag in (
        ("study-pilot", "piloting", "piloting"),
        ("study-redraft", "draft", "draft"),
        ("study-pilot", "piloting", "piloting"),
        ("study-open", "open", "live"),
        ("study-pause", "paused", "paused"),
        ("study-open", "open", "live"),
        ("study-close", "closed", "closed"),
        ("study-archive", "archived", "archived"),
    ):
        page = _pressed(lab, name)
        assert lab.state() == state
        assert f">{tag}</span>" in page, name
        if state == "piloting":
            entered(link)
            assert Participant.objects.get().is_test
            assert "A pilot." in page_text(lab.ada, lab.url("study-detail"))
        else:
            assert Participant.objects.count() == 0
    assert Event.objects.filter(kind="pilot.cleared", payload__actor="ada").count() == 2


def test_the_hash_and_the_preregistration_are_on_the_page_from_the_launch_on(lab: Lab) -> None:
    _brought(lab, _own_texts(lab))
    address = lab.url("preregistration", form="json")
    assert lab.ada.get(address).status_code == 404

    page = _pressed(lab, "study-open")

    study = Study.objects.get()
    assert study.design_sha256 in page
    assert address in page
    assert json.loads(lab.ada.get(address).content)["design_sha256"] == study.design_sha256
    told = lab.ada.get(lab.url("preregistration", form="md"))
    assert told.headers["Content-Type"].startswith("text/markdown")
    assert study.design_sha256 in told.content.decode()
    assert lab.ada.get(lab.url("preregistration", form="exe")).status_code == 404


def test_a_new_version_is_a_draft_that_names_its_family(lab: Lab) -> None:
    _brought(lab, _own_texts(lab))
    assert "can be edited itself" in _pressed(lab, "version-create")
    _pressed(lab, "study-open")

    page = _pressed(lab, "version-create")

    assert "This is version 2" in page
    assert "two-debates-v2" in page
    made = Study.objects.get(version=2)
    assert made.members.get().user.get_username() == "ada"
    assert "two-debates-v2" in page_text(lab.ada, lab.url("study-detail"))
    stranger = browser_of(user_new("bob"))
    assert stranger.get(reverse("study-detail", args=[made.slug])).status_code == 404


def test_an_archived_study_is_the_last_of_the_list(lab: Lab) -> None:
    _brought(lab, _own_texts(lab))
    _pressed(lab, "study-open")
    _pressed(lab, "version-create")
    Study.objects.filter(version=2).update(state="archived")
    page = page_text(lab.ada, reverse("study-list"))
    assert page.index("/studies/two-debates/") < page.index("/studies/two-debates-v2/")


def _all_pages(lab: Lab, client: Client) -> dict[str, bytes]:
    found = {}
    for address in addresses(lab):
        if address.method == "get":
            answer = client.get(address.path)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
            found[address.path] = body + repr(answer.headers).encode()
    for table in ("study", "scenario", "event", "participant", "assignment"):
        found[table] = client.get(reverse(f"admin:studyapp_{table}_changelist")).content
    study = reverse("admin:studyapp_study_change", args=[lab.study.pk])
    return {**found, study: client.get(study).content}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("state", ["draft", "piloting", "open", "paused"])
def test_no_page_and_no_file_tells_the_seed_of_a_study_that_seals(
    lab: Lab, caplog: pytest.LogCaptureFixture, state: str
) -> None:
    lab.generate()
    lab.study.scenarios.filter(pair__has_contrast=False).delete()
    committee_queued(lab.study.pk)
    study_open(study_id=lab.study.pk, actor_id=None, now=START)
    Study.objects.update(is_test=False, seed=_SEED, state=state)
    if state in ("draft", "piloting"):
        Study.objects.update(opened_at=None, preregistration=None)
    root = browser_of(user_new("root", is_superuser=True))

    pages = _all_pages(lab, root)

    assert len(pages) > 20
    assert [path for path, body in pages.items() if str(_SEED).encode() in body] == []
    assert str(_SEED) not in caplog.text
    assert not any(str(_SEED) in json.dumps(row.payload) for row in Event.objects.all())


def test_the_seed_is_told_when_the_study_has_ended(lab: Lab) -> None:
    Study.objects.update(is_test=False, seed=_SEED, state="closed", opened_at=THEN)
    assert str(_SEED) in page_text(lab.ada, lab.url("study-detail"))
