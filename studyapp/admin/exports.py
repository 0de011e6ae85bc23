"""Exports as requested and built, and looks at the arm key."""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import ExportJob, Unsealing


@admin.register(ExportJob)
class ExportJobAdmin(ReadOnlyAdmin):
    """Requests for exports: the queue of record."""

    list_display = ("study", "actor", "state", "attempts", "built_at", "lease_until")
    list_filter = ("state", "study")
    list_select_related = ("study",)
    # Whoever holds the token could say that the export is theirs.
    exclude = ("lease_token",)


@admin.register(Unsealing)
class UnsealingAdmin(ReadOnlyAdmin):
    """Who looked at which arm stood where before a study had ended, and why."""

    list_display = ("study", "actor", "at", "reason")
    list_filter = ("study",)
    list_select_related = ("study",)
