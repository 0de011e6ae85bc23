"""Stored debates and runs over them, for tests that let the offline gate work."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from studyapp.models import DebateTrace, GenerationRun
from studyapp.seams.engine import config_preset
from studyapp.services.generation import run_create, trace_store

START: Final = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
_FOLDER: Final = Path(__file__).resolve().parent.parent / "apg_engine" / "debates"
# With the offline pair one ends in a synthesis, the other in a Divergence Report.
AGREES: Final = _FOLDER / "archive_agrees.json"
DEADLOCK: Final = _FOLDER / "telescope_deadlock.json"
POLISH: Final = _FOLDER / "orchards_agree_pl.json"


class WorkerKilled(Exception):  # noqa: N818 - it stands for a signal, not for an error
    """What a worker's end looks like from inside."""


class Clock:
    """Ticks a second each time it is read; may end its worker at a given reading."""

    def __init__(self, *, at: datetime = START, kill_at: int | None = None) -> None:
        self.at, self.readings, self._kill_at = at, 0, kill_at

    def __call__(self) -> datetime:
        self.readings += 1
        if self.readings == self._kill_at:
            raise WorkerKilled
        self.at += timedelta(seconds=1)
        return self.at


def trace_stored(path: Path = DEADLOCK) -> DebateTrace:
    """Store a debate."""
    return trace_store(data=path.read_bytes(), file_name=path.name, now=START)


def run_queued(path: Path = DEADLOCK, *, config: dict[str, Any] | None = None) -> GenerationRun:
    """Queue a run of the offline pair over a debate."""
    return run_create(
        trace_id=trace_stored(path).pk, config=config or config_preset("offline"), now=START
    )
