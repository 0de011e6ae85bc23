"""People invited by name, each with a link of their own."""

from __future__ import annotations

from django.db import models

from studyapp.domain.tokens import token_new
from studyapp.models.assignment import Participant
from studyapp.models.study import Cohort


class Invitation(models.Model):
    """One personal link of a cohort; what is known of the person beforehand stands beside it.

    A link is used once somebody consented through it, and leads them back to their place from
    then on. A revoked link lets nobody in, and nobody back.
    """

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=32, unique=True, default=token_new)
    name = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=200, blank=True)
    experience_years = models.PositiveSmallIntegerField(null=True, blank=True)
    credential = models.TextField(blank=True)
    participant = models.OneToOneField(
        Participant, on_delete=models.SET_NULL, related_name="invitation", null=True, blank=True
    )
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.cohort}: {self.name or 'invitation'} {self.pk}"
