"""Where the paces of endpoints are kept: in a process, or in a file that all processes share."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

# A pace that nobody has used for so long is forgotten; the machine may have been started anew.
_STALE_SECONDS = 120.0
_BUSY_SECONDS = 5.0
_TABLE = (
    "CREATE TABLE IF NOT EXISTS pace"
    " (endpoint TEXT PRIMARY KEY, gap REAL NOT NULL, free_at REAL NOT NULL)"
)


@dataclass(frozen=True, slots=True)
class Pace:
    """Calls of one endpoint are `gap` seconds apart, and the next may be made at `free_at`."""

    gap: float
    free_at: float


Step = Callable[[Pace | None], Pace | None]


class PaceStore(Protocol):
    """Keeps a pace for each endpoint that has asked for one."""

    def change(self, endpoint: str, step: Step, *, now: float) -> None:
        """Put what `step` makes of an endpoint's pace in its place, as one change.

        `step` gets None where the endpoint has no pace, and gives None to have none; it must have
        no effect that hurts when it is called twice.
        """


class MemoryPaces:
    """Paces of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paces: dict[str, Pace] = {}

    def change(self, endpoint: str, step: Step, *, now: float) -> None:
        """Change one pace under a lock."""
        with self._lock:
            changed = step(self._paces.pop(endpoint, None))
            if changed is not None:
                self._paces[endpoint] = changed


class FilePaces:
    """Paces of all processes of a machine that name the same file.

    `now` must be a clock that they share: `time.monotonic` is one, from start to start of the
    machine. The file is made when the first endpoint asks for a wait. Where it cannot be read or
    written, the process keeps its own paces: a full disk must not end a run that was paid for.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._own = MemoryPaces()

    def change(self, endpoint: str, step: Step, *, now: float) -> None:
        """Change one pace in a transaction that no other process can come between."""
        try:
            self._change(endpoint, step, now)
        except (sqlite3.Error, OSError):
            self._own.change(endpoint, step, now=now)

    def _change(self, endpoint: str, step: Step, now: float) -> None:
        if not self._path.exists():
            if step(None) is None:
                return
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._transaction() as rows:
            known = _fresh(rows.execute(_SELECT, (endpoint,)).fetchone(), now)
            changed = step(known)
            if changed is not None:
                rows.execute(_REPLACE, (endpoint, changed.gap, changed.free_at))
            elif known is not None:
                rows.execute("DELETE FROM pace WHERE endpoint = ?", (endpoint,))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        # A connection each time: one from before a fork must not be used behind it.
        with closing(
            sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        ) as rows:
            rows.execute("PRAGMA synchronous = OFF")
            rows.execute("BEGIN IMMEDIATE")
            rows.execute(_TABLE)
            yield rows
            rows.execute("COMMIT")


_SELECT = "SELECT gap, free_at FROM pace WHERE endpoint = ?"
_REPLACE = "INSERT OR REPLACE INTO pace (endpoint, gap, free_at) VALUES (?, ?, ?)"


def _fresh(row: tuple[float, float] | None, now: float) -> Pace | None:
    if row is None or not -_STALE_SECONDS <= row[1] - now <= 10 * _STALE_SECONDS:
        return None
    return Pace(*row)
