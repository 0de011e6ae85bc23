"""Participants, what they were assigned, what they answered.

Nothing here says which arm stood where: whoever needs the arms takes an export, which is logged.
"""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import (
    Assignment,
    Change,
    EvidenceLink,
    Exposure,
    Invitation,
    Participant,
    Place,
    Response,
    Tombstone,
)


@admin.register(Participant)
class ParticipantAdmin(ReadOnlyAdmin):
    """Participants by code; the personal link is theirs alone."""

    list_display = ("code", "study", "cohort", "is_test", "consented_at", "completed_at")
    list_filter = ("study", "is_test")
    list_select_related = ("study", "cohort__study")
    search_fields = ("code",)
    exclude = ("token", "receipt_digest")


@admin.register(Place)
class PlaceAdmin(ReadOnlyAdmin):
    """Places by number."""

    list_display = ("cohort", "is_test", "number", "participant", "reserved_until", "is_complete")
    list_filter = ("cohort__study", "is_test", "is_complete")
    list_select_related = ("cohort__study", "participant")


@admin.register(Tombstone)
class TombstoneAdmin(ReadOnlyAdmin):
    """What stays of people who withdrew, without what was drawn for them."""

    list_display = ("study", "cohort", "is_test", "enrolment", "was_complete")
    list_filter = ("study", "is_test")
    list_select_related = ("study", "cohort__study")
    exclude = ("trials",)


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    """Invitations by name; the link is the invited person's alone."""

    list_display = ("cohort", "name", "role", "used_at", "revoked_at")
    list_filter = ("cohort__study",)
    list_select_related = ("cohort__study",)
    exclude = ("token",)


@admin.register(Exposure)
class ExposureAdmin(ReadOnlyAdmin):
    """How long things were in view."""

    list_display = ("assignment", "item", "visible_ms", "scrolled")
    list_filter = ("assignment__scenario__study",)
    list_select_related = ("assignment__participant",)


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    """Answers that were replaced before they were submitted."""

    list_display = ("assignment", "field", "value", "after_ms")
    list_filter = ("assignment__scenario__study",)
    list_select_related = ("assignment__participant",)


@admin.register(EvidenceLink)
class EvidenceLinkAdmin(ReadOnlyAdmin):
    """Turns that participants marked."""

    list_display = ("assignment", "side", "address", "relation", "marked_at")
    list_filter = ("assignment__scenario__study",)
    list_select_related = ("assignment__participant",)


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
