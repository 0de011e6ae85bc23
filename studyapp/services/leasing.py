"""Win work by a lease, hold it while working, let it go: one set of rules for all leased rows."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import OperationalError, connection, models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from studyapp.domain.tokens import token_new
from studyapp.errors import LeaseLostError
from studyapp.models import RunState

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]

# Work that ends its worker every time must not do so for ever.
MAX_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Lease:
    """This worker's hold on a row; every write checks that it still holds.

    Attributes:
        rows: of this kind of work.
        row_id: the row.
        token: proves the hold.
        now: clock; leases are measured by it.
    """

    rows: models.Manager[Any]
    row_id: int
    token: str
    now: Clock

    def extend(self) -> None:
        """Hold the row for another while; cancelled work may be held to record a last call.

        Raises:
            LeaseLostError: another worker holds it.
        """
        self._write(lease_until=self.now() + lease_span())

    def write(self, *, state: str = RunState.RUNNING, **values: Any) -> None:
        """Store something about work that goes on, or that ends in `state`.

        Raises:
            LeaseLostError: it was cancelled or is held by another worker.
        """
        self._write(state=state, **values)

    def end(self, *, state: str, **values: Any) -> None:
        """Store how the work ended and let it go.

        Raises:
            LeaseLostError: it was cancelled or is held by another worker.
        """
        values |= {"lease_token": "", "lease_until": None, "finished_at": self.now()}
        self._write(state=state, **values)

    def check(self) -> None:
        """Ask whether the work is still this worker's.

        Raises:
            LeaseLostError: it was cancelled or taken over.
        """
        held = self.rows.filter(pk=self.row_id, lease_token=self.token, state=RunState.RUNNING)
        if not held.exists():
            raise LeaseLostError(f"{self} was cancelled or taken over")

    def __str__(self) -> str:
        return f"{self.rows.model.__name__} {self.row_id}"

    def _write(self, *, state: str | None = None, **values: Any) -> None:
        held = self.rows.filter(pk=self.row_id, lease_token=self.token)
        if state is not None:
            held, values = held.filter(state=RunState.RUNNING), {**values, "state": state}
        if held.update(**values) != 1:
            raise LeaseLostError(f"{self} is no longer held by this worker")


def lease_win(rows: models.Manager[Any], *, row_id: int, now: Clock) -> Lease | None:
    """Win a row that waits or whose worker died; None where it is not to be had."""
    moment, token = now(), token_new()
    free = Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=moment)
    won = rows.filter(free, pk=row_id, attempts__lt=MAX_ATTEMPTS).update(
        state=RunState.RUNNING,
        lease_token=token,
        lease_until=moment + lease_span(),
        attempts=F("attempts") + 1,
        started_at=Coalesce(F("started_at"), moment),
        error="",
    )
    return Lease(rows=rows, row_id=row_id, token=token, now=now) if won == 1 else None


def expired_free(rows: models.Manager[Any], *, now: datetime) -> None:
    """Queue the work of dead workers again, and give up what ended its worker every time."""
    expired = rows.filter(state=RunState.RUNNING, lease_until__lt=now)
    expired.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=RunState.FAILED, error=_gave_up(), lease_token="", lease_until=None, finished_at=now
    )
    expired.update(state=RunState.QUEUED, lease_token="", lease_until=None)


@contextmanager
def heartbeat(lease: Lease) -> Iterator[None]:
    """Extend the lease from a thread, because one model call may take longer than a lease."""
    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(lease, stop), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def lease_span() -> timedelta:
    """Return for how long a row is held without a sign of life."""
    return timedelta(seconds=settings.RUN_LEASE_SECONDS)


def _beat(lease: Lease, stop: threading.Event) -> None:
    try:
        while not stop.wait(settings.RUN_LEASE_SECONDS / 3):
            # A busy database is no reason to let go: the next beat comes within the lease.
            with suppress(OperationalError):
                lease.extend()
    except LeaseLostError:
        logger.info("%s: the lease is lost", lease)
    finally:
        connection.close()


def _gave_up() -> str:
    return (
        f"The worker stopped in the middle of this run {MAX_ATTEMPTS} times. What was recorded is "
        "kept. Look at the worker's log, then retry."
    )
