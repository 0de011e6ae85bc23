"""What was told about studies, to whom, and what became of it."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.domain.webhook_rules import url_origin
from studyapp.models import (
    Notice,
    NoticeDelivery,
    NoticeReader,
    NoticeRule,
    Webhook,
    WorkerHeartbeat,
)


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    """Occasions that were told."""

    list_display = ("at", "study", "occasion", "subject")
    list_filter = ("occasion", "study")
    list_select_related = ("study",)


@admin.register(NoticeDelivery)
class NoticeDeliveryAdmin(ReadOnlyAdmin):
    """The outbox."""

    list_display = ("notice", "to", "state", "attempts", "due_at", "last_status", "last_error")
    list_filter = ("state",)
    list_select_related = ("notice", "webhook", "reader__member__user")
    # The row of a webhook leads to its address.
    exclude = ("webhook", "reader")
    readonly_fields = ("to",)

    @admin.display(description=_("To whom"))
    def to(self, delivery: NoticeDelivery) -> str:
        """A member's name, or a webhook's host."""
        if delivery.webhook is not None:
            return url_origin(delivery.webhook.url)
        return str(delivery.reader.member.user) if delivery.reader else ""


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Webhooks by host: the rest of an address often is a secret."""

    list_display = ("study", "host", "description", "created_at")
    list_filter = ("study",)
    list_select_related = ("study",)
    exclude = ("url", "salt")
    readonly_fields = ("host",)

    @admin.display(description=_("Host"))
    def host(self, webhook: Webhook) -> str:
        """Where it goes, without its path."""
        return url_origin(webhook.url)


@admin.register(NoticeReader)
class NoticeReaderAdmin(ReadOnlyAdmin):
    """Members who want mail."""

    list_display = ("member", "occasions")
    list_select_related = ("member__user", "member__study")


@admin.register(NoticeRule)
class NoticeRuleAdmin(ReadOnlyAdmin):
    """When studies count as stalled."""

    list_display = ("study", "stall_hours", "stuck_people")
    list_select_related = ("study",)


@admin.register(WorkerHeartbeat)
class WorkerHeartbeatAdmin(ReadOnlyAdmin):
    """Workers' signs of life."""

    list_display = ("worker", "at")
