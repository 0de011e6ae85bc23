"""A link that others may know, as a panel's or an invitation's, opens nobody's data by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from studyapp.models import Draft, EvidenceLink, Participant, Response, Study
from studyapp.pages.place_cookie import place_cookie_name
from tests.studyapp.entering import expert_study, invited, live_study, panel_study, sent_by_panel
from tests.walking import Walker

pytestmark = pytest.mark.django_db


def _from_panel() -> str:
    return sent_by_panel(panel_study(), "P-1")


def _invited() -> str:
    return f"/i/{invited(expert_study()).token}/"


DOORS = pytest.mark.parametrize("door", [_from_panel, _invited])


def _intruder(link: str) -> Walker:
    """Come by the same link in another browser, and take the place as its holder would."""
    walker = Walker().get(link)
    return walker.send() if walker.address == link else walker


@DOORS
@pytest.mark.parametrize("action", ["show", "json", "csv", "withdraw"])
def test_the_link_alone_shows_and_deletes_nothing(door: Callable[[], str], action: str) -> None:
    link = door()
    Walker().walk(link)
    person = Participant.objects.get()
    walker = _intruder(link)
    assert walker.address.startswith(f"/p/{person.token}/")
    walker.get(f"/p/{person.token}/rights/")
    sent = {**walker.page.forms[0].values, "action": action, "sure": "yes"}
    answer = walker.client.post(f"/p/{person.token}/rights/", sent)
    assert answer.status_code == 403
    assert "Receipt code" in answer.content.decode()
    assert "is sure" not in answer.content.decode()
    assert "Content-Disposition" not in answer
    assert Participant.objects.get().completed_at is not None


@DOORS
def test_no_page_tells_the_receipt_code_to_whoever_comes_by_the_link(
    door: Callable[[], str],
) -> None:
    link = door()
    holder = Walker().get(link).send()
    person = Participant.objects.get()
    assert person.receipt in holder.html
    walker = _intruder(link)
    assert walker.address == holder.address
    for page in ("", "receipt/", "later/", "rights/"):
        assert person.receipt not in walker.get(f"/p/{person.token}/{page}").html
    Walker().walk(f"/p/{person.token}/")
    assert person.receipt not in walker.get(f"/p/{person.token}/thanks/").html


@DOORS
def test_the_browser_in_which_they_agreed_needs_no_code(door: Callable[[], str]) -> None:
    walker = Walker().get(door()).send()
    person = Participant.objects.get()
    assert person.receipt in walker.get(f"/p/{person.token}/receipt/").html
    walker.get(f"/p/{person.token}/rights/")
    sent = {**walker.page.forms[0].values, "action": "withdraw", "sure": "yes"}
    walker.client.post(walker.address, sent)
    assert not Participant.objects.exists()


@DOORS
def test_the_code_opens_the_same_in_any_browser(door: Callable[[], str]) -> None:
    Walker().get(door()).send()
    person = Participant.objects.get()
    walker = Walker().get(f"/p/{person.token}/rights/")
    sent = {**walker.page.forms[0].values, "code": person.receipt, "action": "withdraw"}
    walker.client.post("/rights/", {**sent, "sure": "yes"})
    assert not Participant.objects.exists()


@DOORS
@pytest.mark.parametrize("made_up", ["{token}", "{token}:", "{token}:aaaa", "withdrawn"])
def test_a_made_up_cookie_is_no_proof(door: Callable[[], str], made_up: str) -> None:
    Walker().get(door()).send()
    person = Participant.objects.get()
    walker = Walker()
    name = place_cookie_name(person.cohort.token)
    walker.client.cookies[name] = made_up.format(token=person.token)
    assert person.receipt not in walker.get(f"/p/{person.token}/receipt/").html
    assert "Taking part" not in walker.get(f"/p/{person.token}/rights/").html


@pytest.mark.parametrize("page", ["/about-you/", "/reports/"])
def test_answers_cannot_be_found_out_by_sending_guesses(page: str) -> None:
    link = _from_panel()
    holder = Walker().walk_to(link, page)
    address, form = holder.address, holder.filled()
    holder.send()
    assert holder.client.post(address, form).status_code == 302
    intruder = _intruder(link)
    form["csrfmiddlewaretoken"] = intruder.filled()["csrfmiddlewaretoken"]
    assert intruder.client.post(address, form).status_code == 409


def test_coming_again_by_the_panel_s_link_keeps_the_proof() -> None:
    study = panel_study()
    walker = Walker().get(sent_by_panel(study, "P-1")).send()
    walker.get(sent_by_panel(study, "P-1", session="s2")).send()
    person = Participant.objects.get()
    assert person.receipt in walker.get(f"/p/{person.token}/receipt/").html


def test_an_untrusted_form_shows_nothing_either() -> None:
    Walker().walk(_from_panel())
    person = Participant.objects.get()
    answer: Any = Walker().client.post(f"/p/{person.token}/rights/", {"action": "show"})
    assert answer.status_code == 403
    assert "P-1" not in answer.content.decode()


# What is entered and not yet sent -------------------------------------------------------------


def _rating(door: Callable[[], str]) -> tuple[str, Walker]:
    """Let the holder enter half of the answers, and a mark, and send nothing."""
    link = door()
    Study.objects.update(rules={"evidence_links": True})
    holder = Walker().walk_to(link, "/reports/")
    data = {**holder.filled(), "comment": "Between us", "action": "later"}
    holder.client.post(holder.address, data)
    _marked(holder, "T2:left:supports")
    return link, holder.get(holder.address)


def _marked(walker: Walker, mark: str) -> str:
    token = walker.page.forms[0].values["csrfmiddlewaretoken"]
    address = walker.address.replace("/reports/", "/mark/")
    answer = walker.client.post(address, {"mark": mark}, headers={"x-csrftoken": token})
    return str(answer.content.decode())


def _drafted(walker: Walker, text: str) -> int:
    address = walker.address.replace("/reports/", "/draft/")
    return int(walker.client.post(address, {**walker.filled(), "comment": text}).status_code)


@DOORS
def test_what_is_not_sent_is_shown_in_no_other_browser(door: Callable[[], str]) -> None:
    link, holder = _rating(door)
    assert "Between us" in holder.html
    assert 'data-mark="T2:left:supports"' in holder.html
    other = _intruder(link)
    assert other.address == holder.address
    assert "Between us" not in other.html
    assert 'data-mark="T2:left:supports"' not in other.html
    assert "checked" not in other.html
    assert "entered on this page in another browser" in other.html
    assert "T2:left" not in _marked(other, "T3:right:supports").replace("turn-", "")


@DOORS
def test_another_browser_keeps_its_own_draft_and_takes_none_away(door: Callable[[], str]) -> None:
    link, holder = _rating(door)
    other = _intruder(link)
    assert _drafted(other, "From the train") == 204
    assert "From the train" in other.get(other.address).html
    assert "Between us" not in other.html
    third = _intruder(link)
    assert "From the train" not in third.html
    assert {row.answers["comment"] for row in Draft.objects.all()} == {
        "Between us",
        "From the train",
    }
    assert "From the train" in holder.get(holder.address).html


@DOORS
def test_another_browser_that_sends_ends_every_draft(door: Callable[[], str]) -> None:
    link, _holder = _rating(door)
    other = _intruder(link)
    _drafted(other, "From the train")
    other.send(comment="From the train")
    assert Response.objects.get(measure="comment").value == "From the train"
    assert not Draft.objects.exists()
    assert EvidenceLink.objects.count() == 1


@DOORS
def test_the_receipt_code_opens_the_draft_in_another_browser(door: Callable[[], str]) -> None:
    link, holder = _rating(door)
    person = Participant.objects.get()
    other = _intruder(link)
    other.get(f"/p/{person.token}/receipt/").send(code=" bbbb ")
    assert other.status == 400
    assert "not the code of this receipt" in other.html
    other.send(code=person.receipt.lower())
    assert other.address == holder.address
    assert "Between us" in other.html
    assert 'data-mark="T2:left:supports"' in other.html
    assert person.receipt in other.get(f"/p/{person.token}/receipt/").html


@DOORS
def test_somebody_else_s_receipt_code_opens_no_draft(door: Callable[[], str]) -> None:
    link, holder = _rating(door)
    person = Participant.objects.get()
    stranger = Participant.objects.create(
        study=person.study, cohort=person.cohort, enrolment=99, consented_at=person.consented_at,
        receipt_digest="0" * 64,
    )  # fmt: skip
    other = _intruder(link).get(f"/p/{person.token}/receipt/").send(code=stranger.receipt)
    assert other.status == 400
    assert "Between us" not in other.get(holder.address).html


def test_a_private_link_brings_its_draft_along_to_any_device() -> None:
    holder = Walker().walk_to(live_study().link, "/reports/")
    assert _drafted(holder, "Half a thought") == 204
    other = Walker().get(f"/p/{Participant.objects.get().token}/")
    assert other.address == holder.address
    assert "Half a thought" in other.html
