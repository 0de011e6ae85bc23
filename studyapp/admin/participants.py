"""Participants, what they were assigned, what they answered.

Nothing here says which arm stood where: whoever needs the arms takes an export, which is logged.
"""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import Assignment, Participant, Response


@admin.register(Participant)
class ParticipantAdmin(ReadOnlyAdmin):
    """Participants by code; the personal link is theirs alone."""

    list_display = ("code", "study", "cohort", "is_test", "consented_at", "completed_at")
    list_filter = ("study", "is_test")
    list_select_related = ("study", "cohort__study")
    search_fields = ("code",)
    exclude = ("token",)


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    """Trials without the position of the arms."""

    list_display = ("participant", "scenario", "order", "pair_opened_at", "answered_at")
    list_filter = ("scenario__study",)
    list_select_related = ("participant", "scenario")
    exclude = ("treatment_is_left", "token")


@admin.register(Response)
class ResponseAdmin(ReadOnlyAdmin):
    """Answers by position."""

    list_display = ("assignment", "measure", "side", "value", "answered_at")
    list_filter = ("measure", "assignment__scenario__study")
    list_select_related = ("assignment__participant",)
