"""Invite people by name: each gets a link of their own, which can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from studyapp.domain.invitations import InvitationPlan
from studyapp.domain.permissions import Action
from studyapp.errors import EntryRefusedError
from studyapp.models import Cohort, Invitation, LinkKind, Participant
from studyapp.services.study.record import event_log, role_check


@transaction.atomic
def invitations_create(
    *, cohort_id: int, plans: Sequence[InvitationPlan], actor_id: int | None, now: datetime
) -> int:
    """Create one personal link for each person and return how many; names stay out of the log.

    Raises:
        EntryRefusedError: the cohort is not entered by personal links.
    """
    cohort = Cohort.objects.select_related("study").get(pk=cohort_id)
    role_check(cohort.study, actor_id=actor_id, action=Action.EDIT)
    if cohort.link_kind != LinkKind.PERSONAL:
        raise EntryRefusedError(f"cohort {cohort.name} has one link, no personal ones")
    created = Invitation.objects.bulk_create(
        Invitation(
            cohort=cohort,
            name=plan.name,
            role=plan.role,
            experience_years=plan.experience_years,
            credential=plan.credential,
            created_at=now,
        )
        for plan in plans
    )
    event_log(
        cohort.study,
        "invitations.created",
        now=now,
        actor_id=actor_id,
        before=None,
        after=len(created),
        cohort=cohort.name,
    )
    return len(created)


@transaction.atomic
def invitation_revoke(
    *, cohort_id: int, invitation_id: int, actor_id: int | None, now: datetime
) -> None:
    """Take a personal link back: it lets nobody in, and nobody back. What was answered stays.

    Raises:
        EntryRefusedError: the link is not this cohort's, or was taken back before.
    """
    cohort = Cohort.objects.select_related("study").get(pk=cohort_id)
    role_check(cohort.study, actor_id=actor_id, action=Action.EDIT)
    live = Invitation.objects.filter(cohort=cohort_id, pk=invitation_id, revoked_at__isnull=True)
    if live.update(revoked_at=now) != 1:
        raise EntryRefusedError("this invitation was taken back before")
    event_log(
        cohort.study,
        "invitation.revoked",
        now=now,
        actor_id=actor_id,
        before="valid",
        after="revoked",
        cohort=cohort.name,
        invitation=invitation_id,
    )


def invitation_use(*, token: str, cohort: Cohort, participant: Participant, now: datetime) -> None:
    """Give an invitation to whoever consented through it, once; call in a transaction.

    Raises:
        EntryRefusedError: there is no such invitation, it was taken back, or it was used before.
    """
    unused = Invitation.objects.filter(
        token=token, cohort=cohort, revoked_at__isnull=True, used_at__isnull=True
    )
    if unused.update(participant=participant, used_at=now) != 1:
        raise EntryRefusedError("this invitation was used before, or it was taken back")
