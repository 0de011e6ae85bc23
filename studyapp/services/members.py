"""Who works on a study: members added, changed and taken out, and people invited by a link.

Everything here asks the table of permissions whether the actor may govern the study.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction

from studyapp.domain.permissions import Action, Role
from studyapp.errors import MemberError, UnknownLinkError
from studyapp.models import Event, MemberInvitation, Study, StudyMember
from studyapp.services.study.record import event_log, study_locked

INVITATION_DAYS: Final = 14


@transaction.atomic
def member_add(
    *, study_id: int, username: str, role: Role, actor_id: int, now: datetime
) -> StudyMember:
    """Make somebody who has an account a member.

    Raises:
        RoleRefusedError: the actor may not govern the study.
        MemberError: nobody of this name may sign in here, or they are a member already.
    """
    study = _study_governed(study_id, actor_id)
    user = get_user_model().objects.filter(username=username, is_active=True, is_staff=True).first()
    if user is None:
        raise MemberError(f"No researcher has the user name {username!r}; invite them by e-mail.")
    member, is_new = StudyMember.objects.get_or_create(
        study=study, user=user, defaults={"role": role, "added_at": now}
    )
    if not is_new:
        raise MemberError(f"{username} is a member already, as {member.role}.")
    event_log(
        study,
        "member.added",
        now=now,
        actor_id=actor_id,
        before=None,
        after=role,
        member=username,
    )
    return member


@transaction.atomic
def member_role_set(
    *, study_id: int, member_id: int, role: Role, actor_id: int, now: datetime
) -> None:
    """Give a member another role.

    Raises:
        RoleRefusedError: the actor may not govern the study.
        MemberError: they are no member, or the study would be left without an owner.
    """
    study, member = _member_governed(study_id, member_id, actor_id)
    before = member.role
    if before == role:
        return
    if before == Role.OWNER:
        _last_owner_check(study, member)
    StudyMember.objects.filter(pk=member.pk).update(role=role)
    name = member.user.get_username()
    event_log(
        study, "member.changed", now=now, actor_id=actor_id, before=before, after=role, member=name
    )


@transaction.atomic
def member_remove(*, study_id: int, member_id: int, actor_id: int, now: datetime) -> None:
    """Take a member out.

    Raises:
        RoleRefusedError: the actor may not govern the study.
        MemberError: they are no member, or the study would be left without an owner.
    """
    study, member = _member_governed(study_id, member_id, actor_id)
    if member.role == Role.OWNER:
        _last_owner_check(study, member)
    name, before = member.user.get_username(), member.role
    member.delete()
    event_log(
        study, "member.removed", now=now, actor_id=actor_id, before=before, after=None, member=name
    )


@transaction.atomic
def member_invite(
    *, study_id: int, email: str, role: Role, token: str, actor_id: int, now: datetime
) -> MemberInvitation:
    """Store an invitation; the caller hands its token on, and nobody can read it here afterwards.

    Raises:
        RoleRefusedError: the actor may not govern the study.
    """
    study = _study_governed(study_id, actor_id)
    row = MemberInvitation.objects.create(
        study=study,
        email=email,
        role=role,
        token_digest=token_digest(token),
        invited_by_id=actor_id,
        created_at=now,
        expires_at=now + timedelta(days=INVITATION_DAYS),
    )
    # Not the address: the log is kept for good.
    event_log(
        study,
        "member.invited",
        now=now,
        actor_id=actor_id,
        before=None,
        after=role,
        invitation=row.pk,
    )
    return row


@transaction.atomic
def member_invitation_revoke(
    *, study_id: int, invitation_id: int, actor_id: int, now: datetime
) -> None:
    """Take an invitation back, and forget its address.

    Raises:
        RoleRefusedError: the actor may not govern the study.
        MemberError: there is no such invitation that is still open.
    """
    study = _study_governed(study_id, actor_id)
    waiting = MemberInvitation.objects.filter(
        pk=invitation_id, study=study, accepted_at__isnull=True, revoked_at__isnull=True
    )
    if waiting.update(revoked_at=now, email="") != 1:
        raise MemberError("There is no such invitation that is still open.")
    event_log(
        study,
        "member.uninvited",
        now=now,
        actor_id=actor_id,
        before="valid",
        after="revoked",
        invitation=invitation_id,
    )


@transaction.atomic
def member_invitation_accept(*, token: str, user_id: int, now: datetime) -> Study:
    """Make whoever holds the link a member, once. A member keeps the role they have.

    Raises:
        UnknownLinkError: no open invitation has this token.
    """
    row = _invitation_take(token, now=now)
    user = get_user_model().objects.get(pk=user_id)
    member, is_new = StudyMember.objects.get_or_create(
        study=row.study, user=user, defaults={"role": row.role, "added_at": now}
    )
    event_log(
        row.study,
        "member.joined",
        now=now,
        actor_id=user_id,
        before=None if is_new else member.role,
        after=member.role,
        invitation=row.pk,
    )
    return row.study


@transaction.atomic
def researcher_register(*, token: str, username: str, password: str, now: datetime) -> User:
    """Open an account for whoever holds the link, and make them a member.

    Raises:
        UnknownLinkError: no open invitation has this token.
        MemberError: the user name is taken.
    """
    waiting = MemberInvitation.objects.filter(token_digest=token_digest(token)).first()
    if User.objects.filter(username=username).exists():
        raise MemberError(f"The user name {username!r} is taken.")
    email = waiting.email if waiting else ""
    user = User.objects.create_user(username, email=email, password=password, is_staff=True)
    Event.objects.create(study="", kind="account.opened", payload={"actor": username}, at=now)
    member_invitation_accept(token=token, user_id=user.pk, now=now)
    return user


def token_digest(token: str) -> str:
    """Return what is stored in place of an invitation's token, which has 128 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def _invitation_take(token: str, *, now: datetime) -> MemberInvitation:
    row = (
        MemberInvitation.objects.select_related("study")
        .filter(token_digest=token_digest(token))
        .first()
    )
    if row is None:
        raise UnknownLinkError("no invitation has this link")
    waiting = MemberInvitation.objects.filter(
        pk=row.pk, accepted_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now
    )
    if waiting.update(accepted_at=now, email="") != 1:
        raise UnknownLinkError("the invitation was used, taken back, or is too old")
    return row


def _study_governed(study_id: int, actor_id: int) -> Study:
    """Lock the study, so that two owners cannot take each other out at the same moment."""
    return study_locked(study_id, actor_id=actor_id, action=Action.GOVERN)


def _member_governed(study_id: int, member_id: int, actor_id: int) -> tuple[Study, StudyMember]:
    study = _study_governed(study_id, actor_id)
    member = StudyMember.objects.select_related("user").filter(pk=member_id, study=study).first()
    if member is None:
        raise MemberError("There is no such member.")
    return study, member


def _last_owner_check(study: Study, member: StudyMember) -> None:
    owners = StudyMember.objects.filter(study=study, role=Role.OWNER, user__is_active=True)
    if not owners.exclude(pk=member.pk).exists():
        raise MemberError("A study needs an owner: make somebody else one first.")
