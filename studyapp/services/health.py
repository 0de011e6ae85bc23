"""Signs of life of the workers, and forgetting those that are gone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from studyapp.models import WorkerHeartbeat

_FORGOTTEN_AFTER: Final = timedelta(days=1)


@transaction.atomic
def heartbeat_store(*, worker: str, now: datetime) -> None:
    """Store that a worker is alive; rows of workers that were not seen for a day go."""
    WorkerHeartbeat.objects.update_or_create(worker=worker[:200], defaults={"at": now})
    WorkerHeartbeat.objects.filter(at__lt=now - _FORGOTTEN_AFTER).delete()
