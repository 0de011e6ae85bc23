"""Runs of the gate over a trace, and the model calls they have made."""

from __future__ import annotations

from django.db import models

from studyapp.models.corpus import DebateTrace
from studyapp.models.leased import LeasedWork


class GenerationRun(LeasedWork):
    """One run of the gate."""

    trace = models.ForeignKey(DebateTrace, on_delete=models.PROTECT, related_name="runs")
    config = models.JSONField()
    pair_number = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=24, blank=True)
    result = models.JSONField(null=True, blank=True)

    class Meta(LeasedWork.Meta):
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                name="run_finished_has_result",
                condition=~models.Q(state="finished") | models.Q(result__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"run {self.pk} ({self.state})"


class ModelCall(models.Model):
    """One journalled call of a run or a debate: written once, found on resume, never repeated."""

    run = models.ForeignKey(
        GenerationRun, on_delete=models.CASCADE, related_name="calls", null=True, blank=True
    )
    debate = models.ForeignKey(
        "DebateRun", on_delete=models.CASCADE, related_name="calls", null=True, blank=True
    )
    sequence = models.PositiveIntegerField()
    role = models.CharField(max_length=24)
    request_sha256 = models.CharField(max_length=64)
    record = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("run", "debate", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("run", "sequence"), name="one_call_per_sequence"),
            models.UniqueConstraint(fields=("debate", "sequence"), name="one_call_per_turn"),
            models.CheckConstraint(
                name="call_of_run_or_debate",
                condition=models.Q(run__isnull=False, debate__isnull=True)
                | models.Q(run__isnull=True, debate__isnull=False),
            ),
        )

    def __str__(self) -> str:
        owner = f"run {self.run_id}" if self.run_id else f"debate {self.debate_id}"
        return f"{owner} call {self.sequence}"
