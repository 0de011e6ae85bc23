"""Tokens by which programs use the API for a researcher, and requests that must count once."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


class ApiToken(models.Model):
    """A researcher's token; only a digest of it is stored.

    `scopes` are names of actions (studyapp.domain.permissions): what the token is for at most. Its
    holder's role in each study says what of that is allowed there.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=80)
    token_digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                name="api_token_ends_after_it_begins",
                condition=models.Q(expires_at__gt=models.F("created_at")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"


class ApiRequest(models.Model):
    """One request with an idempotency key, and what was answered.

    The row is stored in the transaction of what the request did: neither is there without the
    other.
    """

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="requests")
    key = models.CharField(max_length=255)
    request_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    answer = models.JSONField(encoder=DjangoJSONEncoder, null=True)
    location = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("token", "key"), name="api_request_once"),)

    def __str__(self) -> str:
        return f"{self.key} of token {self.token_id}"
