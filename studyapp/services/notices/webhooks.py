"""Webhooks of a study: made, changed, tried out, removed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from studyapp.domain.occasions import DESCRIPTION_LIMIT, Occasion, occasions_read
from studyapp.domain.permissions import Action
from studyapp.domain.tokens import token_new
from studyapp.domain.webhook_rules import secret_of, url_check, url_origin
from studyapp.errors import NoticeError
from studyapp.models import Notice, NoticeDelivery, Study, Webhook
from studyapp.services.study.record import event_log, study_locked

# A sweep looks at all of them whenever something happens.
WEBHOOKS_LIMIT: Final = 10


@dataclass(frozen=True, slots=True)
class WebhookPlan:
    """What somebody asks for."""

    url: str
    description: str
    occasions: tuple[Occasion, ...]


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook just made; `secret` is told now and never again."""

    id: int
    secret: str


def webhook_plan(*, url: str, description: str, occasions: Iterable[str]) -> WebhookPlan:
    """Read what somebody asks for.

    Raises:
        WebhookAddressError: the site may not send to this address.
        NoticeError: the description is too long, or an occasion is none or missing.
    """
    url_check(
        url,
        plain_http=settings.WEBHOOK_PLAIN_HTTP,
        private=settings.WEBHOOK_PRIVATE_ADDRESSES,
    )
    if len(description) > DESCRIPTION_LIMIT:
        raise NoticeError(f"The description has at most {DESCRIPTION_LIMIT} characters.")
    wanted = occasions_read(occasions)
    if not wanted:
        raise NoticeError("Choose at least one occasion.")
    return WebhookPlan(url, description.strip(), tuple(wanted))


@transaction.atomic
def webhook_create(
    *, study_id: int, plan: WebhookPlan, actor_id: int | None, now: datetime
) -> NewWebhook:
    """Have an address told; the secret that signs its messages is in what is returned.

    Raises:
        RoleRefusedError: the actor may not edit the study.
        NoticeError: the study has as many as it may have.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    if Webhook.objects.filter(study=study).count() >= WEBHOOKS_LIMIT:
        raise NoticeError(f"A study has at most {WEBHOOKS_LIMIT} webhooks; remove one.")
    row = Webhook.objects.create(
        study=study,
        url=plan.url,
        description=plan.description,
        occasions=list(plan.occasions),
        salt=token_new(),
        created_at=now,
    )
    _log(row, "made", actor_id=actor_id, now=now, before=None, after=_record(row))
    return NewWebhook(row.pk, webhook_secret(row))


@transaction.atomic
def webhook_change(
    *, study_id: int, webhook_id: int, plan: WebhookPlan, actor_id: int | None, now: datetime
) -> None:
    """Change where a webhook goes, what it is called, or on which occasions it is told.

    Raises:
        RoleRefusedError: the actor may not edit the study.
        NoticeError: the study has no such webhook.
    """
    row = _webhook(study_id, webhook_id, actor_id)
    before = _record(row)
    row.url, row.description, row.occasions = plan.url, plan.description, list(plan.occasions)
    row.save(update_fields=["url", "description", "occasions"])
    _log(row, "changed", actor_id=actor_id, now=now, before=before, after=_record(row))


@transaction.atomic
def webhook_remove(*, study_id: int, webhook_id: int, actor_id: int | None, now: datetime) -> None:
    """Tell an address no more; what was on its way to it is dropped.

    Raises:
        RoleRefusedError: the actor may not edit the study.
        NoticeError: the study has no such webhook.
    """
    row = _webhook(study_id, webhook_id, actor_id)
    _log(row, "removed", actor_id=actor_id, now=now, before=_record(row), after=None)
    row.delete()


@transaction.atomic
def webhook_test(*, study_id: int, webhook_id: int, actor_id: int | None, now: datetime) -> int:
    """Put a test on its way to an address; the caller wakes a worker for the returned delivery.

    Raises:
        RoleRefusedError: the actor may not edit the study.
        NoticeError: the study has no such webhook.
    """
    row = _webhook(study_id, webhook_id, actor_id)
    notice = Notice.objects.create(
        study=row.study,
        occasion=Occasion.TEST,
        subject=f"{row.pk}:{now.isoformat()}",
        data={"study": row.study.slug},
        at=now,
    )
    _log(row, "tested", actor_id=actor_id, now=now, before=None, after=None)
    return NoticeDelivery.objects.create(notice=notice, webhook=row, due_at=now).pk


def webhook_secret(webhook: Webhook) -> str:
    """Return the secret that a webhook's messages are signed with."""
    return secret_of(site_key=settings.SECRET_KEY, salt=webhook.salt)


def _webhook(study_id: int, webhook_id: int, actor_id: int | None) -> Webhook:
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    row = Webhook.objects.select_related("study").filter(study=study, pk=webhook_id).first()
    if row is None:
        raise NoticeError("The study has no such webhook; it may have been removed.")
    return row


def _record(row: Webhook) -> dict[str, Any]:
    """What the log says: not the path, which often is a secret."""
    return {
        "origin": url_origin(row.url),
        "description": row.description,
        "occasions": list(row.occasions),
    }


def _log(row: Webhook, what: str, *, actor_id: int | None, now: datetime, **states: Any) -> None:
    study: Study = row.study
    event_log(study, f"webhook.{what}", now=now, actor_id=actor_id, webhook=row.pk, **states)
