"""Signing in with a code: set up, asked for on every page, recovered, and not guessed."""

from __future__ import annotations

import re

import pytest
import pytest_django
from django.contrib.auth.models import User
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from studyapp.models import Event
from tests.sample_study import sample_study
from tests.studyapp.lab import browser_of, user_new
from tests.walking import Walker

pytestmark = pytest.mark.django_db

_SET = "/login/second-factor/"
_CODE = "/login/code/"


@pytest.fixture
def ada() -> User:
    return user_new("ada")


def _app_code(user: User, *, confirmed: bool, ahead: int = 0) -> str:
    """Return what the app shows now, or a step of 30 seconds ahead."""
    device = TOTPDevice.objects.get(user=user, confirmed=confirmed)
    app = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift)
    app.time = app.time + ahead * 30
    return f"{app.token():06d}"


def _set_up(user: User) -> tuple[Client, list[str]]:
    """Take an app into use; return the browser and the recovery codes."""
    client = browser_of(user)
    client.get(_SET)
    page = client.post(_SET, {"code": _app_code(user, confirmed=False)})
    assert page.status_code == 200
    return client, re.findall(r"<code>(\w+)</code>", page.content.decode())


class TestSettingUp:
    def test_an_app_is_confirmed_by_its_code_and_gives_recovery_codes(self, ada: User) -> None:
        client, codes = _set_up(ada)
        assert len(set(codes)) == 10
        assert client.get("/studies/").status_code == 200
        assert Event.objects.get(kind="account.second_factor_set").payload == {"actor": "ada"}

    def test_a_wrong_code_changes_nothing(self, ada: User) -> None:
        client = browser_of(ada)
        client.get(_SET)
        page = client.post(_SET, {"code": "000000"})
        assert page.status_code == 400
        assert not TOTPDevice.objects.filter(confirmed=True).exists()

    def test_a_password_alone_changes_no_factor(self, ada: User) -> None:
        _set_up(ada)
        thief = browser_of(ada)
        for response in (thief.get(_SET), thief.post(_SET, {"action": "renew"})):
            assert response.status_code == 302
            assert response["Location"].startswith(_CODE)

    def test_the_old_app_ends_with_the_new_one(self, ada: User) -> None:
        client, _ = _set_up(ada)
        old = TOTPDevice.objects.get().pk
        client.get(_SET)
        assert client.post(_SET, {"code": _app_code(ada, confirmed=False)}).status_code == 200
        assert TOTPDevice.objects.get(confirmed=True).pk != old


class TestSigningIn:
    def test_every_page_asks_for_the_code_and_leads_back(self, ada: User) -> None:
        _set_up(ada)
        client = browser_of(ada)
        for page in ("/studies/", "/new-study/", "/admin/", "/studies/nowhere/"):
            response = client.get(page)
            assert response["Location"] == f"{_CODE}?next={page.replace('/', '%2F')}"

        done = client.post(
            _CODE, {"code": _app_code(ada, confirmed=True, ahead=1), "next": "/new-study/"}
        )
        assert (done.status_code, done["Location"]) == (302, "/new-study/")
        assert client.get("/studies/").status_code == 200

    def test_a_code_works_once(self, ada: User) -> None:
        _set_up(ada)
        code = _app_code(ada, confirmed=True, ahead=1)
        assert browser_of(ada).post(_CODE, {"code": code}).status_code == 302
        assert browser_of(ada).post(_CODE, {"code": code}).status_code == 400

    def test_a_recovery_code_works_once(self, ada: User) -> None:
        _, codes = _set_up(ada)
        assert browser_of(ada).post(_CODE, {"code": codes[0].upper()}).status_code == 302
        assert browser_of(ada).post(_CODE, {"code": codes[0]}).status_code == 400
        assert Event.objects.filter(kind="account.recovery_code_used").count() == 1

    def test_guessing_is_slowed_and_a_right_guess_does_not_help_then(self, ada: User) -> None:
        _set_up(ada)
        client = browser_of(ada)
        assert client.post(_CODE, {"code": "000000"}).status_code == 400
        right = _app_code(ada, confirmed=True, ahead=1)
        assert client.post(_CODE, {"code": right}).status_code == 400

    @pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/"])
    def test_it_leads_to_no_other_site(self, ada: User, elsewhere: str) -> None:
        _, codes = _set_up(ada)
        done = browser_of(ada).post(_CODE, {"code": codes[0], "next": elsewhere})
        assert done["Location"] == "/studies/"

    def test_who_is_half_way_can_still_sign_out_and_take_part(self, ada: User) -> None:
        _set_up(ada)
        study, client = sample_study(), browser_of(ada)
        assert client.get(study.link).status_code == 200
        assert client.get("/").status_code == 200
        assert client.post("/logout/").status_code == 302


class TestRequiring:
    def test_where_it_is_required_staff_without_one_set_it_up_first(
        self, ada: User, settings: pytest_django.Settings
    ) -> None:
        settings.SECOND_FACTOR_REQUIRED = True
        response = browser_of(ada).get("/studies/")
        assert response["Location"] == f"{_SET}?next=%2Fstudies%2F"
        client, _ = _set_up(ada)
        assert client.get("/studies/").status_code == 200

    def test_where_it_is_not_required_nobody_is_asked(self, ada: User) -> None:
        assert browser_of(ada).get("/studies/").status_code == 200

    def test_participants_are_never_asked(self, settings: pytest_django.Settings) -> None:
        settings.SECOND_FACTOR_REQUIRED = True
        assert Walker().walk_to(sample_study().link, "/about-you/").status == 200
