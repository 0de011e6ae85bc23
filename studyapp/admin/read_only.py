"""The base of tables that operators look at and never edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin

if TYPE_CHECKING:
    _Base = admin.ModelAdmin[Any]
else:
    # The theme's class, which has no types, is Django's with other templates.
    _Base = ModelAdmin


class ReadOnlyAdmin(_Base):
    """Shows rows; adding, changing and deleting go through the site's services."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False
