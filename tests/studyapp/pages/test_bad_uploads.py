"""Uploads that cannot be read, and addresses that name nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from studyapp.models import DebateTrace, Study
from tests.sample_study import DEMO
from tests.studyapp.debates import AGREES
from tests.studyapp.lab import Lab, browser_of, debate_file, user_new

pytestmark = pytest.mark.django_db


def _definition(**change: Any) -> bytes:
    data = json.loads(DEMO.read_text(encoding="utf-8"))
    texts = data["texts"] | change.pop("texts", {})
    scenarios = [{"key": "one", "title": "One", "trace": AGREES.name}]
    return json.dumps(
        data | {"slug": "own", "scenarios": scenarios, "plan": {}} | change | {"texts": texts}
    ).encode()


def _nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "own.json: the file: found"),
        (b"[" * 50_000, "own.json: the file: found more levels"),
        (_definition(extra=_nested(200)), "at most 20 levels"),
        (_definition(title="\ud800"), "own.json: title: found"),
        (_definition(texts={"debrief": "a\0b"}), "own.json: texts.debrief: found"),
        (_definition(texts={"consent": ["fine", "\udfff"]}), "own.json: texts.consent[1]: found"),
        (_definition(seed=float("nan")), "own.json: the file: found NaN"),
        (_definition(texts={"language": "<x>"}), "language is"),
        ("{}".encode("utf-16-le") + b"\xff", "own.json: the file: found"),
    ],
)
def test_a_definition_that_cannot_be_stored_is_refused(content: bytes, said: str) -> None:
    upload = SimpleUploadedFile("own.json", content)

    response = browser_of(user_new("ada")).post(
        reverse("study-create"),
        {"from": "definition", "definition": upload, "debates": debate_file(AGREES.name)},
    )

    assert response.status_code == 400
    assert said in response.content.decode()
    assert "allowed" in response.content.decode()
    assert not Study.objects.exists()
    assert not DebateTrace.objects.exists()


def test_an_empty_file_among_several_is_named() -> None:
    debates = [debate_file(AGREES.name), SimpleUploadedFile("nothing.json", b"")]

    response = browser_of(user_new("ada")).post(
        reverse("study-create"), {"title": "T", "debates": debates}
    )

    assert response.status_code == 400
    assert "nothing.json" in response.content.decode()
    assert "allowed" in response.content.decode()
    assert not DebateTrace.objects.exists()


@pytest.mark.parametrize("number", ["9" * 23, "9" * 18, "0"])
@pytest.mark.parametrize("page", ["runs/{}/", "report/{}/"])
def test_a_number_that_is_no_run_s_and_no_report_s_is_not_found(
    lab: Lab, page: str, number: str
) -> None:
    assert lab.ada.get(lab.url("study-detail") + page.format(number)).status_code == 404
