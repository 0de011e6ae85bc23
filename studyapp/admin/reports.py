"""What analysis made of studies; its text and files are read on the researcher's pages."""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import StudyReport


@admin.register(StudyReport)
class StudyReportAdmin(ReadOnlyAdmin):
    """Requests for reports: the queue of record."""

    list_display = ("study", "kind", "language", "state", "attempts", "built_at", "lease_until")
    list_filter = ("kind", "state")
    list_select_related = ("study",)
    # Whoever holds the token could write into the report; the files are large.
    exclude = ("lease_token", "html", "json", "pdf")
