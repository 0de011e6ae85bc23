"""Tokens of the API, for operators: whose there are, and what for."""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import ApiRequest, ApiToken


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Tokens without their digests; an account made inactive loses all of them."""

    list_display = ("name", "user", "created_at", "expires_at", "revoked_at", "last_used_at")
    list_select_related = ("user",)
    exclude = ("token_digest",)


@admin.register(ApiRequest)
class ApiRequestAdmin(ReadOnlyAdmin):
    """Requests with an idempotency key of the last day, without what was answered."""

    list_display = ("token", "status", "created_at")
    list_select_related = ("token",)
    exclude = ("answer", "location")
