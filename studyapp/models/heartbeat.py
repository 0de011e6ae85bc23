"""Signs of life of the workers."""

from __future__ import annotations

from django.db import models


class WorkerHeartbeat(models.Model):
    """When a worker last did a sweep; rows of workers that are gone are forgotten."""

    worker = models.CharField(max_length=200, unique=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at",)

    def __str__(self) -> str:
        return f"{self.worker} at {self.at:%Y-%m-%d %H:%M:%S}"
