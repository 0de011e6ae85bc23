"""Somebody withdraws on one device, and another still knows their place or shows an old form."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import cache

from studyapp.models import Cohort, Participant
from tests.sample_study import SampleStudy
from tests.studyapp.entering import live_study, panel_study, sent_by_panel
from tests.walking import Walker

pytestmark = pytest.mark.django_db
NOTICE = "What was stored before is deleted"


def by_browser() -> str:
    return live_study().link


def by_open_link() -> str:
    study = live_study()
    Cohort.objects.update(link_kind="open")
    return study.link


def by_panel() -> str:
    return sent_by_panel(panel_study(), "ann")


DOORS = pytest.mark.parametrize("door", [by_browser, by_open_link, by_panel])


def withdrawn_elsewhere(person: Participant) -> None:
    """Withdraw with the receipt code, in a browser of its own."""
    cache.clear()
    other = Walker().get("/rights/")
    sent = {**other.page.forms[0].values, "code": person.receipt}
    other.client.post("/rights/", {**sent, "action": "withdraw", "sure": "yes"})
    assert not Participant.objects.filter(pk=person.pk).exists()


@DOORS
def test_an_old_form_brings_neither_link_nor_code_back(door: Callable[[], str]) -> None:
    walker = Walker().get(door())
    address, agreed = walker.address.partition("?")[0], walker.filled()
    walker.send()
    gone = Participant.objects.get()
    withdrawn_elsewhere(gone)
    walker.response = walker.client.post(address, agreed)
    walker.address = address
    assert (walker.status, Participant.objects.count()) == (409, 0)
    assert NOTICE in walker.html
    assert "agree" not in walker.page.forms[0].chosen
    assert walker.send().address.endswith("/about-you/")
    anew = Participant.objects.get()
    assert anew.external_id == gone.external_id
    assert anew.token != gone.token
    assert anew.receipt != gone.receipt


@DOORS
def test_the_link_says_that_what_was_stored_is_gone(door: Callable[[], str]) -> None:
    link = door()
    walker = Walker().get(link).send()
    withdrawn_elsewhere(Participant.objects.get())
    assert NOTICE in walker.get(link).html
    assert walker.send().address.endswith("/about-you/")
    assert NOTICE not in Walker().get(link).html


def test_a_panel_s_person_who_is_known_in_another_cohort_is_not_told_so() -> None:
    study: SampleStudy = panel_study()
    first = Cohort.objects.get()
    second = Cohort.objects.create(
        study=first.study, name="more", link_kind=first.link_kind, panel=first.panel
    )
    walker = Walker().get(sent_by_panel(study, "ann")).send()
    known = sent_by_panel(SampleStudy(study.study, second), "ann")
    walker.get(known).send()
    assert NOTICE not in walker.get(f"/s/{second.token}/").html
