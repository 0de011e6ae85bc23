"""Every error has one shape, wherever it comes from."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp.api.base import ApiView
from studyapp.api.missing import server_error
from studyapp.domain.permissions import Action
from tests.studyapp.api.calling import ROOT, Caller, caller_of, problem_of
from tests.studyapp.lab import Lab, user_new

pytestmark = pytest.mark.django_db


class _Failing(ApiView):
    """What an operation with a fault in it is like."""

    actions = {"GET": Action.WATCH}

    def get(self, request: Request) -> Response:
        raise ValueError("a secret of the server")


urlpatterns = [path("api/v1/fails", _Failing.as_view())]
handler500 = server_error


@pytest.mark.parametrize("path", ["", "/", "/nothing", "/studies/", "/studies/a/b/c/d"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_address_without_anything(path: str, method: str) -> None:
    assert problem_of(Caller("").ask(method, path), 404)["code"] == "not_found"


def test_beside_the_version_too(client: Client) -> None:
    problem_of(client.get("/api/v9/studies"), 404)
    assert client.get("/nothing").headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_a_method_that_is_not_there(lab: Lab, ada: Caller, method: str) -> None:
    response = ada.ask(method, "/studies")
    assert problem_of(response, 405)["code"] == "method_not_allowed"
    assert response.headers["Allow"] == "GET, POST, HEAD"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        ("[" * 100_000, 400),
        ('{"state": NaN}', 400),
        ("[]", 400),
        ('"paused"', 400),
        ('{"state": 1}', 400),
        ('{"state": "gone"}', 400),
        ('{"state": "paused", "more": 1}', 400),
        ('{"state": "\\u0000"}', 400),
        ('{"state": "\\ud800"}', 400),
    ],
)
def test_a_body_that_cannot_be_used(lab: Lab, ada: Caller, body: str, status: int) -> None:
    problem_of(ada.post(f"/studies/{lab.study.slug}/cohorts/open/state", body), status)
    assert lab.study.cohorts.get().state == "open"


def test_the_refused_value_is_named(lab: Lab, ada: Caller) -> None:
    people = [{"name": "Ann"}, {"name": 5}]
    path = f"/studies/{lab.study.slug}/cohorts/open/links"
    told = problem_of(ada.post(path, {"people": people}), 400)
    assert [row["field"] for row in told["problems"]] == ["people.1.name"]


def test_a_body_that_is_too_large(lab: Lab, ada: Caller, settings: LazySettings) -> None:
    settings.TRACE_MAX_BYTES = 100
    body = {"file_name": "a", "content": "x" * 500}
    problem_of(ada.post(f"/studies/{lab.study.slug}/traces", body), 413)


def test_a_body_in_another_format(lab: Lab, ada: Caller) -> None:
    response = ada.client.post(
        f"{ROOT}/studies", "a=b", content_type="text/plain", headers=_bearer(ada)
    )
    assert problem_of(response, 415)["code"] == "unsupported_media_type"


def test_an_answer_in_another_format(lab: Lab, ada: Caller) -> None:
    assert problem_of(ada.get("/studies", Accept="text/csv"), 406)["code"] == "not_acceptable"


def test_a_token_that_asks_too_often_waits(lab: Lab, ada: Caller, settings: LazySettings) -> None:
    settings.API_RATE = "3/min"
    assert [ada.get("/studies").status_code for _ in range(3)] == [200] * 3
    response = ada.get("/studies")
    assert problem_of(response, 429)["code"] == "throttled"
    assert 0 < int(response.headers["Retry-After"]) <= 60


def test_a_refusal_of_a_service_says_which(lab: Lab, ada: Caller) -> None:
    told = problem_of(ada.post(f"/studies/{lab.study.slug}/state", {"state": "open"}), 409)
    assert told["code"] == "study_not_ready"
    assert "has no texts yet" in told["detail"]


@pytest.mark.urls(__name__)
def test_what_nobody_foresaw(db: None) -> None:
    ada = caller_of(user_new("ada").pk)
    assert problem_of(ada.get("/fails"), 500)["code"] == "server_error"
    assert "secret" not in ada.get("/fails").content.decode()


def test_nothing_is_kept_by_a_proxy(lab: Lab, ada: Caller) -> None:
    assert "no-store" in ada.get("/studies").headers["Cache-Control"]


def _bearer(caller: Caller) -> dict[str, str]:
    return {"Authorization": f"Bearer {caller.secret}"}
