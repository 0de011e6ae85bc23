"""Exports on the embedded database: the same tables, and one moment's state there too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from analysis.load import LoadOptions, load

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.timeout(120)
def test_an_export_on_sqlite_is_one_moment_s_state_and_is_built_by_a_job(tmp_path: Path) -> None:
    found = _told(_start("on_sqlite", tmp_path))

    assert found["state"] == "finished"
    assert found["left"] == 0
    assert found["lines"] == found["people"] > 0
    dataset = load(Path(found["file"]), LoadOptions(include_test=True, include_bots=True))
    assert len(dataset.records.participants) == found["people"]


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_worker_killed_in_the_middle_is_followed_by_one_that_goes_on(tmp_path: Path) -> None:
    _told(_start("on_sqlite_killed", tmp_path, "begin"))
    worker = _start("on_sqlite_killed", tmp_path, "build")
    while _marked(tmp_path) < 10 and worker.poll() is None:
        time.sleep(0.01)
    worker.kill()
    worker.communicate()
    before = _marked(tmp_path)

    found = _told(_start("on_sqlite_killed", tmp_path, "resume"))

    assert before >= 10, "it was killed before anything was marked"
    assert found == {
        "left": "running", "due": True, "state": "finished", "attempts": 2, "same": True,
    }  # fmt: skip


def _start(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.studyapp.services.export.{program}", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"SECRET_KEY": "x" * 50, "INSECURE_HTTP": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _told(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    return dict(json.loads(out))


def _marked(folder: Path) -> int:
    """Count the rows that are marked as being on the disk."""
    for path in folder.glob("exports/work-*/*/marks.json"):
        tables = json.loads(path.read_text())["tables"]
        return sum(int(mark["rows"]) for mark in tables.values())
    return 0
