"""Exports that researchers asked for: built by a worker, downloaded from its disk."""

from __future__ import annotations

from django.db import models

from studyapp.models.study import Study


class ExportState(models.TextChoices):
    """Where an export stands; the database is the queue of record."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


class ExportJob(models.Model):
    """One export: what was asked for, how far it is, and which file came of it.

    `options` is read by `studyapp.domain.export_options`. `rows_done` of about `rows_total` rows
    are on disk. `tombstones` counts those who had withdrawn when it was built: a file from before
    a withdrawal is given to nobody. The file itself lies under `VAR_DIR`, named by the row.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="exports")
    options = models.JSONField()
    actor = models.CharField(max_length=150)
    state = models.CharField(max_length=16, choices=ExportState, default=ExportState.QUEUED)
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    stage = models.CharField(max_length=40, blank=True)
    rows_done = models.PositiveBigIntegerField(default=0)
    rows_total = models.PositiveBigIntegerField(default=0)
    tombstones = models.PositiveIntegerField(default=0)
    participants = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    requested_at = models.DateTimeField()
    built_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                name="export_finished_has_its_hash",
                condition=~models.Q(state="finished") | ~models.Q(sha256=""),
            ),
        )

    def __str__(self) -> str:
        return f"export {self.pk} of {self.study} ({self.state})"
