"""What a worker does by lease: the columns of every row of the queue of record."""

from __future__ import annotations

from django.db import models


class RunState(models.TextChoices):
    """Where leased work stands; the database is the queue of record."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


class LeasedWork(models.Model):
    """Work that one worker holds by lease; a sweep re-queues it when its lease ran out."""

    state = models.CharField(max_length=16, choices=RunState, default=RunState.QUEUED)
    stage = models.CharField(max_length=40, blank=True)
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        indexes = (models.Index(fields=("state", "lease_until")),)
