"""Runs of the gate over a trace, and the model calls they have made."""

from __future__ import annotations

from django.db import models

from studyapp.models.corpus import DebateTrace


class RunState(models.TextChoices):
    """Where a run stands; the database is the queue of record."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


class GenerationRun(models.Model):
    """One run of the gate.

    A worker holds it by lease; a sweep re-queues a run whose lease ran out.
    """

    trace = models.ForeignKey(DebateTrace, on_delete=models.PROTECT, related_name="runs")
    config = models.JSONField()
    state = models.CharField(max_length=16, choices=RunState, default=RunState.QUEUED)
    stage = models.CharField(max_length=40, blank=True)
    pair_number = models.PositiveSmallIntegerField(default=0)
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=24, blank=True)
    result = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("state", "lease_until")),)
        constraints = (
            models.CheckConstraint(
                name="run_finished_has_result",
                condition=~models.Q(state="finished") | models.Q(result__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"run {self.pk} ({self.state})"


class ModelCall(models.Model):
    """One journalled call of a run: written once, found again on resume, never repeated."""

    run = models.ForeignKey(GenerationRun, on_delete=models.CASCADE, related_name="calls")
    sequence = models.PositiveIntegerField()
    role = models.CharField(max_length=24)
    request_sha256 = models.CharField(max_length=64)
    record = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("run", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("run", "sequence"), name="one_call_per_sequence"),
        )

    def __str__(self) -> str:
        return f"run {self.run_id} call {self.sequence}"
