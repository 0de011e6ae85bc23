"""Tell people and programs of what happened in a study: who wants what, what is due, the outbox."""

from studyapp.services.notices.finding import notices_sweep
from studyapp.services.notices.outbox import deliveries_sweep, delivery_attempt
from studyapp.services.notices.webhooks import (
    NewWebhook,
    WebhookPlan,
    webhook_change,
    webhook_create,
    webhook_plan,
    webhook_remove,
    webhook_test,
)
from studyapp.services.notices.wishes import mail_set, rule_set

__all__ = [
    "NewWebhook",
    "WebhookPlan",
    "deliveries_sweep",
    "delivery_attempt",
    "mail_set",
    "notices_sweep",
    "rule_set",
    "webhook_change",
    "webhook_create",
    "webhook_plan",
    "webhook_remove",
    "webhook_test",
]
