"""The append-only log of what happened."""

from __future__ import annotations

from django.db import models

from studyapp.models.frozen import FrozenModel


class Event(FrozenModel):
    """One thing that happened. It names its subjects by code, so that it outlives them."""

    study = models.CharField(max_length=80, db_index=True)
    participant = models.CharField(max_length=32, blank=True, db_index=True)
    kind = models.CharField(max_length=60)
    payload = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.kind} {self.participant or self.study}"
