"""Looks at the arm key before a study has ended, each with its reason."""

from __future__ import annotations

from django.db import models

from studyapp.models.frozen import FrozenModel
from studyapp.models.study import Study


class Unsealing(FrozenModel):
    """Somebody broke the seal of a study's arm key: who, when and why, kept for good."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="unsealings")
    actor = models.CharField(max_length=150)
    reason = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(name="unsealing_has_its_reason", condition=~models.Q(reason="")),
        )

    def __str__(self) -> str:
        return f"arm key of {self.study} unsealed by {self.actor}"
