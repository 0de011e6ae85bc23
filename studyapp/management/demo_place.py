"""The demo's place on this machine: one at a time, on a port that is free."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings

from studyapp.management.demo_study import DemoError

HOST: Final = "127.0.0.1"
# Those below belong to the system.
_PORTS = range(1024, 65536)
_DIGITS = re.compile(r"[0-9]{1,5}")


@contextmanager
def only_one(port: int) -> Iterator[None]:
    """Hold this folder's demo for us, and see that the port is free.

    Raises:
        DemoError: another demo runs here, or the port is in use.
    """
    path = Path(settings.VAR_DIR) / "demo" / "running"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise DemoError(
                f"the demo runs already: {lock.read().strip()}. Stop it there with Ctrl-C, or give "
                f"this one a folder and a port: make demo VAR_DIR=/tmp/demo PORT={_free()}"
            ) from error
        _port_check(port)
        lock.truncate(0)
        lock.write(f"http://{HOST}:{port} (process {os.getpid()})\n")
        lock.flush()
        yield


def port_read(text: str) -> int:
    """Read the port that somebody asked for.

    Raises:
        DemoError: it is not a port that a program may take; names a free one.
    """
    number = int(text) if _DIGITS.fullmatch(text) else 0
    if number not in _PORTS:
        raise DemoError(
            f"PORT={text} is not a port that it can use: a whole number from {_PORTS.start} to "
            f"{_PORTS.stop - 1}. Take another: make demo PORT={_free()}"
        )
    return number


def _port_check(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            busy = error.errno == errno.EADDRINUSE
            why = "is in use by another program" if busy else f"cannot be used ({error.strerror})"
            raise DemoError(f"port {port} {why}. Take another: make demo PORT={_free()}") from error


def _free() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
