"""A request that is sent again with its idempotency key is answered again and not done again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from studyapp.api.urls import urlpatterns
from studyapp.models import ApiRequest, Cohort, Invitation
from studyapp.services.api_access import api_requests_forget
from studyapp.services.study import study_build
from tests.studyapp.api.calling import Caller, caller_of, problem_of
from tests.studyapp.debates import START
from tests.studyapp.lab import Lab, user_new
from tests.studyapp.racing import at_once

PEOPLE = {"people": [{"name": "Ann"}]}


@pytest.fixture
def links(lab: Lab) -> str:
    Cohort.objects.create(study=lab.study, name="experts", link_kind="personal")
    return f"/studies/{lab.study.slug}/cohorts/experts/links"


@pytest.mark.django_db
def test_the_second_is_answered_like_the_first(links: str, ada: Caller) -> None:
    first = ada.post(links, PEOPLE, key="k1")
    second = ada.post(links, PEOPLE, key="k1")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert first.headers["Location"] == second.headers["Location"]
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    assert Invitation.objects.count() == 1


def test_whatever_changes_something_takes_a_key() -> None:
    rows: list[Any] = [row for row in urlpatterns if row.name]
    views = {row.name: row.callback.view_class for row in rows}
    changing = {name: view.post for name, view in views.items() if hasattr(view, "post")}
    assert len(changing) > 10
    assert [name for name, post in changing.items() if not hasattr(post, "__wrapped__")] == []


@pytest.mark.django_db
def test_without_a_key_each_counts(links: str, ada: Caller) -> None:
    ada.post(links, PEOPLE)
    ada.post(links, PEOPLE)
    assert Invitation.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("other", [{"people": [{"name": "Bo"}]}, {}])
def test_the_key_with_another_body_is_refused(links: str, ada: Caller, other: object) -> None:
    ada.post(links, PEOPLE, key="k1")
    assert problem_of(ada.post(links, other, key="k1"), 422)["code"] == "idempotency_key_reused"
    assert Invitation.objects.count() == 1


@pytest.mark.django_db
def test_the_key_at_another_address_is_refused(links: str, lab: Lab, ada: Caller) -> None:
    ada.post(links, PEOPLE, key="k1")
    problem_of(ada.post(f"/studies/{lab.study.slug}/runs", PEOPLE, key="k1"), 422)


@pytest.mark.django_db
def test_keys_of_two_tokens_are_apart(links: str, lab: Lab, ada: Caller) -> None:
    ada.post(links, PEOPLE, key="k1")
    caller_of(lab.study.owner_id).post(links, PEOPLE, key="k1")
    assert Invitation.objects.count() == 2


@pytest.mark.django_db
def test_what_was_refused_can_be_put_right_under_its_key(links: str, ada: Caller) -> None:
    problem_of(ada.post(links, {"people": []}, key="k1"), 400)
    assert ada.post(links, PEOPLE, key="k1").status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("key", [" ", "x" * 256, "ż"])
def test_a_key_has_its_form(links: str, ada: Caller, key: str) -> None:
    problem_of(ada.post(links, PEOPLE, key=key), 400)
    assert not Invitation.objects.exists()


@pytest.mark.django_db
def test_a_key_is_forgotten_after_a_day(links: str, ada: Caller) -> None:
    ada.post(links, PEOPLE, key="k1")
    tomorrow = timezone.now() + timedelta(hours=24, seconds=1)
    with time_machine.travel(tomorrow):
        ada.post(links, PEOPLE, key="k1")
        assert Invitation.objects.count() == 2
        assert ApiRequest.objects.count() == 1
    assert api_requests_forget(now=tomorrow + timedelta(days=2)) == 1


@pytest.mark.django_db
def test_whoever_lost_the_right_gets_no_old_answer(links: str, lab: Lab, ada: Caller) -> None:
    ada.post(links, PEOPLE, key="k1")
    lab.study.members.update(role="monitor")
    problem_of(ada.post(links, PEOPLE, key="k1"), 403)


@pytest.mark.django_db
def test_no_name_is_kept_with_an_answer(links: str, ada: Caller) -> None:
    ada.post(links, PEOPLE, key="k1")
    invitation = Invitation.objects.get()
    ada.post(f"{links}/{invitation.pk}/revoke", key="k2")
    kept = str(list(ApiRequest.objects.values()))
    assert "Ann" not in kept
    assert ApiRequest.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_one_is_done() -> None:
    owner = user_new("ada")
    study = study_build(title="Two", debates=[], seed=1, owner_id=owner.pk, now=START)
    Cohort.objects.create(study=study, name="experts", link_kind="personal")
    caller = caller_of(owner.pk)
    path = f"/studies/{study.slug}/cohorts/experts/links"
    statuses: list[int] = []

    def ask() -> None:
        statuses.append(Caller(caller.secret).post(path, PEOPLE, key="k1").status_code)

    at_once([ask] * 6)
    assert statuses == [201] * 6
    assert Invitation.objects.count() == 1
