"""Exports on the embedded database: the same tables, and one moment's state there too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.load import LoadOptions, load

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.timeout(120)
def test_an_export_on_sqlite_is_one_moment_s_state_and_is_built_by_a_job(tmp_path: Path) -> None:
    program = "tests.studyapp.services.export.on_sqlite"
    done = subprocess.run(
        [sys.executable, "-m", program, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"SECRET_KEY": "x" * 50, "INSECURE_HTTP": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)

    assert found["state"] == "finished"
    assert found["left"] == 0
    assert found["lines"] == found["people"] > 0
    dataset = load(Path(found["file"]), LoadOptions(include_test=True, include_bots=True))
    assert len(dataset.records.participants) == found["people"]
