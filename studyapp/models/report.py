"""What analysis made of a study's answers: built by a worker, read by a researcher."""

from __future__ import annotations

from django.db import models

from studyapp.models.study import Study


class ReportKind(models.TextChoices):
    """The full report of a closed study, or the design check of one that still runs."""

    REPORT = "report"
    DESIGN = "design"


class ReportState(models.TextChoices):
    """Where a report stands; the database is the queue of record."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


class StudyReport(models.Model):
    """One report in one language; a later request replaces what was built before.

    `data_sha256` is the hash of the bundle that was analysed, so that a report and a download of
    the same answers can be told to belong together. It is empty until the first build ended well;
    the files of the last good build stay while a new one is under way.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=16, choices=ReportKind)
    language = models.CharField(max_length=16)
    state = models.CharField(max_length=16, choices=ReportState, default=ReportState.QUEUED)
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    data_sha256 = models.CharField(max_length=64, blank=True)
    participants = models.PositiveIntegerField(default=0)
    html = models.TextField(blank=True)
    json = models.TextField(blank=True)
    pdf = models.BinaryField(default=bytes, blank=True)
    requested_at = models.DateTimeField()
    built_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("study", "kind", "language"), name="one_report_per_study_kind_language"
            ),
            models.CheckConstraint(
                name="report_finished_has_html",
                condition=~models.Q(state="finished") | ~models.Q(html=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.study} ({self.state})"
