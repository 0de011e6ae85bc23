"""An index of the small library, and a trial by rules that the command held over it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apg_engine.cli.parser import main
from tests.apg_engine.debates.courtroom.trials import CLAIM, TEXTS, run


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    rows = [{"id": f"d{n}", "title": f"Paper {n}", "text": text} for n, text in enumerate(TEXTS, 1)]
    (folder / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    command = ["index", "build", str(folder / "corpus.jsonl"), "--out", str(folder / "index")]
    assert main([*command, "--embedder", "hashed-words"], environment={}) == 0
    return folder / "index"


@pytest.fixture(scope="session")
def trial(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trial") / "t"
    assert run("courtroom", "--claim", CLAIM, "--index", index, "--out", out, "--json") == 0
    return out
