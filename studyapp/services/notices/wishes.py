"""When a study counts as stalled, and who wants mail on which occasions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from studyapp.domain.occasions import StallRule, occasions_read, rule_check
from studyapp.domain.permissions import Action
from studyapp.errors import NoticeError
from studyapp.models import NoticeReader, NoticeRule, StudyMember
from studyapp.services.study.record import event_log, study_locked


@transaction.atomic
def rule_set(*, study_id: int, rule: StallRule, actor_id: int | None, now: datetime) -> None:
    """Say when a live study counts as stalled or stuck.

    Raises:
        RoleRefusedError: the actor may not edit the study.
        NoticeError: a number is out of its range.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    rule_check(rule)
    before = NoticeRule.objects.filter(study=study).first()
    NoticeRule.objects.update_or_create(
        study=study, defaults={"stall_hours": rule.hours, "stuck_people": rule.people}
    )
    event_log(
        study,
        "notices.rule_set",
        now=now,
        actor_id=actor_id,
        before=_record(StallRule(before.stall_hours, before.stuck_people)) if before else None,
        after=_record(rule),
    )


@transaction.atomic
def mail_set(*, study_id: int, actor_id: int, occasions: Iterable[str], now: datetime) -> None:
    """Say on which occasions the actor wants mail about a study; on none is no mail.

    Raises:
        RoleRefusedError: the actor may not edit the study.
        NoticeError: they are no member, or there is no such occasion.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    wanted = occasions_read(occasions)
    member = StudyMember.objects.filter(study=study, user_id=actor_id).first()
    if member is None:
        raise NoticeError("Mail goes to members of the study, and you are none.")
    before = NoticeReader.objects.filter(member=member).first()
    if wanted:
        NoticeReader.objects.update_or_create(member=member, defaults={"occasions": wanted})
    else:
        NoticeReader.objects.filter(member=member).delete()
    event_log(
        study,
        "notices.mail_set",
        now=now,
        actor_id=actor_id,
        before=before.occasions if before else [],
        after=wanted,
    )


def _record(rule: StallRule) -> dict[str, int]:
    return {"hours": rule.hours, "people": rule.people}
