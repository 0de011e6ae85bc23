"""A counting endpoint in a process of its own, and commands that are timed or killed beside it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_CALLS = "calls.jsonl"


@contextmanager
def endpoint_serve(module: str, folder: Path, *, latency: float) -> Iterator[str]:
    """Serve a model's answers and yield their address.

    Args:
        module: what serves; it tells its address on its first line and logs every call in `--log`.
        folder: where the log goes, for `calls_count`.
        latency: seconds of each call.
    """
    command = [
        sys.executable, "-m", module, "--port", "0",
        "--latency", str(latency), "--log", str(folder / _CALLS),
    ]  # fmt: skip
    server = subprocess.Popen(  # noqa: S603 (our own)
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        line = server.stdout.readline() if server.stdout else ""
        yield line.split()[-1]
    finally:
        server.terminate()
        server.wait(timeout=10)


def calls_count(folder: Path) -> int:
    """Return how many calls the endpoint has answered."""
    return len((folder / _CALLS).read_bytes().splitlines())


def command_time(command: Sequence[str]) -> float:
    """Return the seconds that a command takes; 3 is the code of a run that was not judged.

    Raises:
        SystemExit: it ended with another code than 0 and 3.
    """
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (ours)
    if done.returncode not in {0, 3}:
        raise SystemExit(f"{command[2:5]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return time.perf_counter() - began


def command_kill(command: Sequence[str], *, after: float) -> None:
    """Start a command and kill it, with no chance to tidy up, after some seconds."""
    work = subprocess.Popen(  # noqa: S603 (our own)
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(after)
    work.kill()
    work.wait()
