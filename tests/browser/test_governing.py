"""A researcher sets up a second factor, invites a colleague and reads the log, in a browser."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import Page, expect

from studyapp.services.study import UploadedFile, study_build
from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.studyapp.debates import AGREES, START

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

_WORD = "correct horse"


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_second_factor_members_and_log(visitor: Visitor, profile: str) -> None:
    ada = User.objects.create_user("ada", password=_WORD, is_staff=True)
    files = [UploadedFile(AGREES.name, AGREES.read_bytes())]
    study_build(title="Two debates", debates=files, seed=1, owner_id=ada.pk, now=START)
    page = visitor(profile).new_page()
    _second_factor(page, ada, profile)
    page.goto("/studies/two-debates/members/")
    _look(page, f"{profile}-members")
    page.get_by_label("User name or e-mail address").fill("bob@example.org")
    page.get_by_label("Analyst").check()
    page.get_by_role("button", name="Add or invite").click()
    link = page.locator("#link-invited").text_content() or ""
    _look(page, f"{profile}-members-invited")
    page.goto("/studies/two-debates/log/")
    expect(page.get_by_text("member.invited")).to_be_visible()
    _look(page, f"{profile}-log")
    page.goto("/studies/two-debates/retention/")
    page.get_by_label("Days after the study is closed").fill("365")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_text("The days are counted once")).to_be_visible()
    _look(page, f"{profile}-retention")
    _accept(visitor(profile).new_page(), link, profile)


def _second_factor(page: Page, user: User, profile: str) -> None:
    page.goto("/login/second-factor/")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    _look(page, f"{profile}-second-factor-set")
    page.get_by_label("Six digits of the app").fill(_app_code(user, ahead=0))
    page.get_by_role("button", name="Use this app").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    _look(page, f"{profile}-recovery-codes")
    page.get_by_role("link", name="I have kept them").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(_WORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your code")).to_be_visible()
    _look(page, f"{profile}-second-factor")
    page.get_by_label("Six digits").fill(_app_code(user, ahead=1))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()


def _accept(page: Page, link: str, profile: str) -> None:
    page.goto(link)
    _look(page, f"{profile}-invited")
    page.get_by_label("Username").fill("bob")
    page.get_by_label("Password", exact=True).fill("a long enough sentence")
    page.get_by_label("Password confirmation").fill("a long enough sentence")
    page.get_by_role("button", name="Open an account and accept").click()
    page.get_by_role("link", name="Two debates").click()
    expect(page.get_by_text("Analyst: takes answers out")).to_be_visible()
    expect(page.get_by_role("button", name="Go live")).to_have_count(0)
    _look(page, f"{profile}-study-as-analyst")


def _app_code(user: User, *, ahead: int) -> str:
    device = TOTPDevice.objects.get(user=user)
    app = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift)
    app.time = app.time + ahead * 30
    return f"{app.token():06d}"


def _look(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"govern-{name}.png", full_page=True)
    width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1], f"{name} scrolls sideways"
    found = Axe().run(page).response["violations"]
    grave = [row for row in found if row["impact"] in ("serious", "critical")]
    assert grave == [], f"{name}: {grave}"
