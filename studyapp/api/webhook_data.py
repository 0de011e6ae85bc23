"""What the operations about webhooks take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from studyapp.api.fields import StrictBody, StrictChoice, StrictText
from studyapp.domain.occasions import CHOICES, DESCRIPTION_LIMIT, URL_LIMIT, Occasion
from studyapp.services.notices import WebhookPlan, webhook_plan

_STATES = ("waiting", "delivered", "failed")


class WebhookBody(StrictBody):
    """Where a webhook goes, what it is called, and on which occasions it is told."""

    url = StrictText(max_length=URL_LIMIT, help_text="Over TLS, to a host on the public network.")
    description = StrictText(max_length=DESCRIPTION_LIMIT, allow_blank=True, default="")
    occasions = serializers.ListField(
        child=StrictChoice(choices=[occasion.value for occasion in CHOICES]),
        min_length=1,
        max_length=len(CHOICES),
    )

    def plan(self) -> WebhookPlan:
        """Return what the service stores.

        Raises:
            NoticeError: the site may not send there.
        """
        return webhook_plan(**self.validated_data)


class DeliveryData(serializers.Serializer[Any]):
    """One message: whether it arrived, after how many attempts, and when the next one is."""

    id = serializers.IntegerField(help_text="Sent as `webhook-id`: notice_ID.")
    occasion = serializers.ChoiceField(choices=[occasion.value for occasion in Occasion])
    state = serializers.ChoiceField(choices=_STATES)
    attempts = serializers.IntegerField()
    at = serializers.DateTimeField(help_text="When it happened.")
    due_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    last_status = serializers.IntegerField(allow_null=True)
    last_error = serializers.CharField()


class WebhookData(serializers.Serializer[Any]):
    """A webhook with the newest of its messages."""

    id = serializers.IntegerField()
    url = serializers.CharField()
    description = serializers.CharField()
    occasions = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    last = DeliveryData(allow_null=True)


class NewWebhookData(WebhookData):
    """A webhook just made."""

    secret = serializers.CharField(
        allow_null=True,
        help_text="What its messages are signed with (Standard Webhooks). It is told this once: "
        "a request that is sent again with its idempotency key gets null.",
    )
