"""Files that are whole or not there, also where a disk is full or a process is killed."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def file_write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: what stood there stays until all of the new one is on disk.

    Raises:
        OSError: it cannot be written; the error names the file.
    """
    if path.exists() and not path.is_file():
        # A pipe or a terminal is written to and never replaced.
        path.write_bytes(data)
        return
    target = path.resolve()
    draft = target.with_name(f".{os.getpid()}.{threading.get_ident()}.part")
    try:
        _write_through(draft, data)
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _named(error, path) from error


def lines_append(path: Path, data: bytes) -> None:
    """Append lines and force them to disk; where that fails, none of them stays.

    Raises:
        OSError: they cannot be written; the error names the file.
    """
    with path.open("ab", buffering=0) as file:
        before = file.tell()
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError as error:
            file.truncate(before)
            raise _named(error, path) from error


def _write_through(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _named(error: OSError, path: Path) -> OSError:
    """A failed write does not say where, and a draft's name says nothing to anyone."""
    return type(error)(error.errno, error.strerror, str(path))
