"""Who may see the researcher's pages, and how they sign in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import pytest_django
from django.test import Client
from django.urls import reverse

from studyapp.models import (
    Event,
    GenerationRun,
    Invitation,
    ReportKind,
    ReportState,
    Study,
    StudyReport,
    StudyState,
)
from studyapp.pages.researcher_urls import urlpatterns
from studyapp.services.study import study_build
from tests.studyapp.debates import START
from tests.studyapp.lab import WORD, Lab, browser_of, page_text, user_new

pytestmark = pytest.mark.django_db


def _addresses(lab: Lab) -> Iterator[tuple[str, str, str]]:
    """Name, method and address of every page about a study."""
    run = GenerationRun.objects.earliest("pk")
    report, _ = StudyReport.objects.get_or_create(
        study=lab.study,
        kind=ReportKind.DESIGN,
        language="en",
        defaults={"state": ReportState.FINISHED, "html": "<p>", "requested_at": START},
    )
    posts = {"generate", "open", "pause", "close", "export", "add", "remove", "cancel", "retry"}
    posts |= {"request", "name", "move", "revoke"}
    cohort = lab.study.cohorts.get()
    invitation, _ = Invitation.objects.get_or_create(
        cohort=cohort, name="Ann", defaults={"created_at": START}
    )
    for pattern in urlpatterns:
        name = str(pattern.name)
        wanted = pattern.pattern.converters
        if "slug" not in wanted:
            continue
        kwargs: dict[str, Any] = {"key": lab.key} if "key" in wanted else {}
        if "run" in wanted:
            kwargs["run"] = run.pk
        kwargs |= {"report": report.pk} if "report" in wanted else {}
        kwargs |= {"form": "html"} if "form" in wanted else {}
        kwargs |= {"cohort": cohort.name} if "cohort" in wanted else {}
        kwargs |= {"move": "pause"} if "move" in wanted else {}
        kwargs |= {"invitation": invitation.pk} if "invitation" in wanted else {}
        method = "post" if name.rpartition("-")[2] in posts else "get"
        yield name, method, lab.url(name, **kwargs)


class TestWhoMaySee:
    def test_every_page_about_a_study_asks_who_is_there(self, lab: Lab) -> None:
        lab.generate()
        table = list(_addresses(lab))
        assert len(table) == 30
        stranger, visitor = browser_of(user_new("bob")), browser_of(user_new("eve", is_staff=False))

        for name, method, address in table:
            missing = address.replace("/two-debates/", "/no-such-study/")
            anonymous = getattr(Client(), method)(address)
            assert anonymous.status_code == 302, name
            assert anonymous["Location"].startswith("/login/"), name
            assert getattr(visitor, method)(address).status_code == 403, name
            assert getattr(visitor, method)(missing).status_code == 403, name
            # Not even existence: what is another's looks like what is not there.
            assert getattr(stranger, method)(address).status_code == 404, name
            assert getattr(stranger, method)(missing).status_code == 404, name

        assert Study.objects.get(pk=lab.study.pk).state == StudyState.DRAFT
        assert not Event.objects.filter(kind="bundle.exported").exists()

    def test_the_owner_and_superusers_see_them_all(self, lab: Lab) -> None:
        lab.generate()
        root = browser_of(user_new("root", is_superuser=True))

        for client in (lab.ada, root):
            for name, method, address in _addresses(lab):
                if method == "get":
                    assert client.get(address).status_code == 200, name

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
        for name, method, address in _addresses(lab):
            if method == "post" and name not in ("debates-add", "invitations-add"):
                assert lab.ada.get(address).status_code == 405, name

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
