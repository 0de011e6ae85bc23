"""Workers killed in the middle of a trial: it ends as if left alone, and nothing is done twice."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from apg_engine.debates.courtroom.config import ROLES
from tests.apg_engine.debates.courtroom.trials import CLAIM, TEXTS
from tests.fakes.openai_server import digest
from tests.flows.house import DEMO_STUDY, ROOT, House, port_free

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

LATENCY_SECONDS = 0.1
KILLS = 2


class Call(NamedTuple):
    """A recorded call: its number and the hash of what a model was asked; a search asks none."""

    sequence: int
    asked: str


@pytest.fixture
def log(house: House) -> Path:
    """Start a model that plays every role of a court; return where it writes what it answered."""
    port, path = port_free(), house.folder / "endpoint.jsonl"
    command = [sys.executable, "-m", "tests.fakes.trying", "--port", str(port)]
    command += ["--latency", str(LATENCY_SECONDS), "--log", str(path)]
    environment = {**house.environment, "PYTHONPATH": str(ROOT)}
    house.supervisor.start("endpoint", command, log=house.folder / "out", environment=environment)
    house.wait(lambda: "listening" in (house.folder / "out").read_text())
    spec = {"kind": "openai", "name": "fake", "base_url": f"http://127.0.0.1:{port}/v1"}
    config = {"roles": dict.fromkeys(ROLES, spec), "same_family": True, "rounds": 2}
    (house.folder / "court.yaml").write_text(json.dumps(config))
    rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(TEXTS, 1)]
    corpus = "".join(f"{json.dumps(row)}\n" for row in rows)
    (house.folder / "corpus.jsonl").write_text(corpus)
    return path


def test_a_killed_trial_ends_like_one_that_was_left_alone(house: House, log: Path) -> None:
    house.manage("load_study", str(DEMO_STUDY))
    _trial_ask(house)
    recorded: list[Call] = []
    for kill in range(KILLS):
        worker = house.worker_start(f"killed{kill}")
        enough = len(recorded) + 8
        house.wait(lambda: len(_recorded(house, 1)) >= enough)  # noqa: B023 - called in this turn
        house.worker_stop(worker)
        recorded = _recorded(house, 1)
        states = house.rows("SELECT state FROM studyapp_debatebranch")
        assert ("running",) in states, "the kill hit no branch"
    # The endpoint still answers, and writes down, what the dead worker had asked.
    time.sleep(5 * LATENCY_SECONDS)
    before = len(_answered(log))

    house.worker_start("last")
    house.wait(lambda: _ended(house, 1))

    calls = _recorded(house, 1)
    assert [call for call in calls if call in set(recorded)] == recorded
    left = Counter(call.asked for call in set(calls) - set(recorded) if call.asked)
    assert Counter(_answered(log)[before:]) == left, "a recorded call was made again"

    _trial_ask(house)
    house.wait(lambda: _ended(house, 2))

    assert calls == _recorded(house, 2)
    traces = house.rows("SELECT count(trace_id), count(DISTINCT trace_id) FROM studyapp_debaterun")
    assert traces == [(2, 1)], "the trace is not that of a trial which was left alone"


def _trial_ask(house: House) -> None:
    files = {"--config": "court.yaml", "--corpus": "corpus.jsonl"}
    named = [word for flag, name in files.items() for word in (flag, str(house.folder / name))]
    house.manage("hold_debate", "demo", "courtroom", "--claim", CLAIM, *named)


def _ended(house: House, debate: int) -> bool:
    states = house.rows("SELECT id, state, error FROM studyapp_debaterun")
    ((state, error),) = [found for number, *found in states if number == debate]
    assert state in ("queued", "running", "finished"), error
    return bool(state == "finished")


def _recorded(house: House, debate: int) -> list[Call]:
    rows = house.rows("SELECT sequence, record, debate_id FROM studyapp_modelcall")
    return sorted(
        Call(sequence, _asked(_record(stored)["request"]))
        for sequence, stored, found in rows
        if found == debate
    )


def _asked(request: dict[str, Any]) -> str:
    return digest(request["messages"]) if "messages" in request else ""


def _record(stored: Any) -> dict[str, Any]:
    # SQLite gives the text of a JSON column, PostgreSQL what it means.
    return dict(json.loads(stored) if isinstance(stored, str) else stored)


def _answered(log: Path) -> list[str]:
    lines = log.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["messages_sha256"] for line in lines]
