"""The folder of one debate: kept to the setup it began with; the same command goes on in it."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from apg_engine.errors import InputError
from apg_engine.journal import CallRecord
from apg_engine.journal_file import FileJournal, journal_read
from apg_engine.records import Trace
from apg_engine.traces import trace_to_bytes

SETUP: Final = "setup.json"
JOURNAL: Final = "journal.jsonl"
RECORD: Final = "debate.json"
TRACE: Final = "trace.json"
GATE: Final = "gate"


class DebateDirectory:
    """Setup, journal, record, trace, and the run of the gate over it in a folder of its own.

    Used as a context: meanwhile no other process can work in the folder.
    """

    def __init__(self, path: Path, setup: Mapping[str, Any]) -> None:
        self.path = path
        self._setup = _json(setup)
        self._lock: int | None = None

    def __enter__(self) -> Self:
        """Make the folder, or go on in one that was begun with the same setup.

        Raises:
            InputError: it holds another debate, or another process works in it.
        """
        stored = self.path / SETUP
        if stored.exists() and stored.read_bytes() != self._setup:
            raise InputError(
                str(stored), "content", "a debate with another setup", "a new or fitting --out"
            )
        self.path.mkdir(parents=True, exist_ok=True)
        self._hold()
        if not stored.exists():
            self._put(SETUP, self._setup)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def journal(self) -> FileJournal:
        """Open the journal of the debate's calls.

        Raises:
            JournalError: a line of it was changed.
        """
        return FileJournal(self.path / JOURNAL)

    def write(self, record: Mapping[str, Any], trace: Trace | None) -> None:
        """Write what the debate gave, the record last: a debate without one has not ended."""
        if trace is not None:
            self._put(TRACE, trace_to_bytes(trace))
        self._put(RECORD, _json(record))

    def _hold(self) -> None:
        self._lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._lock)
            self._lock = None
            raise InputError(
                str(self.path), "folder", "another process at work in it", "a folder to itself"
            ) from error

    def _put(self, name: str, data: bytes) -> None:
        draft = self.path / f".{name}.{os.getpid()}"
        draft.write_bytes(data)
        draft.replace(self.path / name)


def system_of(path: Path) -> str:
    """Tell which system a debate was held by.

    Raises:
        InputError: the folder holds no ended debate.
    """
    return str(_read(path / RECORD).get("system"))


def debate_read(
    path: Path, *, system: str
) -> tuple[dict[str, Any], dict[str, Any], tuple[CallRecord, ...]]:
    """Read setup, record and journal of a debate that has ended.

    Raises:
        InputError: the folder holds no ended debate of this system.
        JournalError: a line of the journal was changed.
    """
    setup, record = (_read(path / name) for name in (SETUP, RECORD))
    for name, data in ((SETUP, setup), (RECORD, record)):
        if data.get("system") != system:
            found = repr(data.get("system"))
            raise InputError(str(path / name), "system", found, system)
    journal = path / JOURNAL
    lines = journal.read_bytes() if journal.exists() else b""
    return setup, record, journal_read(lines, file_name=str(journal))[0]


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(str(path), "file", "nothing", "a debate that has ended")
    try:
        data = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(str(path), "content", f"no JSON ({error})", "an object") from error
    if not isinstance(data, dict):
        raise InputError(str(path), "content", type(data).__name__, "an object")
    return data


def _json(data: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)}\n".encode()
