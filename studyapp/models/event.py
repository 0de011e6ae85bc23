"""The append-only log of what happened, and the seals that show it was not changed."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.db import models

from studyapp.domain.digest import json_sha256
from studyapp.models.frozen import FrozenModel


class Event(FrozenModel):
    """One thing that happened. It names its subjects by code, so that it outlives them.

    `sha256` covers everything else in the row. When somebody withdraws, their events lose
    participant, payload and time and keep the digest, so that the seals still verify.
    """

    study = models.CharField(max_length=80, db_index=True)
    participant = models.CharField(max_length=32, blank=True, db_index=True)
    kind = models.CharField(max_length=60)
    payload = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(null=True)
    is_erased = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.kind} {self.participant or self.study}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row with its digest.

        Raises:
            FrozenError: the row is already stored.
        """
        self.sha256 = self.sha256 or self.digest()
        super().save(*args, **kwargs)

    def digest(self) -> str:
        """Return what `sha256` must be while the row is not erased."""
        return json_sha256(
            {
                "study": self.study,
                "participant": self.participant,
                "kind": self.kind,
                "payload": self.payload,
                "at": self.at.astimezone(UTC).isoformat() if self.at else None,
            }
        )


class EventSeal(FrozenModel):
    """A link of a study's chain: the events up to `last_event`, and the seal before it.

    Events are sealed in batches, so that participants never wait for each other to log.
    """

    study = models.CharField(max_length=80)
    number = models.PositiveIntegerField()
    first_event = models.BigIntegerField()
    last_event = models.BigIntegerField()
    events = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()

    class Meta:
        ordering = ("study", "number")
        constraints = (models.UniqueConstraint(fields=("study", "number"), name="seal_once"),)

    def __str__(self) -> str:
        return f"{self.study} seal {self.number}"
