"""What pages tell of a debate's calls is the same on every database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studyapp.selectors.debates import debates_rows
from tests.studyapp.held import committee_queued, draft_new, held
from tests.studyapp.selectors.debates_on_sqlite import told

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.django_db
@pytest.mark.timeout(120)
def test_replies_that_are_json_are_read_on_the_embedded_database_too(
    settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path / "here"
    (tmp_path / "there").mkdir()

    here, there = told(), _on_sqlite(tmp_path / "there")

    assert there == here
    assert {kind for kind, *_ in there} >= {"search", "weights", "ballot", "review", "turn"}
    assert ["turn", "null", False] in there
    assert [row for row in there if row[2] == "finished"] == [
        ["max_rounds", True, "finished"],
        ["max_rounds", True, "finished"],
        ["script_ended", False, "finished"],
    ]
    assert not [step for step in there if step[2] is True]


def _on_sqlite(folder: Path) -> list[list[Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.studyapp.selectors.debates_on_sqlite", str(folder)],
        cwd=ROOT,
        env=os.environ | {"SECRET_KEY": "x" * 50, "INSECURE_HTTP": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.mark.django_db
def test_a_list_of_debates_leaves_their_records_in_the_database(
    settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    study_id = draft_new()
    held(committee_queued(study_id))

    with CaptureQueriesContext(connection) as asked:
        (row,) = list(debates_rows(study_id))

    assert (row.stop, row.is_whole, bool(row.scenario)) == ("max_rounds", True, True)
    (query,) = asked.captured_queries
    assert '"record",' not in query["sql"]
