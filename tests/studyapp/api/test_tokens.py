"""Tokens: shown once, stored as digests, good until they expire or are revoked."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import serializers
from django.test import Client
from django.utils import timezone

from studyapp.models import ApiToken, Event
from tests.studyapp.api.calling import Caller, caller_of, problem_of
from tests.studyapp.lab import Lab, browser_of, page_text, user_new

pytestmark = pytest.mark.django_db

PAGE = "/account/tokens/"
ASKED = {"name": "recruiting", "scopes": ["watch", "run"], "days": "30"}


def _made(browser: Client) -> Caller:
    page = browser.post(PAGE, ASKED).content.decode()
    found = re.search(r'id="token-made">(api_[\w-]{43})<', page)
    assert found is not None
    return Caller(found[1])


def test_a_token_is_shown_once_and_stored_as_a_digest(lab: Lab) -> None:
    caller = _made(lab.ada)
    assert caller.get("/studies").json()["count"] == 1
    assert caller.secret not in page_text(lab.ada, PAGE)
    rows = [*ApiToken.objects.all(), *Event.objects.all()]
    assert caller.secret not in serializers.serialize("json", rows)
    token = ApiToken.objects.get()
    assert token.scopes == ["watch", "run"]
    assert token.last_used_at is not None
    made = Event.objects.get(kind="account.api_token_made")
    assert made.payload == {"actor": "ada", "token": token.pk, "after": ["watch", "run"]}


def test_a_revoked_token_opens_nothing(lab: Lab) -> None:
    caller = _made(lab.ada)
    token = ApiToken.objects.get()
    lab.ada.post(f"{PAGE}{token.pk}/revoke/")
    assert problem_of(caller.get("/studies"), 401)["code"] == "authentication_failed"
    assert Event.objects.filter(kind="account.api_token_revoked").count() == 1


def test_another_researcher_cannot_revoke_it(lab: Lab) -> None:
    caller = _made(lab.ada)
    bob = browser_of(user_new("bob"))
    bob.post(f"{PAGE}{ApiToken.objects.get().pk}/revoke/")
    assert caller.get("/studies").status_code == 200
    assert "recruiting" not in page_text(bob, PAGE)


def test_a_token_expires(lab: Lab) -> None:
    caller = _made(lab.ada)
    with time_machine.travel(timezone.now() + timedelta(days=30, seconds=1)):
        problem_of(caller.get("/studies"), 401)


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": False}])
def test_whoever_may_not_sign_in_has_no_token(lab: Lab, change: dict[str, bool]) -> None:
    caller = caller_of(lab.study.owner_id)
    User.objects.filter(username="ada").update(**change)
    problem_of(caller.get("/studies"), 401)


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer \xff", "Basic YTpi", ""])
def test_what_is_no_token_is_refused(lab: Lab, header: str) -> None:
    response = Client().get("/api/v1/studies", headers={"Authorization": header})
    problem_of(response, 401)


@pytest.mark.parametrize(
    "change", [{"name": ""}, {"scopes": []}, {"scopes": ["govern"]}, {"days": "9999"}]
)
def test_a_token_needs_a_name_a_purpose_and_an_end(lab: Lab, change: dict[str, object]) -> None:
    assert lab.ada.post(PAGE, {**ASKED, **change}).status_code == 400
    assert not ApiToken.objects.exists()


def test_the_page_is_for_researchers(db: None) -> None:
    assert Client().get(PAGE).status_code == 302
    assert browser_of(user_new("eve", is_staff=False)).get(PAGE).status_code == 403
