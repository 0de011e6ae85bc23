"""Webhooks by the API: the secret is told once, and every other answer is without it."""

from __future__ import annotations

import json

import pytest

from studyapp.models import ApiRequest, NoticeDelivery, Webhook
from tests.studyapp.api.calling import Caller, problem_of
from tests.studyapp.api.operations import HOOK
from tests.studyapp.lab import Lab

pytestmark = pytest.mark.django_db


def _path(lab: Lab, rest: str = "") -> str:
    return f"/studies/{lab.study.slug}/webhooks{rest}"


def test_the_secret_is_told_once_and_kept_with_no_key(lab: Lab, ada: Caller) -> None:
    first = ada.post(_path(lab), HOOK, key="one")
    again = ada.post(_path(lab), HOOK, key="one")

    made = json.loads(first.content)
    assert (first.status_code, again.status_code) == (201, 201)
    assert made["secret"].startswith("whsec_")
    assert json.loads(again.content) == {**made, "secret": None}
    assert Webhook.objects.count() == 1
    assert "whsec_" not in json.dumps(list(ApiRequest.objects.values_list("answer", flat=True)))
    assert "whsec_" not in ada.get(_path(lab)).content.decode()
    assert first.headers["Location"].endswith(_path(lab, f"/{made['id']}"))


def test_it_is_changed_tried_out_and_removed(lab: Lab, ada: Caller) -> None:
    made = json.loads(ada.post(_path(lab), HOOK).content)
    one = _path(lab, f"/{made['id']}")

    changed = ada.post(one, {**HOOK, "description": "chat", "occasions": ["cohort.full"]})
    assert json.loads(changed.content)["occasions"] == ["cohort.full"]
    assert ada.post(f"{one}/test").status_code == 202
    assert lab.queued == [NoticeDelivery.objects.get().pk]
    (sent,) = json.loads(ada.get(f"{one}/deliveries").content)["results"]
    assert (sent["occasion"], sent["state"], sent["attempts"]) == ("test", "waiting", 0)
    assert ada.post(f"{one}/remove").status_code == 204
    problem_of(ada.get(one), 404)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"url": "http://example.org/"}, "https://"),
        ({"url": "https://169.254.169.254/"}, "public network"),
        ({"occasions": []}, "occasions"),
        ({"occasions": ["test"]}, "occasions"),
        ({"secret": "mine"}, "unknown"),
    ],
)
def test_what_is_wrong_is_named(
    lab: Lab, ada: Caller, change: dict[str, object], words: str
) -> None:
    problem = problem_of(ada.post(_path(lab), {**HOOK, **change}), 400)
    assert words in problem["detail"]
    assert not Webhook.objects.exists()
