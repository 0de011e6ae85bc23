"""Who works on a study, and who was invited to."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from studyapp.models.study import Study


class MemberRole(models.TextChoices):
    """What somebody may do in a study; the table is in studyapp.domain.permissions."""

    OWNER = "owner"
    EDITOR = "editor"
    MONITOR = "monitor"
    ANALYST = "analyst"


class StudyMember(models.Model):
    """One person's role in one study. Nobody else, but for operators, learns that it exists."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=16, choices=MemberRole)
    added_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("study", "user"), name="member_once"),
            models.CheckConstraint(
                name="member_role_known", condition=models.Q(role__in=MemberRole.values)
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} ({self.role}) of {self.study}"


class MemberInvitation(models.Model):
    """A link that makes whoever opens it a member, once; only a digest of its token is stored."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="member_invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=16, choices=MemberRole)
    token_digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                name="member_invitation_role_known",
                condition=models.Q(role__in=MemberRole.values),
            ),
        )

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.study}"
