"""A worker's hold on an export: renewed while it works, and found out when it is lost."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, Self

from django.conf import settings
from django.db import DatabaseError, connection, connections

from studyapp.errors import LeaseLostError
from studyapp.models import ExportJob

logger = logging.getLogger(__name__)

_BEAT_SECONDS: Final = 1.0


class LeaseHold:
    """Renews the lease and tells how far the export is, beside the transaction that reads.

    That transaction is one moment's state and writes nothing, so this works in a thread with a
    connection of its own, once a second. Inside a transaction of the caller it is the caller's.
    """

    def __init__(self, job_id: int, lease: str, *, now: Callable[[], datetime]) -> None:
        self._jobs = ExportJob.objects.filter(pk=job_id, lease_token=lease)
        self._now = now
        self._far: dict[str, Any] = {}
        self._is_lost = False
        self._done = threading.Event()
        self._thread = None if connection.in_atomic_block else threading.Thread(target=self._beat)

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def progress(self, stage: str, rows: int) -> None:
        """Note how far it is.

        Raises:
            LeaseLostError: another worker holds the export, or the database is gone.
        """
        self._far = {"stage": stage[:40], "rows_done": rows}
        if self._thread is None:
            self._renew()
        if self._is_lost:
            raise LeaseLostError("another worker holds this export")

    def _beat(self) -> None:
        try:
            while not self._is_lost and not self._done.wait(_BEAT_SECONDS):
                self._renew()
        except DatabaseError as error:
            logger.warning("the lease of an export was not renewed: %s", type(error).__name__)
            self._is_lost = True
        finally:
            connections.close_all()

    def _renew(self) -> None:
        changed = self._jobs.update(lease_until=lease_end(self._now()), **self._far)
        self._is_lost = changed != 1


def lease_end(now: datetime) -> datetime:
    """Return the moment from which another worker may take an export over."""
    return now + timedelta(seconds=settings.RUN_LEASE_SECONDS)
