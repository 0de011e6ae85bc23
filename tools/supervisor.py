"""A few processes that live and die together."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_CHILD = Path(__file__).with_name("child.py")
_POLL_SECONDS = 0.05
_COMPLAINTS = 5


@dataclass(slots=True)
class Child:
    """A process of ours, the leader of its own process group."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def log_end(self, lines: int = 12) -> str:
        """Return the last lines of what it has written."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def last_words(self) -> str:
        """Say in a few lines how it ended: by which signal, or what it complained of last."""
        code = self.process.returncode
        if code is not None and code < 0:
            return f"{signal.Signals(-code).name} ended it"
        told = filter(None, map(_complaint, self.log_end().splitlines()))
        return "\n".join([f"exit status {code}", *list(told)[-_COMPLAINTS:]])

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the whole group; one that is gone is no error."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return


class Supervisor:
    """Starts children, sees when one has ended, and ends all of them.

    Each child has a process group of its own, so that Ctrl-C on the terminal reaches only the
    supervisor, which then ends them in order. On Linux they also end when it is killed.
    """

    def __init__(self) -> None:
        self.children: list[Child] = []

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        environment: Mapping[str, str],
        death: signal.Signals = signal.SIGTERM,
    ) -> Child:
        """Start `command`, its output appended to `log`; `death` is sent if we are killed."""
        log.parent.mkdir(parents=True, exist_ok=True)
        tied = [sys.executable, "-S", str(_CHILD), str(os.getpid()), str(int(death)), *command]
        with log.open("ab") as file:
            process = subprocess.Popen(
                tied,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env=dict(environment),
                process_group=0,
            )
        child = Child(name, process, log)
        self.children.append(child)
        return child

    def ended(self) -> Child | None:
        """Return a child that has ended by itself, if there is one."""
        return next((child for child in self.children if child.process.poll() is not None), None)

    def stop(self, *, patience: float, hurry: Callable[[], bool]) -> None:
        """End all children: asked first, killed after `patience` seconds or once `hurry()`."""
        for child in reversed(self.children):
            child.send(signal.SIGTERM)
        deadline = time.monotonic() + patience
        while any(child.process.poll() is None for child in self.children):
            if time.monotonic() > deadline or hurry():
                break
            time.sleep(_POLL_SECONDS)
        for child in self.children:
            # Also after a clean end: a group may outlive its leader.
            child.send(signal.SIGKILL)
            child.process.wait()
        self.children.clear()


def _complaint(line: str) -> str:
    """Return what a line of a log complains of; the site writes JSON, other programs words."""
    try:
        row: Any = json.loads(line)
    except ValueError:
        return line
    if not isinstance(row, dict) or row.get("level") in ("DEBUG", "INFO"):
        return ""
    return str(row.get("message", ""))
