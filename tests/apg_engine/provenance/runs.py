"""Finished runs for tests, and ways to change them as somebody would who knows the format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from apg_engine import (
    FileJournal,
    GateConfig,
    ModelSpec,
    Trace,
    gate,
    models_from_config,
    trace_to_dict,
)
from apg_engine.journal_file import journal_read
from apg_engine.provenance.engine_version import engine_sha256
from apg_engine.provenance.manifest import manifest_bytes
from apg_engine.provenance.run_directory import RunDirectory
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible

Change = Callable[[dict[str, Any]], object]


def offline_run(path: Path, trace: Trace, **settings: Any) -> Path:
    """A run of the offline pair."""
    return _written(path, trace, GateConfig(**settings))


def model_run(path: Path, trace: Trace) -> Path:
    """A run of two models behind a fake server, with their calls in the journal."""
    with FakeOpenAI(plausible) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url)
        return _written(path, trace, GateConfig(proposer=spec, auditor=spec))


def _written(path: Path, trace: Trace, config: GateConfig) -> Path:
    models = models_from_config(config, environment={})
    with RunDirectory(path, trace) as directory:
        result = gate(trace, config=config, models=models, journal=directory.journal())
        directory.write(result)
    return path


def json_change(run: Path, name: str, change: Change) -> None:
    """Change a JSON file of a run in the form the engine writes it, and seal the run anew."""
    file = run / name
    data = json.loads(file.read_text("utf-8"))
    change(data)
    indent = 2 if name == "trace.json" else 1
    file.write_text(json.dumps(data, ensure_ascii=False, indent=indent) + "\n", "utf-8")
    reseal(run)


def journal_change(run: Path, line: int, change: Change) -> None:
    """Change one recorded call, with hashes, chain and seal made to fit."""
    records = list(FileJournal(run / "journal.jsonl").records)
    data = records[line].to_dict()
    change(data)
    records[line] = type(records[line]).from_dict(data)
    (run / "journal.jsonl").unlink()
    journal = FileJournal(run / "journal.jsonl")
    for record in records:
        journal.append(record)
    reseal(run)


def reseal(run: Path, *, engine: str = "") -> None:
    """Write a manifest that fits the files as they are, of this engine or of another one."""
    files = {p.name: p.read_bytes() for p in run.iterdir() if p.name != "manifest.json"}
    records, chain = journal_read(files["journal.jsonl"], file_name="journal.jsonl")
    manifest = manifest_bytes(
        files, engine=engine or engine_sha256(), calls=len(records), chain=chain
    )
    (run / "manifest.json").write_bytes(manifest)


def trace_file(path: Path, trace: Trace) -> Path:
    """A trace as a file."""
    path.write_text(json.dumps(trace_to_dict(trace)), encoding="utf-8")
    return path
