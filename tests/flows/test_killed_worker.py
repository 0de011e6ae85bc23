"""A worker killed in the middle of a run: the run finishes, and nothing is done twice."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.openai_server import digest
from tests.flows.house import ROOT, House, port_free

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

LATENCY_SECONDS = 0.5
# Two runs, each with a call under way when its worker dies.
IN_FLIGHT = 2


@pytest.fixture
def log(house: House) -> Path:
    """Start a model's endpoint that takes its time; return where it writes what it answered."""
    port, path = port_free(), house.folder / "endpoint.jsonl"
    command = [sys.executable, "-m", "tests.fakes.openai_server", "--port", str(port)]
    command += ["--latency", str(LATENCY_SECONDS), "--log", str(path)]
    environment = {**house.environment, "PYTHONPATH": str(ROOT)}
    house.supervisor.start("endpoint", command, log=house.folder / "out", environment=environment)
    house.wait(lambda: "listening" in (house.folder / "out").read_text())
    spec = {"kind": "openai", "name": "fake", "base_url": f"http://127.0.0.1:{port}/v1"}
    (house.folder / "gate.json").write_text(json.dumps({"proposer": spec, "auditor": spec}))
    return path


def test_a_killed_workers_runs_finish_and_no_recorded_call_is_repeated(
    house: House, log: Path
) -> None:
    house.manage("load_study", str(ROOT / "fixtures" / "demo_study.json"))
    house.manage("generate_texts", "demo", "--config", str(house.folder / "gate.json"))

    recorded: set[str] = set()
    kills = 2
    for kill in range(kills):
        worker = house.worker_start(f"killed{kill}")
        enough = len(recorded) + 2
        house.wait(lambda: len(_recorded(house)) >= enough)  # noqa: B023 - called in this turn
        house.worker_stop(worker)
        recorded = set(_recorded(house))
        assert house.rows("SELECT count(*) FROM studyapp_stimuluspair") == [(0,)]

    house.worker_start("last")
    unwritten = "SELECT count(*) FROM studyapp_scenario WHERE pair_id IS NULL"
    house.wait(lambda: house.rows(unwritten) == [(0,)])

    answered = Counter(line["messages_sha256"] for line in _lines(log))
    assert {answered[call] for call in recorded} == {1}, "a recorded call was made again"
    calls = _recorded(house)
    assert len(calls) == len(set(calls)), "a call is recorded twice"
    assert set(calls) <= set(answered)
    assert answered.total() <= len(calls) + kills * IN_FLIGHT
    states = house.rows("SELECT state, count(*) FROM studyapp_generationrun GROUP BY state")
    assert states == [("finished", 2)]
    assert house.rows("SELECT count(*), count(DISTINCT run_id) FROM studyapp_stimuluspair") == [
        (2, 2)
    ]
    ((attempts,),) = house.rows("SELECT max(attempts) FROM studyapp_generationrun")
    assert attempts >= kills, "the kills hit no run"


def _recorded(house: House) -> list[str]:
    """Return the hash of the messages of each recorded call."""
    rows = house.rows("SELECT record FROM studyapp_modelcall")
    return [digest(_record(row)["request"]["messages"]) for (row,) in rows]


def _record(stored: Any) -> dict[str, Any]:
    # SQLite gives the text of a JSON column, PostgreSQL what it means.
    return dict(json.loads(stored) if isinstance(stored, str) else stored)


def _lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
