"""Traces, runs and recorded calls."""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import DebateTrace, GenerationRun, ModelCall


@admin.register(DebateTrace)
class DebateTraceAdmin(ReadOnlyAdmin):
    """Stored debates."""

    list_display = ("title", "language", "conflict_level", "source_format", "created_at")
    list_filter = ("source_format", "conflict_level")
    search_fields = ("title", "sha256", "source_file")


@admin.register(GenerationRun)
class GenerationRunAdmin(ReadOnlyAdmin):
    """Runs: the queue of record."""

    list_display = ("id", "trace", "state", "stage", "outcome", "attempts", "lease_until")
    list_filter = ("state", "outcome")
    list_select_related = ("trace",)
    # Whoever holds the token could write into the run.
    exclude = ("lease_token",)


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    """Recorded model calls."""

    list_display = ("run", "sequence", "role", "request_sha256", "created_at")
    list_filter = ("role",)
    list_select_related = ("run",)
