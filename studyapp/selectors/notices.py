"""What a study's people and programs are told: webhooks, mail, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from studyapp.domain.occasions import Occasion
from studyapp.domain.webhook_rules import url_origin
from studyapp.models import Notice, NoticeDelivery, NoticeReader, StudyMember, Webhook
from studyapp.selectors.notice_words import LABELS
from studyapp.selectors.rows import Rows


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """One webhook; `last` is the newest delivery to it."""

    id: int
    url: str
    origin: str
    description: str
    occasions: tuple[str, ...]
    created_at: datetime
    last: DeliveryRow | None

    @property
    def labels(self) -> tuple[str, ...]:
        """On which occasions it is told, in the reader's language."""
        return tuple(str(LABELS[Occasion(name)]) for name in self.occasions)


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """One notice on its way; `to` is a webhook's host or a member's name."""

    id: int
    occasion: str
    to: str
    state: str
    attempts: int
    at: datetime
    due_at: datetime | None
    ended_at: datetime | None
    last_status: int | None
    last_error: str

    @property
    def label(self) -> str:
        """What happened, in the reader's language."""
        return str(LABELS[Occasion(self.occasion)])


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """One thing that was told, and to whom."""

    occasion: str
    data: Mapping[str, Any]
    at: datetime
    deliveries: tuple[DeliveryRow, ...]

    @property
    def details(self) -> tuple[tuple[str, Any], ...]:
        """What was told beside its name, without the study, on whose page it stands."""
        left_out = ("study", "version")
        return tuple((key, value) for key, value in self.data.items() if key not in left_out)

    @property
    def label(self) -> str:
        """What happened, in the reader's language."""
        return str(LABELS[Occasion(self.occasion)])


@dataclass(frozen=True, slots=True)
class MailWish:
    """On which occasions somebody wants mail; `address` is empty where they have none."""

    occasions: tuple[str, ...]
    address: str


def webhooks_rows(study_id: int) -> Rows[WebhookRow]:
    """Return a study's webhooks, oldest first."""
    return Rows(Webhook.objects.filter(study_id=study_id).order_by("pk"), _webhook_row)


def webhook_find(study_id: int, webhook_id: int) -> WebhookRow | None:
    """Return a webhook, if it is one of the study's."""
    row = Webhook.objects.filter(study_id=study_id, pk=webhook_id).first()
    return None if row is None else _webhook_row(row)


def deliveries_rows(webhook_id: int) -> Rows[DeliveryRow]:
    """Return the deliveries to a webhook, newest first."""
    return Rows(_of_webhook(webhook_id), _delivery_row)


def notices_rows(study_id: int) -> Rows[NoticeRow]:
    """Return what was told about a study, newest first."""
    rows = Notice.objects.filter(study_id=study_id).order_by("-pk")
    return Rows(rows.prefetch_related(*_WITH_READERS), _notice_row)


def mail_wish(study_id: int, user_id: int) -> MailWish | None:
    """Return what somebody wants mail about; None where they are no member."""
    member = StudyMember.objects.filter(study_id=study_id, user_id=user_id)
    found = member.select_related("user").first()
    if found is None:
        return None
    reader = NoticeReader.objects.filter(member=found).first()
    return MailWish(tuple(reader.occasions) if reader else (), found.user.email)


_WITH_READERS: Final = ("deliveries__webhook", "deliveries__reader__member__user")


def _of_webhook(webhook_id: int) -> QuerySet[NoticeDelivery]:
    rows = NoticeDelivery.objects.filter(webhook_id=webhook_id)
    return rows.select_related("notice", "webhook").order_by("-pk")


def _webhook_row(row: Webhook) -> WebhookRow:
    last = _of_webhook(row.pk).first()
    return WebhookRow(
        id=row.pk,
        url=row.url,
        origin=url_origin(row.url),
        description=row.description,
        occasions=tuple(row.occasions),
        created_at=row.created_at,
        last=_delivery_row(last) if last else None,
    )


def _notice_row(row: Notice) -> NoticeRow:
    deliveries = tuple(_delivery_row(delivery, row) for delivery in row.deliveries.all())
    return NoticeRow(row.occasion, row.data, row.at, deliveries)


def _delivery_row(row: NoticeDelivery, notice: Notice | None = None) -> DeliveryRow:
    is_waiting = row.state == "waiting"
    told = notice or row.notice
    return DeliveryRow(
        id=row.pk,
        occasion=told.occasion,
        to=_to(row),
        state=row.state,
        attempts=row.attempts,
        at=told.at,
        due_at=row.due_at if is_waiting else None,
        ended_at=row.ended_at,
        last_status=row.last_status,
        last_error=row.last_error,
    )


def _to(row: NoticeDelivery) -> str:
    if row.webhook is not None:
        return row.webhook.description or url_origin(row.webhook.url)
    return str(row.reader.member.user.get_username()) if row.reader else ""
