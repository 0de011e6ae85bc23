"""The supervisor: its processes end with it, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.supervisor import Supervisor

ROOT = Path(__file__).resolve().parents[2]
_SLEEP = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]
_STUBBORN = ["sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done"]
_PARENT_OF_SLEEPER = ["sh", "-c", "sleep 60 & echo $!; wait"]


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 15
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _written(log: Path) -> bool:
    return log.exists() and log.read_text() != ""


def test_stopping_ends_a_child_and_what_it_has_started(tmp_path: Path) -> None:
    supervisor = Supervisor()
    log = tmp_path / "log"
    child = supervisor.start("parent", _PARENT_OF_SLEEPER, log=log, environment=os.environ)
    _until(lambda: _written(log))
    grandchild = int(log.read_text())
    assert _alive(grandchild)
    supervisor.stop(patience=5, hurry=lambda: False)
    assert child.process.returncode == -signal.SIGTERM
    _until(lambda: not _alive(grandchild))


def test_a_child_that_does_not_listen_is_killed_when_patience_ends(tmp_path: Path) -> None:
    supervisor = Supervisor()
    log = tmp_path / "log"
    child = supervisor.start("stubborn", _STUBBORN, log=log, environment=os.environ)
    _until(lambda: _written(log))
    supervisor.stop(patience=0.3, hurry=lambda: False)
    assert child.process.returncode == -signal.SIGKILL


def test_a_second_signal_ends_patience(tmp_path: Path) -> None:
    supervisor = Supervisor()
    log = tmp_path / "log"
    child = supervisor.start("stubborn", _STUBBORN, log=log, environment=os.environ)
    _until(lambda: _written(log))
    supervisor.stop(patience=600, hurry=lambda: True)
    assert child.process.returncode == -signal.SIGKILL


def test_a_child_that_ends_by_itself_is_noticed_with_its_last_words(tmp_path: Path) -> None:
    supervisor = Supervisor()
    log = tmp_path / "log"
    supervisor.start("sleeper", _SLEEP, log=tmp_path / "other", environment=os.environ)
    supervisor.start("brief", ["sh", "-c", "echo gone; exit 3"], log=log, environment=os.environ)
    _until(lambda: supervisor.ended() is not None)
    ended = supervisor.ended()
    assert ended is not None
    assert (ended.name, ended.log_end()) == ("brief", "gone")
    supervisor.stop(patience=5, hurry=lambda: False)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("kill -9 $$", "SIGKILL ended it"),
        (
            """echo '{"level": "INFO", "message": "up"}'; echo no room
               echo '{"level": "ERROR", "message": "disk full"}'; exit 3""",
            "exit status 3\nno room\ndisk full",
        ),
    ],
)
def test_how_a_child_ended_is_said_in_words(tmp_path: Path, script: str, said: str) -> None:
    supervisor = Supervisor()
    child = supervisor.start(
        "brief", ["sh", "-c", script], log=tmp_path / "log", environment=os.environ
    )
    _until(lambda: supervisor.ended() is not None)
    assert child.last_words() == said


def test_children_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    code = (
        "import os, sys, time; from pathlib import Path; from tools.supervisor import Supervisor; "
        f"child = Supervisor().start('sleeper', {_SLEEP!r}, log=Path({str(tmp_path / 'log')!r}), "
        "environment=os.environ); print(child.process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        _until(lambda: _written(tmp_path / "log"))
        assert _alive(pid)
        parent.kill()
    _until(lambda: not _alive(pid))
