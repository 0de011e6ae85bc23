"""What participants answered."""

from __future__ import annotations

from django.db import models

from studyapp.models.assignment import Assignment
from studyapp.models.frozen import FrozenModel


class ReportSide(models.TextChoices):
    """Which report a rating is about; empty for answers about the pair."""

    PAIR = ""
    LEFT = "left"
    RIGHT = "right"


class Response(FrozenModel):
    """One answer to one measure, about the pair or about one report; stored once."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="responses")
    measure = models.SlugField(max_length=60)
    side = models.CharField(max_length=8, choices=ReportSide, blank=True, default=ReportSide.PAIR)
    value = models.TextField()
    answered_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("assignment", "measure", "side"), name="one_answer_per_measure"
            ),
            models.CheckConstraint(
                name="response_side_known",
                condition=models.Q(side__in=("", "left", "right")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.assignment}: {self.measure} {self.side}"


class Draft(models.Model):
    """What a participant has typed but not yet submitted, kept so that nothing is lost.

    `writer` is empty for the holder of the link, and else tells browsers apart that came by a link
    which others may know: none of them is shown what another one entered.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drafts")
    writer = models.CharField(max_length=32, blank=True, default="")
    answers = models.JSONField(default=dict)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("-saved_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("assignment", "writer"), name="one_draft_per_writer"),
        )

    def __str__(self) -> str:
        return f"draft of {self.assignment}"
