"""Find what is to be told and put it on its way, each occasion once."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from studyapp.domain.permissions import Action, Role, role_allows
from studyapp.models import Notice, NoticeDelivery, NoticeReader, Study, Webhook
from studyapp.selectors.occasions import Found, occasions_of, studies_with_news


def notices_sweep(*, now: datetime, sends_mail: bool) -> int:
    """Store a notice for each occasion that was not told; safe to run in several workers at once.

    Args:
        now: when.
        sends_mail: whether the site can send mail; where not, readers get no delivery.

    Returns:
        How many notices were stored.
    """
    studies = studies_with_news(now=now)
    return sum(_study_tell(study, now=now, sends_mail=sends_mail) for study in studies)


def _study_tell(study: Study, *, now: datetime, sends_mail: bool) -> int:
    found = occasions_of(study, now=now)
    if not found:
        return 0
    told = set(Notice.objects.filter(study=study).values_list("occasion", "subject"))
    fresh = [row for row in found if (row.occasion, row.subject) not in told]
    return sum(_tell(study, row, now=now, sends_mail=sends_mail) for row in fresh)


@transaction.atomic
def _tell(study: Study, found: Found, *, now: datetime, sends_mail: bool) -> bool:
    """Store a notice with its deliveries; the unique constraint decides between two workers."""
    data = {"study": study.slug, "version": study.version, **found.data}
    notice, is_new = Notice.objects.get_or_create(
        study=study,
        occasion=found.occasion,
        subject=found.subject,
        defaults={"data": data, "at": now},
    )
    if is_new:
        NoticeDelivery.objects.bulk_create(
            [*_to_webhooks(notice), *(_to_readers(notice) if sends_mail else ())]
        )
    return is_new


def _to_webhooks(notice: Notice) -> list[NoticeDelivery]:
    return [
        NoticeDelivery(notice=notice, webhook=webhook, due_at=notice.at)
        for webhook in Webhook.objects.filter(study=notice.study).order_by("pk")
        if notice.occasion in webhook.occasions
    ]


def _to_readers(notice: Notice) -> list[NoticeDelivery]:
    """Address those who asked and still may: a role can change after somebody asked."""
    readers = NoticeReader.objects.filter(
        member__study=notice.study, member__user__is_active=True
    ).exclude(member__user__email="")
    return [
        NoticeDelivery(notice=notice, reader=reader, due_at=notice.at)
        for reader in readers.select_related("member").order_by("pk")
        if notice.occasion in reader.occasions
        and role_allows(Role(reader.member.role), Action.EDIT)
    ]
