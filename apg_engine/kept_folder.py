"""A folder that one process works in: locked meanwhile, and kept to the file it was begun with."""

from __future__ import annotations

import fcntl
import os
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from apg_engine.disk import file_write
from apg_engine.errors import InputError
from apg_engine.journal_file import FileJournal

JOURNAL: Final = "journal.jsonl"


class LockedFolder:
    """Used as a context: meanwhile no other process can work in the folder.

    The lock ends with the process that holds it, however it ends.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def __enter__(self) -> Self:
        """Make the folder and take it.

        Raises:
            InputError: another process works in it.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(lock)
            found = "another process at work in it"
            raise InputError(str(self.path), "folder", found, "a folder to itself") from error
        self._lock = lock
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class KeptFolder(LockedFolder):
    """A folder with a journal, whose first file says what it is about and never changes.

    Args:
        path: of the folder.
        first: name of that file.
        data: what it holds.
        other: what to call a folder whose file holds something else.
    """

    def __init__(self, path: Path, *, first: str, data: bytes, other: str) -> None:
        super().__init__(path)
        self._first, self._data, self._other = first, data, other

    def __enter__(self) -> Self:
        """Make the folder, or go on in one that was begun with the same file.

        Raises:
            InputError: it was begun with another one, or another process works in it.
        """
        super().__enter__()
        with ExitStack() as held:
            held.callback(self._release)
            self._begin()
            held.pop_all()
        return self

    def journal(self) -> FileJournal:
        """Open the journal of the calls made for it.

        Raises:
            JournalError: a line of it was changed.
        """
        return FileJournal(self.path / JOURNAL)

    def put(self, name: str, data: bytes) -> None:
        """Write a file whole or not at all."""
        file_write(self.path / name, data)

    def _begin(self) -> None:
        stored = self.path / self._first
        if not stored.exists():
            self.put(self._first, self._data)
        elif stored.read_bytes() != self._data:
            raise InputError(str(stored), "content", self._other, "a new or fitting --out")
