"""Files that are whole or not there, also where a disk is full or a process is killed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def file_write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: what stood there stays until all of the new one is on disk.

    Raises:
        OSError: it cannot be written; the error names the file.
    """
    if path.exists() and not path.is_file():
        # A pipe or a terminal is written to and never replaced.
        path.write_bytes(data)
        return
    with file_replace(path) as file:
        file.write(data)


@contextmanager
def file_replace(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be written bit by bit: it takes its place once all of it is on disk.

    Raises:
        OSError: it cannot be written; the error names the file.
    """
    target = path.resolve()
    draft = target.with_name(f".{os.getpid()}.{threading.get_ident()}.part")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        raise _named(error, path) from error
    finally:
        draft.unlink(missing_ok=True)


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


def lines_read(path: Path) -> bytes:
    """Give the whole lines of a file that may not be there; half a line is what a kill left."""
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def lines_cut(path: Path, lines: bytes) -> None:
    """Cut off what a kill left behind the whole lines, as `lines_read` gave them."""
    if path.exists() and path.stat().st_size > len(lines):
        os.truncate(path, len(lines))


def _named(error: OSError, path: Path) -> OSError:
    """A failed write does not say where, and a draft's name says nothing to anyone."""
    return type(error)(error.errno, error.strerror, str(path))
