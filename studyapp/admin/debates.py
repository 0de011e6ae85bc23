"""Debates held here, the branches workers do of them, and the documents of trials."""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import DebateBranch, DebateRun, EvidenceCorpus


@admin.register(DebateRun)
class DebateRunAdmin(ReadOnlyAdmin):
    """Debates that studies asked for."""

    list_display = ("id", "study", "system", "preset", "state", "created_at", "finished_at")
    list_filter = ("system", "state")
    list_select_related = ("study",)


@admin.register(DebateBranch)
class DebateBranchAdmin(ReadOnlyAdmin):
    """Branches: the queue of record."""

    list_display = ("id", "debate", "name", "state", "stage", "attempts", "lease_until")
    list_filter = ("state",)
    list_select_related = ("debate",)
    # Whoever holds the token could write into the debate.
    exclude = ("lease_token",)


@admin.register(EvidenceCorpus)
class EvidenceCorpusAdmin(ReadOnlyAdmin):
    """Documents in which trials find their evidence."""

    list_display = ("id", "file_name", "sha256", "created_at")
    search_fields = ("file_name", "sha256")
