"""Members of a study: added, changed, taken out, invited; always by somebody who may govern it."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from studyapp.domain.permissions import Role
from studyapp.errors import MemberError, RoleRefusedError, UnknownLinkError
from studyapp.models import Event, MemberInvitation, Study, StudyMember
from studyapp.services.members import (
    INVITATION_DAYS,
    member_add,
    member_invitation_accept,
    member_invitation_revoke,
    member_invite,
    member_remove,
    member_role_set,
    researcher_register,
)
from studyapp.services.study import study_build
from tests.studyapp.debates import START
from tests.studyapp.lab import user_new
from tests.studyapp.racing import at_once

_TOKEN = "an-unguessable-token"  # noqa: S105 - of a test


@pytest.fixture
def ada(db: None) -> User:
    return user_new("ada")


@pytest.fixture
def study(ada: User) -> Study:
    return study_build(title="Two debates", debates=[], seed=1, owner_id=ada.pk, now=START)


def _add(study: Study, actor: User, name: str, role: Role = Role.MONITOR) -> StudyMember:
    return member_add(study_id=study.pk, username=name, role=role, actor_id=actor.pk, now=START)


def _invite(study: Study, actor: User, role: Role = Role.EDITOR) -> MemberInvitation:
    return member_invite(
        study_id=study.pk, email="bob@example.org", role=role, token=_TOKEN,
        actor_id=actor.pk, now=START,
    )  # fmt: skip


class TestMembers:
    def test_who_creates_a_study_owns_it(self, study: Study, ada: User) -> None:
        assert StudyMember.objects.get().user == ada
        assert StudyMember.objects.get().role == Role.OWNER

    def test_an_owner_adds_changes_and_takes_out(self, study: Study, ada: User) -> None:
        user_new("bob")
        member = _add(study, ada, "bob")
        member_role_set(
            study_id=study.pk, member_id=member.pk, role=Role.ANALYST, actor_id=ada.pk, now=START
        )
        member_remove(study_id=study.pk, member_id=member.pk, actor_id=ada.pk, now=START)

        told = [
            (row.kind, row.payload.get("before"), row.payload.get("after"))
            for row in Event.objects.filter(kind__startswith="member.")
        ]
        assert told == [
            ("member.added", None, "monitor"),
            ("member.changed", "monitor", "analyst"),
            ("member.removed", "analyst", None),
        ]

    @pytest.mark.parametrize("role", [Role.EDITOR, Role.MONITOR, Role.ANALYST])
    def test_nobody_else_governs(self, study: Study, ada: User, role: Role) -> None:
        bob, eve = user_new("bob"), user_new("eve")
        _add(study, ada, "bob", role)
        before = Event.objects.count()
        for actor in (bob, eve):
            with pytest.raises(RoleRefusedError):
                _add(study, actor, "eve", Role.OWNER)
            with pytest.raises(RoleRefusedError):
                _invite(study, actor, Role.OWNER)
        assert (StudyMember.objects.count(), Event.objects.count()) == (2, before)

    @pytest.mark.parametrize("name", ["nobody", "participant"])
    def test_only_a_researcher_of_this_site_can_be_added(
        self, study: Study, ada: User, name: str
    ) -> None:
        user_new("participant", is_staff=False)
        with pytest.raises(MemberError, match="No researcher has the user name"):
            _add(study, ada, name)

    def test_a_study_keeps_an_owner(self, study: Study, ada: User) -> None:
        own = StudyMember.objects.get()
        with pytest.raises(MemberError, match="needs an owner"):
            member_remove(study_id=study.pk, member_id=own.pk, actor_id=ada.pk, now=START)
        with pytest.raises(MemberError, match="needs an owner"):
            member_role_set(
                study_id=study.pk, member_id=own.pk, role=Role.EDITOR, actor_id=ada.pk, now=START
            )
        assert StudyMember.objects.get().role == Role.OWNER

    def test_a_member_of_another_study_is_no_member(self, study: Study, ada: User) -> None:
        other = study_build(title="Other", debates=[], seed=1, owner_id=user_new("z").pk, now=START)
        theirs = StudyMember.objects.get(study=other)
        with pytest.raises(MemberError, match="no such member"):
            member_remove(study_id=study.pk, member_id=theirs.pk, actor_id=ada.pk, now=START)


@pytest.mark.django_db(transaction=True)
def test_two_owners_cannot_take_each_other_out_at_the_same_moment() -> None:
    ada, bob = user_new("ada"), user_new("bob")
    study = study_build(title="Two", debates=[], seed=1, owner_id=ada.pk, now=START)
    theirs = _add(study, ada, "bob", Role.OWNER)
    mine = StudyMember.objects.get(user=ada)

    def take_out(member: StudyMember, actor: User) -> None:
        with contextlib.suppress(RoleRefusedError):
            member_remove(study_id=study.pk, member_id=member.pk, actor_id=actor.pk, now=START)

    at_once([lambda: take_out(mine, bob), lambda: take_out(theirs, ada)])
    assert StudyMember.objects.filter(study=study, role=Role.OWNER).count() == 1


class TestInvitations:
    def test_the_token_is_not_stored_and_works_once(self, study: Study, ada: User) -> None:
        row = _invite(study, ada)
        assert _TOKEN not in str(MemberInvitation.objects.values().get())
        bob = user_new("bob")
        member_invitation_accept(token=_TOKEN, user_id=bob.pk, now=START)
        assert StudyMember.objects.get(user=bob).role == Role.EDITOR
        row.refresh_from_db()
        assert row.email == ""
        with pytest.raises(UnknownLinkError):
            member_invitation_accept(token=_TOKEN, user_id=user_new("eve").pk, now=START)

    def test_it_ends_by_age_and_by_being_taken_back(self, study: Study, ada: User) -> None:
        row = _invite(study, ada)
        late = START + timedelta(days=INVITATION_DAYS)
        bob = user_new("bob")
        with pytest.raises(UnknownLinkError):
            member_invitation_accept(token=_TOKEN, user_id=bob.pk, now=late)
        member_invitation_revoke(
            study_id=study.pk, invitation_id=row.pk, actor_id=ada.pk, now=START
        )
        with pytest.raises(UnknownLinkError):
            member_invitation_accept(token=_TOKEN, user_id=bob.pk, now=START)

    def test_a_member_who_opens_one_keeps_the_role_they_have(self, study: Study, ada: User) -> None:
        _invite(study, ada, Role.MONITOR)
        member_invitation_accept(token=_TOKEN, user_id=ada.pk, now=START)
        assert StudyMember.objects.get().role == Role.OWNER

    def test_an_account_is_opened_only_with_an_invitation(self, study: Study, ada: User) -> None:
        with pytest.raises(UnknownLinkError):
            researcher_register(token=_TOKEN[1:], username="eve", password="x" * 12, now=START)
        assert not User.objects.filter(username="eve").exists()

        _invite(study, ada)
        with pytest.raises(MemberError, match="taken"):
            researcher_register(token=_TOKEN, username="ada", password="x" * 12, now=START)
        bob = researcher_register(token=_TOKEN, username="bob", password="x" * 12, now=START)
        assert (bob.is_staff, bob.is_superuser, bob.email) == (True, False, "bob@example.org")

    def test_the_log_holds_no_address(self, study: Study, ada: User) -> None:
        _invite(study, ada)
        assert "bob@example.org" not in str(list(Event.objects.values()))
