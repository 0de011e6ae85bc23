"""A folder with two debates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apg_engine.provenance.runs import trace_file
from tests.apg_engine.traces_for_tests import agreeing, two_sided


@pytest.fixture
def debates(tmp_path: Path) -> Path:
    folder = tmp_path / "debates"
    folder.mkdir()
    trace_file(folder / "apart.json", two_sided())
    trace_file(folder / "together.json", agreeing())
    return folder
