"""A pilot that ends while people come in and walk on leaves nobody behind, and no wrong number."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.racing_pilot import race

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

ROOT = Path(__file__).resolve().parents[3]
PEOPLE = 12


def expected(end: str) -> dict[str, Any]:
    return {
        "state": end,
        "of_the_pilot": 0,
        "of_another_design": 0,
        "counted_as_stored": True,
        "places_as_stored": True,
        "log": [],
        "verified": True,
    }


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("end", ["draft", "open"])
def test_on_postgresql(end: str) -> None:
    if connection.vendor == "sqlite":
        pytest.skip(
            "needs PostgreSQL: threads cannot share an in-memory SQLite; unset DATABASE_URL"
        )
    assert race(end, people=PEOPLE) == expected(end)


@pytest.mark.parametrize("end", ["draft", "open"])
def test_on_sqlite(end: str, tmp_path: Path) -> None:
    file = str(tmp_path / "pilot.sqlite3")
    done = subprocess.run(
        [sys.executable, "-m", "tests.racing_pilot", file, end, str(PEOPLE)],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected(end)
