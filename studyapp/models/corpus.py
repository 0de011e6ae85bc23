"""Debate traces, as they came in."""

from __future__ import annotations

from django.db import models


class DebateTrace(models.Model):
    """One recorded debate in the project's own trace format, named by its content's hash.

    `produced` says how it was held where one of these sites held it, and is empty otherwise.
    """

    title = models.CharField(max_length=200)
    language = models.CharField(max_length=16, default="en")
    conflict_level = models.CharField(max_length=16, blank=True)
    content = models.JSONField()
    sha256 = models.CharField(max_length=64, unique=True)
    source_format = models.CharField(max_length=40)
    source_file = models.CharField(max_length=255)
    source_sha256 = models.CharField(max_length=64)
    warnings = models.JSONField(default=list, blank=True)
    produced = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.title
