"""A researcher makes a token for a program and revokes it, in a browser."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import SCREENSHOTS, Visitor
from tests.browser.narrow import sideways
from tests.studyapp.api.calling import Caller
from tests.studyapp.lab import WORD, user_new

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.mark.parametrize("profile", ["desktop", "phone"])
def test_a_token_is_made_told_once_used_and_revoked(visitor: Visitor, profile: str) -> None:
    user_new("ada", password=WORD)
    page = visitor(profile).new_page()
    page.goto("/account/tokens/")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(WORD)
    page.get_by_role("button", name="Sign in").click()
    _look(page, f"{profile}-none")

    page.get_by_role("button", name="Make the token").click()
    expect(page.locator("[aria-invalid=true]").first).to_be_visible()
    _look(page, f"{profile}-refused")
    page.get_by_label("Name", exact=True).fill("Nightly export")
    page.get_by_label("analyse: exports").check()
    page.get_by_role("button", name="Make the token").click()
    secret = page.locator("#token-made").text_content() or ""
    _look(page, f"{profile}-told")
    assert Caller(secret.strip()).get("/studies/none/exports").status_code == 404

    page.goto("/account/tokens/")
    assert secret not in page.content()
    _look(page, f"{profile}-kept")
    page.get_by_role("button", name="Revoke Nightly").click()
    expect(page.get_by_role("button", name="Revoke Nightly")).to_have_count(0)
    assert Caller(secret.strip()).get("/studies").status_code == 401


def _look(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"tokens-{name}.png", full_page=True)
    assert list(sideways(page)) == [], name
    found = Axe().run(page).response["violations"]
    grave = [row for row in found if row["impact"] in ("serious", "critical")]
    assert grave == [], f"{name}: {grave}"
