"""Send what is on its way: claimed by one worker, tried again after growing pauses, then given up.

A message is sent at least once. Its id stays the same, so that a receiver can tell a repetition.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Final, Protocol

from django.conf import settings

from studyapp.domain.occasions import MAX_ATTEMPTS, pause_after
from studyapp.domain.webhook_rules import signature
from studyapp.errors import WebhookAddressError, WebhookUnreachableError
from studyapp.models import DeliveryState, NoticeDelivery
from studyapp.selectors.notice_words import mail_subject, mail_text
from studyapp.services.notices.webhooks import webhook_secret

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
_SWEEP_LIMIT: Final = 100
_GAVE_UP: Final = "the worker stopped in the middle of the last attempt"


class Post(Protocol):
    """How a message goes to a webhook (studyapp.seams.webhooks)."""

    def __call__(self, url: str, *, body: bytes, headers: dict[str, str], private: bool) -> int:
        """Send it and return the status of the answer."""


class Mail(Protocol):
    """How a mail is sent; raises OSError where it cannot be."""

    def __call__(self, subject: str, text: str, *, to: str) -> None:
        """Send it."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    is_delivered: bool
    status: int | None = None
    error: str = ""
    is_final: bool = False


def deliveries_sweep(*, now: datetime) -> list[int]:
    """Name the deliveries that are due, and give up those whose last attempt never ended."""
    due = NoticeDelivery.objects.filter(state=DeliveryState.WAITING, due_at__lte=now)
    due.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=DeliveryState.FAILED, ended_at=now, last_error=_GAVE_UP
    )
    return list(due.order_by("due_at").values_list("pk", flat=True)[:_SWEEP_LIMIT])


def delivery_attempt(*, delivery_id: int, now: Clock, post: Post, mail: Mail) -> None:
    """Try to deliver once; a doubled message finds nothing to do.

    Not one transaction on purpose: a receiver may take seconds to answer.
    """
    delivery = _claim(delivery_id, now=now())
    if delivery is None:
        logger.info("delivery %s is not to be had: ended, not due, or in other hands", delivery_id)
        return
    outcome = (
        _to_webhook(delivery, post, now=now()) if delivery.webhook else _to_reader(delivery, mail)
    )
    _store(delivery, outcome, now=now())


def _claim(delivery_id: int, *, now: datetime) -> NoticeDelivery | None:
    """Count the attempt and say when the next is due: from then on it is this worker's."""
    rows = NoticeDelivery.objects.select_related("notice__study", "webhook", "reader__member__user")
    row = rows.filter(pk=delivery_id).first()
    if row is None or row.attempts >= MAX_ATTEMPTS:
        return None
    attempts = row.attempts + 1
    free = NoticeDelivery.objects.filter(
        pk=row.pk, state=DeliveryState.WAITING, attempts=row.attempts, due_at__lte=now
    )
    if free.update(attempts=attempts, due_at=now + pause_after(attempts)) != 1:
        return None
    row.attempts = attempts
    return row


def _to_webhook(delivery: NoticeDelivery, post: Post, *, now: datetime) -> _Outcome:
    webhook = delivery.webhook
    if webhook is None:
        raise ValueError(f"delivery {delivery.pk} goes to no webhook")
    body = _body(delivery)
    message_id, timestamp = f"notice_{delivery.pk}", int(now.timestamp())
    secret = webhook_secret(webhook)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "two-reports-webhook/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(
            secret=secret, message_id=message_id, timestamp=timestamp, body=body
        ),
    }
    try:
        status = post(
            webhook.url, body=body, headers=headers, private=settings.WEBHOOK_PRIVATE_ADDRESSES
        )
    except (WebhookAddressError, WebhookUnreachableError) as error:
        return _Outcome(is_delivered=False, error=str(error))
    return _answered(status)


def _answered(status: int) -> _Outcome:
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return _Outcome(is_delivered=True, status=status)
    # By the standard: who is gone wants nothing more.
    is_gone = status == HTTPStatus.GONE
    return _Outcome(is_delivered=False, status=status, error=f"HTTP {status}", is_final=is_gone)


def _body(delivery: NoticeDelivery) -> bytes:
    notice = delivery.notice
    message = {"type": notice.occasion, "timestamp": notice.at.isoformat(), "data": notice.data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def _to_reader(delivery: NoticeDelivery, mail: Mail) -> _Outcome:
    reader = delivery.reader
    if reader is None:
        raise ValueError(f"delivery {delivery.pk} goes to no reader")
    notice = delivery.notice
    try:
        mail(mail_subject(notice), mail_text(notice), to=reader.member.user.email)
    except OSError as error:
        # A server's answer may quote the address.
        return _Outcome(is_delivered=False, error=type(error).__name__)
    return _Outcome(is_delivered=True)


def _store(delivery: NoticeDelivery, outcome: _Outcome, *, now: datetime) -> None:
    """Write down how it went, unless somebody else has tried since."""
    values: dict[str, object] = {"last_status": outcome.status, "last_error": outcome.error[:200]}
    if outcome.is_delivered:
        values |= {"state": DeliveryState.DELIVERED, "ended_at": now}
    elif outcome.is_final or delivery.attempts >= MAX_ATTEMPTS:
        values |= {"state": DeliveryState.FAILED, "ended_at": now}
    NoticeDelivery.objects.filter(
        pk=delivery.pk, state=DeliveryState.WAITING, attempts=delivery.attempts
    ).update(**values)
