"""What a server told one process, the others of the machine heed too; with real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from apg_engine.llm.endpoint_pace import EndpointPaces, paces_of
from apg_engine.llm.pace_store import FilePaces
from tests.apg_engine.llm.test_endpoint_pace import Narrow, Time, taken
from tests.fakes.openai_server import FakeOpenAI

ROOT = Path(__file__).resolve().parents[3]
# One caller in a process of its own: asks, and prints how the call ended.
CALLER = """
import json, sys
from apg_engine import ModelSpec
from apg_engine.calls import ChatRequest, Message
from apg_engine.models import chat_model_build

url, state = sys.argv[1:]
spec = ModelSpec(kind="openai", name="m", base_url=url, attempts=12)
model = chat_model_build(spec, "auditor", {"APG_STATE_DIR": state})
for _ in range(2):
    reply = model.complete(ChatRequest((Message("user", "hello"),), temperature=0.0, max_tokens=9),
                           ordinal=1)
    print(json.dumps([reply.status.value, len(reply.attempts)]))
"""
# Takes 25 moments at a clock that stands still, and prints how long each is away.
TAKER = """
import sys
from pathlib import Path
from apg_engine.llm.endpoint_pace import EndpointPaces
from apg_engine.llm.pace_store import FilePaces

for _ in range(25):
    paces = EndpointPaces(FilePaces(Path(sys.argv[1])))
    paces.take("a", until=1e9, clock=lambda: 100.0, sleep=print)
"""


def file_paces(folder: Path) -> EndpointPaces:
    return EndpointPaces(FilePaces(folder / "state" / "paces.sqlite3"))


def test_two_processes_are_spaced_as_one_of_them_was_told(tmp_path: Path) -> None:
    told = (
        "import sys; from pathlib import Path; from apg_engine.llm.endpoint_pace import *;"
        "EndpointPaces(FilePaces(Path(sys.argv[1]))).slow('a', 2, now=100)"
    )
    path = tmp_path / "state" / "paces.sqlite3"
    subprocess.run([sys.executable, "-c", told, str(path)], check=True, cwd=ROOT)
    time_ = Time()

    for _ in range(3):
        taken(file_paces(tmp_path), time_)
    taken(file_paces(tmp_path), time_, endpoint="another")

    assert time_.slept == [2.0, 4.0]


def test_no_two_calls_of_four_processes_get_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "state" / "paces.sqlite3"
    file_paces(tmp_path).slow("a", 1, now=100)
    command = [sys.executable, "-c", TAKER, str(path)]
    takers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(4)
    ]
    slept = [float(line) for taker in takers for line in taker.communicate()[0].splitlines()]

    assert sorted(slept) == [float(moment) for moment in range(1, 100)]


@pytest.mark.timeout(120)
def test_processes_at_a_narrow_server_all_get_through(tmp_path: Path) -> None:
    narrow = Narrow(0.1)
    with FakeOpenAI(narrow) as server:
        command = [sys.executable, "-c", CALLER, server.base_url, str(tmp_path)]
        callers = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(5)
        ]
        said = [caller.communicate()[0].splitlines() for caller in callers]

    replies = [json.loads(line) for lines in said for line in lines]
    assert [status for status, _ in replies] == ["ok"] * 10
    assert narrow.refused == sum(tries - 1 for _, tries in replies)
    assert (tmp_path / "paces.sqlite3").exists() is (narrow.refused > 0)


def test_answers_ease_the_pace_of_all(tmp_path: Path) -> None:
    file_paces(tmp_path).slow("a", 2, now=100)
    for _ in range(8):
        file_paces(tmp_path).ease("a", now=100)
    time_ = Time()
    for _ in range(3):
        taken(file_paces(tmp_path), time_)

    assert time_.slept == []


@pytest.mark.parametrize("now", [100_000.0, -100_000.0])
def test_a_pace_of_long_ago_or_of_another_start_of_the_machine_is_forgotten(
    tmp_path: Path, now: float
) -> None:
    file_paces(tmp_path).slow("a", 60, now=now)
    time_ = Time()
    for _ in range(3):
        taken(file_paces(tmp_path), time_)

    assert time_.slept == []


def test_no_file_is_made_before_an_endpoint_asks_for_a_wait(tmp_path: Path) -> None:
    paces, time_ = file_paces(tmp_path), Time()
    taken(paces, time_)
    paces.ease("a", now=100)

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_used_leaves_each_process_its_own_pace(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "paces.sqlite3").write_text("this is no database, and long enough")
    paces, time_ = file_paces(tmp_path), Time()
    paces.slow("a", 2, now=100)
    for _ in range(2):
        taken(paces, time_)

    assert time_.slept == [2.0]


def test_the_state_folder_is_the_named_one_else_the_users(tmp_path: Path) -> None:
    named = paces_of({"APG_STATE_DIR": str(tmp_path), "HOME": "/nowhere"})

    assert named is paces_of({"APG_STATE_DIR": str(tmp_path)})
    assert paces_of({"HOME": "/a"}) is paces_of({"HOME": "/a", "XDG_STATE_HOME": ""})
    assert paces_of({"XDG_STATE_HOME": "/b", "HOME": "/a"}) is not paces_of({"HOME": "/a"})
    assert paces_of({}) is paces_of({})
