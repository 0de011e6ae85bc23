"""Reports that many tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.reports import crossed, report
from tests.analysis.studies import N33, bundle


@pytest.fixture(scope="session")
def n33(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(tmp_path_factory.mktemp("n33"), N33)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    plan = {"exclusions": [{"rule": "too_fast", "value": 90}], "preregistered": True}
    pairs = {"energy": {"fidelity_difference": 0.3}, "stalemate": {"fidelity_difference": 0.7}}
    return report(folder, bundle(folder, crossed(), plan=plan, pairs=pairs), "--no-pdf")
