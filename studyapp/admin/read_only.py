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


class ListedFiltersAdmin(_Base):
    """Lists rows by what it names as its filters, and by nothing else.

    Django takes any field of a table as a filter in the address, hidden ones among them: who may
    not see a value could ask for the rows that have it.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow what is named."""
        named = [*self.get_list_filter(request), self.date_hierarchy]
        is_named = any(
            lookup == name or lookup.startswith(f"{name}__") for name in named if name is not None
        )
        return is_named and super().lookup_allowed(lookup, value, request)


class ReadOnlyAdmin(ListedFiltersAdmin):
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
