"""The benchmarks on a large study, run as a person runs them, on a small one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

ROOT = Path(__file__).resolve().parents[2]


def _printed(name: str, *options: str) -> str:
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *options],
        cwd=ROOT,
        env=kept,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pages_of_a_large_study_are_measured_beside_a_bare_query() -> None:
    printed = _printed("watch", "--people", "12", "--repeat", "1")
    assert "12 participants" in printed
    assert "study-watch" in printed
    assert "API watch" in printed
    assert "aim: under 300" in printed


def test_exports_are_measured_beside_copy() -> None:
    printed = _printed("export", "--people", "20", "--forms", "bundle,xlsx", "--repeat", "1")
    assert [line.split()[1] for line in printed.splitlines() if line[:2] in ("1x", "2x", "4x")] == [
        "80",
        "160",
        "320",
    ]
    assert "20 participants, 800 answers" in printed
    assert "xlsx" in printed
