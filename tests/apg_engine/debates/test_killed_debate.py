"""A debate of ten rounds, killed again and again: no recorded call is made a second time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apg_engine import FileJournal
from apg_engine.debates.record_json import RECORD_SCHEMA
from apg_engine.kept_folder import LockedFolder
from tests.fakes.openai_server import digest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

TURNS = 30
# A plan and a turn each.
CALLS = 2 * TURNS
KILLS = 3


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Start a debating model in a process of its own; give its address and its log."""
    log = tmp_path / "endpoint.jsonl"
    command = [sys.executable, "-m", "tests.fakes.debating", "--port", "0"]
    command += ["--latency", "0.03", "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1], log
        process.kill()


def command(url: str, out: Path) -> list[str]:
    model = ["--model", "m", "--model-base-url", url]
    debate = [sys.executable, "-m", "apg_engine", "debate", "committee", "--json"]
    return [*debate, *model, "--turns", str(TURNS), "--out", str(out)]


def killed_at(arguments: list[str], journal: Path, rows: int) -> None:
    """Start a debate and kill it when so many rows are recorded."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while recorded(journal) < rows and time.monotonic() < until:
        assert process.poll() is None, "the debate ended before it could be killed"
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=20)


def recorded(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def asked(record: Any) -> str:
    return digest(record.request["messages"])


def test_a_killed_debate_goes_on_and_repeats_no_recorded_call(
    endpoint: tuple[str, Path], tmp_path: Path
) -> None:
    url, log = endpoint
    out = tmp_path / "debate"
    journal = out / "journal.jsonl"
    for kill in range(1, KILLS + 1):
        killed_at(command(url, out), journal, kill * CALLS // (KILLS + 1))
        assert not (out / "debate.json").exists()
    before = journal.read_bytes()

    done = subprocess.run(command(url, out), capture_output=True, check=False, timeout=90)

    assert done.returncode in {0, 3}, done.stderr
    data = json.loads((out / "debate.json").read_text("utf-8"))
    assert (data["schema"], len(data["turns"])) == (RECORD_SCHEMA, TURNS)
    records = FileJournal(journal).records
    assert len(records) == CALLS
    complete = before[: before.rfind(b"\n") + 1]
    assert journal.read_bytes().startswith(complete)
    answered = Counter(
        json.loads(line)["messages_sha256"] for line in log.read_text("utf-8").splitlines()
    )
    times = [answered[asked(record)] for record in records]
    assert min(times) == 1
    # Only a call under way when its process was killed may have been made again.
    assert sum(times) - CALLS <= KILLS
    kept = {asked(record) for record in records[: complete.count(b"\n")]}
    repeated = [key for key in kept if answered[key] > 1]
    assert len(repeated) <= KILLS - 1


def test_a_folder_in_use_is_refused(endpoint: tuple[str, Path], tmp_path: Path) -> None:
    url, _ = endpoint
    out = tmp_path / "debate"

    with LockedFolder(out):
        second = subprocess.run(command(url, out), capture_output=True, check=False, timeout=90)

    assert second.returncode == 2
    assert b"another process at work in it" in second.stderr
