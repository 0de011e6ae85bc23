"""`make demo` as a newcomer meets it: links, a second start, a busy port, Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.flows.house import ROOT, port_free
from tools.health import healthy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


@dataclass
class Demo:
    """`make demo` in the environment that the tests run in, with a folder of its own."""

    folder: Path
    port: int = field(default_factory=port_free)
    process: subprocess.Popen[bytes] = field(init=False)

    @property
    def output(self) -> Path:
        """Where everything it prints is kept."""
        return self.folder / f"printed-{id(self)}"

    @property
    def printed(self) -> list[str]:
        """The lines printed so far."""
        return self.output.read_text().splitlines(keepends=True)

    def start(self, *, port: str | None = None) -> Demo:
        """Start it; DATABASE_URL must not matter, so it names nothing good."""
        port = str(self.port) if port is None else port
        caller = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "DATABASE_URL": "none://"}
        settings = [f"VENV={sys.prefix}", f"PORT={port}", f"VAR_DIR={self.folder / 'var'}"]
        with self.output.open("w") as file:
            self.process = subprocess.Popen(
                ["make", "--no-print-directory", "demo", *settings],  # noqa: S607 - as a newcomer
                cwd=ROOT,
                env=caller,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        return self

    def until(self, words: str) -> Demo:
        """Wait until it has printed these words."""
        for _ in range(1200):
            if any(words in line for line in self.printed):
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(f"{words!r} was not printed:\n{''.join(self.printed)}")

    def line(self, start: str) -> str:
        """Return the rest of the printed line that starts with these words."""
        found = [line.strip() for line in self.printed if line.strip().startswith(start)]
        assert found, f"no line starts with {start!r}:\n{''.join(self.printed)}"
        return found[0].removeprefix(start).strip()

    def stop(self, number: signal.Signals) -> None:
        """Send a signal to everything in its terminal, as Ctrl-C does; wait until make ends."""
        os.killpg(self.process.pid, number)
        self.process.wait(timeout=60)

    def processes(self) -> list[str]:
        """List the processes that were started in this demo's folder."""
        mark = f"VAR_DIR={self.folder / 'var'}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append((entry / "cmdline").read_text().replace("\0", " "))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        return found


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    demo = Demo(tmp_path)
    yield demo
    if demo.process.poll() is None:
        os.killpg(demo.process.pid, signal.SIGKILL)
        demo.process.wait()


def test_it_reaches_its_links_again_and_again_and_leaves_no_process(
    demo: Demo, tmp_path: Path
) -> None:
    demo.start().until("Ctrl-C stops everything")
    first = (demo.line("Take part"), demo.line("name researcher, password"))
    assert re.fullmatch(rf"http://127\.0\.0\.1:{demo.port}/s/[\w-]{{22}}/", first[0])
    assert "energy: verified synthesis; stalemate: Divergence Report" in demo.line("✓ Both texts")
    assert "energy, finished" in demo.line("✓ A debate held here")
    assert healthy(f"http://127.0.0.1:{demo.port}/healthz")
    assert len(demo.processes()) >= 3
    _printed_lines_run(demo, tmp_path / "demo.zip")
    demo.stop(signal.SIGINT)
    assert demo.processes() == []
    password = tmp_path / "var" / "demo" / "password"
    assert password.stat().st_mode & 0o777 == 0o600

    again = Demo(tmp_path, port=demo.port).start()
    try:
        again.until("Ctrl-C stops everything")
        assert (again.line("Take part"), again.line("name researcher, password")) == first
        third = Demo(tmp_path).start()
        third.until("the demo runs already")
        assert third.process.wait(timeout=30) != 0
    finally:
        # Killed, not asked: its processes must not outlive it all the same.
        _supervisor_kill(again)
    assert again.process.wait(timeout=30) != 0
    for _ in range(150):
        if not again.processes():
            break
        time.sleep(0.1)
    assert again.processes() == []


def test_it_refuses_a_busy_port_and_names_a_way_out(demo: Demo) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", demo.port))
        taken.listen()
        demo.start().until(f"port {demo.port} is in use by another program")
        assert demo.process.wait(timeout=30) != 0
    assert re.search(r"make demo PORT=\d+", "".join(demo.printed))
    assert demo.processes() == []


@pytest.mark.parametrize("port", ["99999", "0", "abc", "80", ""])
def test_it_refuses_what_is_no_port_and_names_a_way_out(demo: Demo, port: str) -> None:
    demo.start(port=port)
    assert demo.process.wait(timeout=60) != 0
    said = "".join(demo.printed)
    assert f"PORT={port} is not a port that it can use: a whole number from 1024 to 65535" in said
    assert re.search(r"make demo PORT=\d+", said)
    assert "Traceback" not in said
    assert demo.processes() == []


@pytest.mark.parametrize("seconds", [0.05, 0.4, 0.8, 1.5])
def test_ctrl_c_in_the_first_moments_is_answered_calmly(demo: Demo, seconds: float) -> None:
    demo.start()
    time.sleep(seconds)
    demo.stop(signal.SIGINT)
    assert "Traceback" not in "".join(demo.printed)
    assert demo.processes() == []


def _printed_lines_run(demo: Demo, bundle: Path) -> None:
    """Do in a fresh shell what the demo says to do next."""
    said = "".join(demo.printed)
    lines = said[said.index("in a second terminal") :].splitlines()[1:]
    script = [line.replace("demo.zip", str(bundle)) for line in lines if line.startswith("    ")]
    assert any(" export_study " in line for line in script)
    # Nobody has answered yet, so the last line would have nothing to say.
    subprocess.run(
        ["bash", "-ec", "\n".join(script[:-1])],  # noqa: S607 - as a newcomer
        env={"PATH": os.environ["PATH"], "HOME": str(demo.folder)},
        check=True,
        capture_output=True,
        timeout=120,
    )
    assert bundle.exists()


def _supervisor_kill(demo: Demo) -> None:
    done = subprocess.run(
        ["pgrep", "-f", f"manage.py demo --port {demo.port}"],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    )
    for pid in done.stdout.split():
        os.kill(int(pid), signal.SIGKILL)
