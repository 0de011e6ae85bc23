"""Every address of the site, found in the resolver, and who gets what there.

A new address fails here until it has its row: in the table of study pages, in that of the API's
operations, or in one of those below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from studyapp.models import ApiToken, Participant, Study
from tests.studyapp.api.calling import caller_of
from tests.studyapp.api.operations import document
from tests.studyapp.lab import Lab, browser_of, user_new
from tests.studyapp.pages.test_permission_matrix import MATRIX

pytestmark = pytest.mark.django_db

# Whoever holds the token of the address; to all others nothing is there.
BY_TOKEN: Final = {
    *("join", "invitation", "participant-resume", "participant-screening"),
    *("participant-receipt", "participant-ended", "participant-background", "participant-pause"),
    *("participant-done", "participant-trial", "participant-trace", "participant-pair"),
    *("participant-draft", "participant-reading", "participant-mark"),
    *("participant-own-rights", "member-accept", "metrics"),
}
# Researchers, about themselves and no study.
OF_ACCOUNT: Final = {"api-tokens", "api-token-revoke", "study-list", "study-create"}
# The sign-in; the second step is for whoever took the first.
SIGN_IN: Final = {"login", "logout", "second-factor", "second-factor-set"}
# Nothing of any study is behind these.
OPEN: Final = {
    *("home", "set_language", "participant-rights", "participant-withdrawn"),
    *("healthz", "readyz", "worker-readyz"),
}
# Operators only, but for what each member of the staff may do about their own account.
_STAFF: Final = {
    *("admin:index", "admin:login", "admin:logout", "admin:jsi18n", "admin:search"),
    *("admin:password_change", "admin:password_change_done"),
}


@dataclass(frozen=True)
class Address:
    """An address as the resolver has it."""

    name: str
    route: str

    @property
    def is_admin(self) -> bool:
        return self.route.startswith("admin/")

    def filled(self, value: str) -> str:
        """Return the address with `value` in each of its places."""
        return "/" + re.sub(r"<[^>]+>", value, self.route)


def addresses() -> list[Address]:
    """Find every address that has a name."""
    return [found for found in _walk(get_resolver()) if not found.name.endswith("None")]


def _walk(resolver: URLResolver, route: str = "", space: str = "") -> Iterator[Address]:
    for row in resolver.url_patterns:
        if isinstance(row, URLPattern):
            yield Address(f"{space}{row.name}", f"{route}{row.pattern}")
        else:
            inner = f"{space}{row.namespace}:" if row.namespace else space
            yield from _walk(row, f"{route}{row.pattern}", inner)


def _of(names: set[str]) -> list[Address]:
    return [found for found in addresses() if found.name in names]


def test_every_address_has_its_row() -> None:
    tables = (set(MATRIX), BY_TOKEN, OF_ACCOUNT, SIGN_IN, OPEN)
    pages = [row.name for row in addresses() if not row.route.startswith(("admin/", "api/"))]
    assert sorted(pages) == sorted(name for table in tables for name in table)


def test_every_address_of_the_api_is_an_operation() -> None:
    routes = {
        re.sub(r"<(\w+:)?(\w+)>", r"{\2}", f"/{row.route}")
        for row in addresses()
        if row.name.startswith("api:")
    }
    assert routes == set(document()["paths"])


@pytest.mark.parametrize("address", _of(BY_TOKEN), ids=lambda row: row.name)
def test_without_the_token_nothing_is_there(address: Address) -> None:
    for client in (Client(), browser_of(user_new("bob"))):
        answers = [
            client.get(address.filled("x" * 22)),
            client.post(address.filled("x" * 22), {"answer": "1"}),
        ]
        assert {answer.status_code for answer in answers} <= {404, 405}
    assert not Participant.objects.exists()


@pytest.mark.parametrize("address", _of(OF_ACCOUNT), ids=lambda row: row.name)
def test_pages_of_an_account_are_for_who_has_signed_in(address: Address) -> None:
    path = address.filled("1")
    assert Client().get(path)["Location"].startswith("/login/")
    assert Client().post(path)["Location"].startswith("/login/")
    visitor = browser_of(user_new("eve", is_staff=False))
    assert visitor.get(path).status_code in (403, 405)
    assert visitor.post(path).status_code == 403


def test_a_token_of_somebody_else_cannot_be_seen_or_revoked(lab: Lab) -> None:
    token = caller_of(lab.study.owner_id).token_id
    stranger = browser_of(user_new("bob"))
    stranger.post(f"/account/tokens/{token}/revoke/")
    assert ApiToken.objects.get(pk=token).revoked_at is None
    assert f"/account/tokens/{token}/" not in stranger.get("/account/tokens/").content.decode()


def test_open_pages_tell_nothing_of_a_study(lab: Lab) -> None:
    for address in _of(OPEN):
        told = Client().get(address.filled("1")).content.decode()
        assert lab.study.slug not in told
        assert lab.study.title not in told


def test_the_administration_is_for_operators(lab: Lab) -> None:
    lab.generate()
    stranger, nobody = browser_of(user_new("bob")), Client()
    root = browser_of(user_new("root", is_superuser=True))
    pk = str(Study.objects.get().pk)
    seen: dict[str, set[int]] = {"operator": set(), "stranger": set(), "nobody": set()}
    for address in addresses():
        if not address.is_admin or address.name in _STAFF or "(?P<" in address.route:
            continue
        path = address.filled(pk)
        seen["operator"].add(_asked(root, path).status_code)
        answer = _asked(stranger, path)
        assert lab.study.title not in answer.content.decode(), address
        seen["stranger"].add(answer.status_code)
        seen["nobody"].add(_asked(nobody, path).status_code)
    assert 200 in seen["operator"]
    # Led on, refused, or not there: Django's own answers, of which none is the page.
    assert seen["stranger"] <= {302, 403, 404}
    assert seen["nobody"] == {302}
    for address in _of(_STAFF):
        found = stranger.get(f"{address.filled(pk)}?s={lab.study.slug}").content.decode()
        assert lab.study.title not in found


def _asked(client: Client, path: str) -> Any:
    """Ask both ways, and take back whatever it did; the answer to the reading counts."""
    with transaction.atomic():
        client.post(path)
        answer = client.get(path)
        transaction.set_rollback(True)
    return answer
