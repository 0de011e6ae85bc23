"""Who works on which study, and how long studies keep data."""

from __future__ import annotations

from django.contrib import admin

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.models import MemberInvitation, Retention, StudyMember


@admin.register(StudyMember)
class StudyMemberAdmin(ReadOnlyAdmin):
    """Members; owners change them on the study's page, where it is logged."""

    list_display = ("study", "user", "role", "added_at")
    list_filter = ("role", "study")
    list_select_related = ("study", "user")


@admin.register(MemberInvitation)
class MemberInvitationAdmin(ReadOnlyAdmin):
    """Invitations of researchers, without what would let somebody use one."""

    list_display = ("study", "role", "created_at", "expires_at", "accepted_at", "revoked_at")
    list_filter = ("study",)
    list_select_related = ("study",)
    exclude = ("token_digest",)


@admin.register(Retention)
class RetentionAdmin(ReadOnlyAdmin):
    """How long studies keep what participants left."""

    list_display = ("study", "days", "action", "due_at", "done_at")
    list_select_related = ("study",)
