"""Runs that have ended, by rules and by a model, and copies of them to tamper with."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.apg_engine.provenance.runs import (
    model_run,
    offline_run,
)
from tests.apg_engine.traces_for_tests import two_sided


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return offline_run(tmp_path_factory.mktemp("runs") / "offline", two_sided())


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return model_run(tmp_path_factory.mktemp("runs") / "model", two_sided())


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


@pytest.fixture
def model(asked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(asked, tmp_path / "model"))
