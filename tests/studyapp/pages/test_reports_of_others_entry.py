"""Faults that users of other platforms reported about coming in; none of them may occur here.

Each test carries the number of the report in the field's list of them (set A).
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from studyapp.models import Cohort, Event, Invitation, Participant, Place
from studyapp.pages.participant_arrival import preview_sign
from studyapp.selectors.cohorts import cohorts_list
from tests.sample_study import THEN
from tests.studyapp.entering import (
    entered,
    expert_study,
    invited,
    live_study,
    nothing_happened,
    panel_study,
    sent_by_panel,
)
from tests.walking import Walker

pytestmark = pytest.mark.django_db

SCANNERS = (
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0",
    "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) facebookexternalhit/1.1",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 HeadlessChrome/120.0 Safari/537.36",
    "Microsoft Office/16.0 (Outlook SafeLinks)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36",
    "",
)


def looked_at(address: str) -> None:
    """Let every scanner fetch an address, with and without what it was given the first time."""
    for agent in SCANNERS:
        kept = Client(headers={"user-agent": agent})
        for client in (kept, kept, Client(headers={"user-agent": agent})):
            assert client.get(address, follow=True).status_code == 200
            assert client.head(address, follow=True).status_code == 200
        assert client.options(address).status_code in (200, 405)


def stored() -> list[Any]:
    return [list(rows.objects.order_by("pk").values()) for rows in (Participant, Place, Event)]


def test_1_a_preview_of_a_personal_link_does_not_use_it_up() -> None:
    study = expert_study()
    invitation = invited(study)
    looked_at(f"/i/{invitation.token}/")
    invitation.refresh_from_db()
    assert (invitation.used_at, invitation.participant) == (None, None)
    assert nothing_happened()
    assert entered(f"/i/{invitation.token}/").address.endswith("/about-you/")


def test_2_fetching_a_link_twenty_times_moves_no_counter() -> None:
    study = panel_study()
    for address in (study.link, sent_by_panel(study, "a"), f"{study.link}?another=1&again=1"):
        looked_at(address)
    assert nothing_happened()
    assert not Event.objects.exists()
    assert cohorts_list(study.study.pk, now=THEN)[0].counts.taken == 0


def test_4_a_chat_that_opens_the_open_link_shows_no_participant() -> None:
    study = live_study()
    Cohort.objects.update(link_kind="open")
    looked_at(study.link)
    assert nothing_happened()


def test_4_a_scanner_that_follows_every_link_of_the_pages_changes_nothing() -> None:
    study = panel_study()
    walker = entered(sent_by_panel(study, "a")).walk_to("", "/reports/")
    before, seen, queue = stored(), set[str](), [walker.address, study.link]
    while queue:
        address = queue.pop()
        page = Walker().get(address)
        seen.add(address)
        if page.response.headers.get("Content-Type", "").startswith("text/html"):
            ours = {link.partition("#")[0] for link in page.page.links if link.startswith("/")}
            queue += sorted(ours - seen - set(queue))
    assert len(seen) > 5
    assert stored() == before


def test_5_two_tabs_of_an_open_link_are_one_participant() -> None:
    study = live_study()
    Cohort.objects.update(link_kind="open")
    one = Walker().get(study.link)
    other = Walker(client=one.client).get(study.link)
    assert one.send().address == other.send().address
    assert Participant.objects.count() == 1


def test_6_the_same_person_of_a_panel_in_another_browser_is_one_row() -> None:
    study = panel_study()
    first = entered(sent_by_panel(study, "a")).walk_to("", "/debate/")
    drawn = list(Participant.objects.get().assignments.values_list("scenario", "treatment_is_left"))
    again = Walker().get(sent_by_panel(study, "a"))
    assert "Welcome back" in again.html
    assert again.send().address == first.address
    person = Participant.objects.get()
    assert list(person.assignments.values_list("scenario", "treatment_is_left")) == drawn


def test_8_who_left_at_page_two_lands_on_page_two() -> None:
    study = panel_study()
    first = entered(sent_by_panel(study, "a"))
    assert first.address.endswith("/about-you/")
    assert first.get(sent_by_panel(study, "a")).address == first.address
    elsewhere = Walker().get(sent_by_panel(study, "a")).send()
    assert elsewhere.address == first.address


@pytest.mark.parametrize("query", ["", "?", "?STUDY_ID=st", "?PROLIFIC_PID=", "?PROLIFIC_PID=%20"])
def test_10_a_panel_link_without_its_parameters_is_a_friendly_page(query: str) -> None:
    study = panel_study()
    walker = Walker().get(f"{study.link}{query}")
    assert walker.status == 200
    assert "Your participant ID is missing" in walker.html
    assert nothing_happened()


def test_11_a_missing_id_is_asked_for_and_never_taken_for_a_preview() -> None:
    study = panel_study()
    walker = Walker().get(study.link)
    assert 'name="PROLIFIC_PID"' in walker.html
    assert "agree" not in walker.html
    # A consent that was sent nevertheless, with a seal that names nobody:
    sealed = Walker().get(f"{study.link}?preview=forged")
    assert sealed.status == 400
    typed = Walker().get(f"{study.link}?PROLIFIC_PID=5f00").send()
    assert typed.address.endswith("/about-you/")
    person = Participant.objects.get()
    assert (person.external_id, person.is_test) == ("5f00", False)


@pytest.mark.parametrize("way", ["preview", "unreplaced"])
def test_13_tests_are_marked_and_take_no_live_place(way: str) -> None:
    study = panel_study(quota=1)
    address = sent_by_panel(study, "{{%PROLIFIC_PID%}}", session="{{%SESSION_ID%}}")
    if way == "preview":
        address = f"{study.link}?preview={preview_sign(study.cohort.token)}"
    walker = Walker().get(address)
    assert "Test link." in walker.html
    walker.send()
    assert "The answers given here are marked as test data." in walker.html
    person = Participant.objects.get()
    assert (person.is_test, person.external_id, person.captured.get("SESSION_ID")) == (
        True,
        "",
        None,
    )
    assert Cohort.objects.get().enrolled == 0
    assert cohorts_list(study.study.pk, now=THEN)[0].counts.test == 1
    assert entered(sent_by_panel(study, "a")).address.endswith("/about-you/")


def test_14_who_left_before_consent_is_nobody_and_may_come_again() -> None:
    study = panel_study()
    Walker().get(sent_by_panel(study, "a"))
    assert nothing_happened()
    assert entered(sent_by_panel(study, "a")).address.endswith("/about-you/")


def test_15_reloading_the_consent_page_keeps_the_door_open() -> None:
    study = panel_study()
    walker = Walker()
    for _ in range(3):
        walker.get(sent_by_panel(study, "a"))
    assert walker.send().address.endswith("/about-you/")


@pytest.mark.parametrize("by", ["panel", "invitation", "link"])
def test_17_blocked_cookies_are_told_at_consent_before_anything_is_typed(by: str) -> None:
    if by == "invitation":
        address = f"/i/{invited(expert_study()).token}/"
    else:
        study = panel_study() if by == "panel" else live_study()
        address = sent_by_panel(study, "a")
    walker = Walker().get(address)
    assert "data-no-cookies" in walker.html
    walker.client.cookies.clear()
    walker.send()
    assert walker.status == 403
    assert "your browser blocks cookies for this site" in walker.html
    assert nothing_happened()
    # With cookies, the page that came back still knows who came and that they agreed.
    walker.send()
    assert walker.address.endswith("/about-you/")
    person = Participant.objects.get()
    assert person.external_id == ("a" if by == "panel" else "")
    assert Invitation.objects.filter(participant=person).exists() == (by == "invitation")
