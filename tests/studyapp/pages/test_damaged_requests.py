"""Addresses, cookies and bodies that nobody's browser sends: answered, and never with an error.

PostgreSQL takes no NUL, so whatever is looked up there has to be able to be a token.
"""

from __future__ import annotations

from urllib.parse import quote

import pytest

from studyapp.pages.place_cookie import place_cookie_name
from tests.studyapp.entering import live_study, nothing_happened
from tests.walking import Walker, browser_new

pytestmark = pytest.mark.django_db
DAMAGED = ("\0", "a\0b", "x" * 5000, "\uff41", "\u202e", "a b", "'--")
PLACES = ("/s/{}/", "/i/{}/", "/p/{}/", "/p/{}/rights/", "/p/{}/thanks/", "/p/a/t/{}/reports/")


@pytest.mark.parametrize("place", PLACES)
def test_what_cannot_be_a_token_is_nobody_s(place: str) -> None:
    for damaged in DAMAGED:
        walker = Walker().get(place.format(quote(damaged)))
        assert walker.status == 404
        if place.startswith("/p/"):
            assert "Nothing is stored under this link" in walker.html


def test_a_damaged_cookie_leads_nowhere_and_keeps_nobody_out() -> None:
    study = live_study()
    walker = Walker(browser_new())
    walker.client.cookies[place_cookie_name(study.cohort.token)] = "a\0b"
    assert walker.get(study.link).status == 200
    assert nothing_happened()
    assert walker.send().address.endswith("/about-you/")


def test_a_form_in_place_of_a_batch_is_refused() -> None:
    walker = Walker().walk_to(live_study().link, "/debate/")
    address = walker.address.replace("/debate/", "/reading/")
    assert walker.client.post(address, walker.filled()).status_code == 400
