"""The pages about members: invite by name or link, accept, open an account, read the log."""

from __future__ import annotations

import re

import pytest
import pytest_django
from django.core import mail
from django.test import Client

from studyapp.models import MemberInvitation, StudyMember
from studyapp.services.sealing import logs_seal
from tests.studyapp.debates import START
from tests.studyapp.lab import Lab, browser_of, page_text, user_new

pytestmark = pytest.mark.django_db

_PASSWORD = "a long enough sentence"  # noqa: S105 - of a test


def _invite(lab: Lab, who: str = "bob@example.org", role: str = "analyst") -> str:
    page = lab.ada.post(lab.url("study-members"), {"who": who, "role": role}).content.decode()
    found = re.search(r"http://testserver(/m/[\w-]+/)", page)
    assert found is not None
    return found.group(1)


class TestInviting:
    def test_by_user_name_at_once(self, lab: Lab) -> None:
        user_new("bob")
        response = lab.ada.post(lab.url("study-members"), {"who": "bob", "role": "monitor"})
        assert response.status_code == 302
        assert "bob" in page_text(lab.ada, lab.url("study-members"))

    @pytest.mark.parametrize(
        ("who", "words"),
        [("", "Enter a user name"), ("nobody", "No researcher"), ("a@b", "valid email")],
    )
    def test_what_is_wrong_is_told_at_the_field(self, lab: Lab, who: str, words: str) -> None:
        response = lab.ada.post(lab.url("study-members"), {"who": who, "role": "monitor"})
        assert response.status_code == 400
        assert words in response.content.decode()

    def test_a_link_opens_an_account_and_the_study(self, lab: Lab) -> None:
        link, client = _invite(lab), Client()
        assert "Two debates" in page_text(client, link)
        client.post(link, {"username": "bob", "password1": _PASSWORD, "password2": _PASSWORD})
        assert "Two debates" in page_text(client, "/studies/")
        assert StudyMember.objects.get(user__username="bob").role == "analyst"
        assert Client().get(link).status_code == 404

    def test_looking_at_a_link_uses_nothing_up(self, lab: Lab) -> None:
        link = _invite(lab)
        for _ in range(3):
            Client().get(link)
            Client().head(link)
        assert MemberInvitation.objects.get().accepted_at is None

    def test_who_has_an_account_accepts_with_it(self, lab: Lab) -> None:
        link, client = _invite(lab), browser_of(user_new("bob"))
        assert client.post(link)["Location"] == lab.url("study-detail")
        assert client.get(lab.url("study-detail")).status_code == 200

    def test_a_weak_password_is_refused(self, lab: Lab) -> None:
        link = _invite(lab)
        page = Client().post(link, {"username": "bob", "password1": "1234", "password2": "1234"})
        assert page.status_code == 400
        assert not StudyMember.objects.filter(user__username="bob").exists()

    def test_a_mail_is_sent_where_the_site_can_send(
        self, lab: Lab, settings: pytest_django.Settings
    ) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        link = _invite(lab)
        assert mail.outbox[0].to == ["bob@example.org"]
        assert link in mail.outbox[0].body

    def test_an_invitation_is_taken_back(self, lab: Lab) -> None:
        link = _invite(lab)
        row = MemberInvitation.objects.get()
        lab.ada.post(lab.url("member-invitation-revoke", invitation=row.pk))
        assert Client().get(link).status_code == 404

    def test_who_takes_themselves_out_is_led_away(self, lab: Lab) -> None:
        bob = user_new("bob")
        StudyMember.objects.create(study=lab.study, user=bob, role="owner", added_at=START)
        own = StudyMember.objects.get(user__username="ada")
        response = lab.ada.post(lab.url("member-remove", member=own.pk))
        assert response["Location"] == "/studies/"
        assert lab.ada.get(lab.url("study-detail")).status_code == 404


class TestLog:
    def test_it_says_who_did_what_with_before_and_after(self, lab: Lab) -> None:
        lab.ada.post(lab.url("scenario-name", key=lab.key), {"title": "The old bridge"})
        lab.ada.post(lab.url("scenario-name", key=lab.key), {"title": "The new bridge"})
        page = page_text(lab.ada, lab.url("study-log"))
        for words in ("scenario.named", "The old bridge", "The new bridge", "ada", "not yet"):
            assert words in page
        logs_seal(now=START)
        assert "not yet" not in page_text(lab.ada, lab.url("study-log"))

    def test_a_record_is_told_line_by_line_and_opens_on_demand(self, lab: Lab) -> None:
        lab.ada.post(lab.url("study-generate"), {"preset": "offline"})
        page = page_text(lab.ada, lab.url("study-log"))
        assert "threshold_percent: 95" in page
        assert "{&#x27;" not in page

    def test_a_long_log_has_pages(self, lab: Lab) -> None:
        for number in range(60):
            lab.ada.post(lab.url("scenario-name", key=lab.key), {"title": f"Bridge {number:02}"})
        first = page_text(lab.ada, lab.url("study-log"))
        assert "Bridge 59" in first
        assert "Bridge 01" not in first
        assert "Bridge 01" in page_text(lab.ada, lab.url("study-log") + "?page=2")
