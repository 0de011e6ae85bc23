"""How long a study keeps what participants left."""

from __future__ import annotations

from django.db import models

from studyapp.models.study import Study


class RetentionAction(models.TextChoices):
    """What happens to a study's participants when the time is over."""

    ANONYMISE = "anonymise"
    DELETE = "delete"


class Retention(models.Model):
    """A study's rule: so many days after it was closed, its participants are dealt with.

    `due_at` is empty until the study is closed. `reminded` is the number of days before it at which
    the last reminder went out.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="retention")
    days = models.PositiveIntegerField()
    action = models.CharField(max_length=16, choices=RetentionAction)
    due_at = models.DateTimeField(null=True, blank=True)
    reminded = models.PositiveIntegerField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                name="retention_action_known",
                condition=models.Q(action__in=RetentionAction.values),
            ),
            models.CheckConstraint(
                name="retention_days_some", condition=models.Q(days__gte=1, days__lte=36500)
            ),
        )

    def __str__(self) -> str:
        return f"{self.action} {self.study} after {self.days} days"
