"""Role by address, one's own study and another's: a stranger gets nothing, not even existence."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest
from django.contrib.messages import get_messages
from django.db import transaction
from django.test import Client

from studyapp.domain.permissions import ALLOWED, Action, Role
from studyapp.models import Event, StudyMember
from studyapp.pages.researcher_access import PAGE_ACTIONS, page_action
from studyapp.selectors.permissions import actions_of, may, role_of
from studyapp.services.study import study_build
from tests.studyapp.debates import START
from tests.studyapp.lab import Lab, browser_of, user_new
from tests.studyapp.pages.addresses import Address, addresses

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(180)]

# Which roles open which address. Written out, so that it can be read and argued about.
O, E, M, A = Role.OWNER, Role.EDITOR, Role.MONITOR, Role.ANALYST  # noqa: E741 - columns
MATRIX: Final[dict[str, set[Role]]] = {
    "study-detail": {O, E, M, A},
    "study-live": {O, E, M, A},
    "study-watch": {O, E, M, A},
    "watch-live": {O, E, M, A},
    "study-log": {O, E, A},
    "study-notices": {O, E},
    "notices-mail": {O, E},
    "webhook-create": {O, E},
    "webhook-detail": {O, E},
    "webhook-test": {O, E},
    "webhook-remove": {O, E},
    "study-members": {O},
    "study-retention": {O},
    "member-role": {O},
    "member-remove": {O},
    "member-invitation-revoke": {O},
    "study-generate": {O, E},
    "study-open": {O, E},
    "study-pause": {O, E},
    "study-close": {O, E},
    "study-pilot": {O, E},
    "study-redraft": {O, E},
    "study-archive": {O, E},
    "version-create": {O, E},
    "pairs-load": {O, E},
    "preregistration": {O, E, A},
    "study-export": {O, A},
    "study-exports": {O, A},
    "exports-live": {O, A},
    "export-request": {O, A},
    "export-file": {O, A},
    "arm-key-unseal": {O},
    "debates-add": {O, E},
    "study-share": {O, E, A},
    "committee-create": {O, E},
    "trial-create": {O, E},
    "debate-detail": {O, E, A},
    "debate-live": {O, E, A},
    "debate-cancel": {O, E},
    "debate-retry": {O, E},
    "debate-take": {O, E},
    "study-words": {O, E, A},
    "words-preview": {O, E, A},
    "words-edit": {O, E},
    "translation-remove": {O, E},
    "study-preview": {O, E},
    "cohort-create": {O, E},
    "cohort-detail": {O, E},
    "cohort-code": {O, E},
    "cohort-move": {O, E},
    "cohort-remove": {O, E},
    "invitations-add": {O, E},
    "invitations-file": {O, E},
    "invitation-code": {O, E},
    "invitation-revoke": {O, E},
    "study-report": {O, A},
    "report-live": {O, A},
    "report-request": {O, A},
    "report-read": {O, A},
    "report-file": {O, A},
    "scenario-name": {O, E},
    "scenario-remove": {O, E},
    "trace-detail": {O, E, A},
    "pair-detail": {O, E, A},
    "run-detail": {O, E, A},
    "run-live": {O, E, A},
    "run-cancel": {O, E},
    "run-retry": {O, E},
}
# Nothing was built, so there is nothing to send, whoever asks.
_NOT_THERE: Final = {"export-file", "preregistration"}


@pytest.fixture
def table(lab: Lab) -> list[Address]:
    lab.generate()
    return list(addresses(lab))


def _asked(client: Client, address: Address) -> int:
    """Ask, and take back whatever it did."""
    with transaction.atomic():
        response = getattr(client, address.method)(address.path)
        transaction.set_rollback(True)
    if response.streaming:
        # Reading to the end closes the file; closing the response would close the database too.
        b"".join(response.streaming_content)
    return int(response.status_code)


def test_every_address_has_its_row(table: list[Address]) -> None:
    decided = {name: {role for role in Role if page_action(name) in ALLOWED[role]}
               for name in {address.name for address in table}}  # fmt: skip
    assert decided == MATRIX


def test_a_page_that_nobody_has_decided_about_is_for_owners() -> None:
    assert {role for role in Role if page_action("a-new-page") in ALLOWED[role]} == {O}


@pytest.mark.parametrize("role", list(Role))
def test_a_member_gets_what_the_role_allows(lab: Lab, table: list[Address], role: Role) -> None:
    user = user_new("member")
    StudyMember.objects.create(study=lab.study, user=user, role=role, added_at=START)
    client = browser_of(user)

    for address in table:
        status = _asked(client, address)
        allowed = role in MATRIX[address.name]
        if not allowed:
            assert status == 403, address
        elif address.name not in _NOT_THERE:
            assert status not in (403, 404), (address, status)


def test_a_stranger_learns_nothing(lab: Lab, table: list[Address]) -> None:
    stranger, visitor = browser_of(user_new("bob")), browser_of(user_new("eve", is_staff=False))
    events = Event.objects.count()
    seen: Counter[tuple[str, int]] = Counter()

    for address in table:
        missing = Address(
            address.name, address.method, address.path.replace("/two-debates/", "/no-such-study/")
        )
        seen["stranger", _asked(stranger, address)] += 1
        seen["stranger, no such study", _asked(stranger, missing)] += 1
        seen["no researcher", _asked(visitor, address)] += 1
        seen["nobody", _asked(Client(), address)] += 1

    number = len(table)
    assert seen == {
        ("stranger", 404): number,
        ("stranger, no such study", 404): number,
        ("no researcher", 403): number,
        ("nobody", 302): number,
    }
    assert Event.objects.count() == events


def test_what_a_stranger_reads_is_the_same_whether_the_study_exists(
    lab: Lab, table: list[Address]
) -> None:
    stranger = browser_of(user_new("bob"))
    there = stranger.get(lab.url("study-detail"))
    missing = stranger.get("/studies/no-such-study/")
    assert there.content == missing.content
    assert dict(there.headers) == dict(missing.headers)


def test_a_member_of_one_study_is_a_stranger_to_the_others(lab: Lab, table: list[Address]) -> None:
    bob = user_new("bob")
    study_build(title="Bob's", debates=[], seed=1, owner_id=bob.pk, now=START)
    client = browser_of(bob)
    assert {_asked(client, address) for address in table} == {404}


def test_the_one_place_answers_for_services_too(lab: Lab) -> None:
    member, stranger = user_new("member"), user_new("bob")
    root, gone = user_new("root", is_superuser=True), user_new("gone")
    StudyMember.objects.create(study=lab.study, user=member, role=M, added_at=START)
    StudyMember.objects.create(study=lab.study, user=gone, role=O, added_at=START)
    gone.is_active = False
    gone.save()

    assert actions_of(member, lab.study.pk) == {Action.WATCH}
    assert may(root, lab.study.pk, Action.GOVERN)
    for nobody in (stranger, gone):
        assert role_of(nobody, lab.study.pk) is None
        assert not any(may(nobody, lab.study.pk, action) for action in Action)


def test_no_listed_page_is_forgotten_by_its_address() -> None:
    assert set(MATRIX) <= set(PAGE_ACTIONS)


def test_every_button_that_did_something_left_a_line_with_its_actor(
    lab: Lab, table: list[Address]
) -> None:
    done: list[str] = []
    silent: list[str] = []
    for address in table:
        if address.method == "post":
            # What an earlier button said is still waiting to be shown.
            lab.ada.cookies.pop("messages", None)
            with transaction.atomic():
                before = Event.objects.filter(payload__actor="ada").count()
                response = lab.ada.post(address.path, {"role": "editor", "title": "A bridge"})
                if response.streaming:
                    b"".join(response.streaming_content)  # type: ignore[attr-defined]
                told = {message.level_tag for message in get_messages(response.wsgi_request)}
                grew = Event.objects.filter(payload__actor="ada").count() > before
                transaction.set_rollback(True)
            if "success" in told:
                (done if grew else silent).append(address.name)
    # Every scenario of the lab has its texts, so nothing was left to generate.
    assert silent == ["study-generate"]
    assert len(done) >= 6, done
