"""A file with a trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apg_engine import trace_to_dict
from tests.apg_engine.traces_for_tests import two_sided


@pytest.fixture
def trace_file(tmp_path: Path) -> Path:
    path = tmp_path / "two_sided.json"
    path.write_text(json.dumps(trace_to_dict(two_sided())), encoding="utf-8")
    return path
