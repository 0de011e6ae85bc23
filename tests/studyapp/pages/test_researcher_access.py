"""Who may see the researcher's pages, and how they sign in."""

from __future__ import annotations

import pytest
import pytest_django
from django.test import Client
from django.urls import reverse

from studyapp.models import (
    GenerationRun,
)
from studyapp.services.study import study_build
from tests.studyapp.debates import START
from tests.studyapp.lab import WORD, Lab, browser_of, page_text, user_new
from tests.studyapp.pages.addresses import addresses

pytestmark = pytest.mark.django_db


class TestWhoMaySee:
    def test_nobody_is_led_to_the_sign_in(self, lab: Lab) -> None:
        response = Client().get(lab.url("study-detail"))

        assert response.status_code == 302
        assert response["Location"].startswith("/login/")

    def test_the_owner_and_superusers_see_them_all(self, lab: Lab) -> None:
        lab.generate()
        root = browser_of(user_new("root", is_superuser=True))
        pages = [row for row in addresses(lab) if row.method == "get"]

        for client in (lab.ada, root):
            for page in pages:
                # Neither an export nor a preregistration is there before it was made.
                if page.name not in ("export-file", "preregistration"):
                    assert client.get(page.path, follow=True).status_code == 200, page

    def test_the_list_holds_only_one_s_own_studies(self, lab: Lab) -> None:
        address = reverse("study-list")

        assert "Two debates" in page_text(lab.ada, address)
        assert "Two debates" not in page_text(browser_of(user_new("bob")), address)
        assert "Two debates" in page_text(browser_of(user_new("root", is_superuser=True)), address)

    def test_a_run_of_another_study_is_not_found_under_one_s_own(self, lab: Lab) -> None:
        lab.generate()
        run = GenerationRun.objects.earliest("pk")
        bob = user_new("bob")
        own = study_build(title="Bob's", debates=[], seed=1, owner_id=bob.pk, now=START)
        client = browser_of(bob)

        for name in ("run-detail", "run-live"):
            address = reverse(name, kwargs={"slug": own.slug, "run": run.pk})
            assert client.get(address).status_code == 404
        for name in ("run-cancel", "run-retry"):
            address = reverse(name, kwargs={"slug": own.slug, "run": run.pk})
            assert client.post(address).status_code == 404

    def test_what_changes_something_cannot_be_done_by_a_link(self, lab: Lab) -> None:
        lab.generate()
        table = list(addresses(lab))
        with_page = {row.name for row in table if row.method == "get"}
        buttons = [row for row in table if row.name not in with_page]

        assert len(buttons) > 12
        for button in buttons:
            assert lab.ada.get(button.path).status_code == 405, button

    def test_pages_are_not_kept_in_caches(self, lab: Lab) -> None:
        assert "no-store" in lab.ada.get(lab.url("study-detail"))["Cache-Control"]


class TestSigningIn:
    def test_a_researcher_signs_in_and_lands_on_the_studies(self) -> None:
        user_new("ada", password=WORD)

        response = Client().post("/login/", {"username": "ada", "password": WORD})

        assert (response.status_code, response["Location"]) == (302, reverse("study-list"))

    @pytest.mark.parametrize("address", ["/login/", "/admin/login/"])
    def test_guessing_is_stopped_and_a_right_guess_does_not_help_then(
        self, address: str, settings: pytest_django.Settings
    ) -> None:
        settings.AXES_FAILURE_LIMIT = 3
        user_new("ada", password=WORD)
        client = Client()
        guess = {"username": "ada", "password": "wrong"}

        statuses = [client.post(address, guess).status_code for _ in range(4)]

        assert statuses == [200, 200, 429, 429]
        right = client.post(address, {**guess, "password": WORD})
        assert right.status_code == 429
        assert "Too many attempts" in right.content.decode()

    def test_behind_a_proxy_a_guesser_locks_nobody_else_out(
        self, settings: pytest_django.Settings
    ) -> None:
        settings.AXES_FAILURE_LIMIT = 3
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        settings.SECURE_SSL_REDIRECT = False
        user_new("ada", password=WORD)

        def sign_in(forwarded: str, password: str) -> int:
            client = Client(headers={"x-forwarded-for": forwarded})
            entered = {"username": "ada", "password": password}
            return int(client.post("/login/", entered).status_code)

        # The proxy writes the last address; what stands before it came from outside.
        guesses = [sign_in(f"10.0.0.{number}, 203.0.113.5", "wrong") for number in range(4)]
        assert guesses == [200, 200, 429, 429]
        assert sign_in("203.0.113.5, 203.0.113.9", WORD) == 302

    def test_a_wrong_password_is_told_beside_the_form(self) -> None:
        page = Client().post("/login/", {"username": "ada", "password": "no"}).content.decode()

        assert "There is a problem" in page
        assert 'value="ada"' in page

    def test_signing_out_needs_a_button(self, lab: Lab) -> None:
        assert lab.ada.get("/logout/").status_code == 405
        assert lab.ada.post("/logout/").status_code == 302
        assert lab.ada.get(reverse("study-list")).status_code == 302

    def test_the_first_page_lists_no_study(self, lab: Lab) -> None:
        page = lab.ada.get("/").content.decode()

        assert "Researcher sign-in" in page
        assert "Two debates" not in page
