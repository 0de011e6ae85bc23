"""Debates as processes that are interrupted, killed at once or forked: nothing recorded is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from apg_engine.cli.status import ExitStatus
from tests.apg_engine.debates.courtroom.trials import CLAIM
from tests.fakes.debating import debating
from tests.fakes.openai_answers import Answer, Body, text
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.trying import purpose_of, trying

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

# Asks once, forks, and asks in both processes; nothing else runs in them.
FORKING = """
import os, sys
from apg_engine.calls import ChatRequest, Message
from apg_engine.config import ModelSpec
from apg_engine.models import chat_model_build

model = chat_model_build(ModelSpec(kind="openai", name="m", base_url=sys.argv[1]), "auditor", {})
request = ChatRequest(
    messages=(Message("system", "Be short."), Message("user", "Hello?")),
    temperature=0.0,
    max_tokens=50,
)
asked = [model.complete(request, ordinal=1).status.value]
child = os.fork()
asked.append(model.complete(request, ordinal=2).status.value)
print(*asked, flush=True)
if child:
    os.waitpid(child, 0)
else:
    os._exit(0)
"""


def started(*arguments: object) -> subprocess.Popen[str]:
    """Start the command as a process of its own."""
    command = [sys.executable, "-m", "apg_engine", "debate", *map(str, arguments), "--json"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def waited(is_there: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not is_there() and time.monotonic() < until:
        time.sleep(0.01)
    assert is_there()


def test_a_debate_killed_before_its_first_answer_is_still_there_and_is_held(
    tmp_path: Path,
) -> None:
    answering = threading.Event()

    def held_back(body: Body) -> Answer:
        answering.wait(60)
        return debating(body)

    out = tmp_path / "d"
    with FakeOpenAI(held_back) as server:
        command = ("committee", "--turns", 3, "--model", "m", "--out", out,
                   "--model-base-url", server.base_url)  # fmt: skip
        process = started(*command)
        waited(lambda: bool(server.requests))
        process.kill()
        process.communicate(timeout=20)
        answering.set()

        assert (out / "setup.json").exists()
        assert not (out / "journal.jsonl").exists()
        again = started(*command)
        _, told = again.communicate(timeout=90)

    assert again.returncode in {0, 3}, told
    assert len(json.loads((out / "debate.json").read_text("utf-8"))["turns"]) == 3


def test_an_interrupt_while_judges_vote_loses_none_of_their_ballots(
    index: Path, tmp_path: Path
) -> None:
    answering = threading.Event()

    def last_judge_waits(body: Body) -> Answer:
        is_judge = purpose_of(str(body["messages"][0]["content"])) == "judge"
        if is_judge and body["model"] == "hermes-3":
            answering.wait(60)
        return trying(body)

    out = tmp_path / "t"
    with FakeOpenAI(last_judge_waits) as server:
        judges = [
            part for name in ("qwen3", "deepseek-r1", "hermes-3") for part in ("--judge", name)
        ]
        command = ("courtroom", "--claim", CLAIM, "--index", index, "--rounds", 1, "--threads", 8,
                   "--model", "gpt-5-mini", *judges, "--model-base-url", server.base_url,
                   "--out", out)  # fmt: skip
        process = started(*command)
        journal = out / "journal.jsonl"
        waited(
            lambda: journal.exists() and journal.read_text("utf-8").count('"role": "judge_') == 4
        )
        process.send_signal(signal.SIGINT)
        answering.set()
        _, told = process.communicate(timeout=60)
        before, asked = journal.read_bytes(), server.calls

        assert process.returncode == ExitStatus.INTERRUPTED, told
        again = started(*command)
        _, told = again.communicate(timeout=90)
        repeated = server.calls - asked

    assert again.returncode in {0, 3}, told
    assert before.count(b'"role": "judge_') >= 4
    assert journal.read_bytes().startswith(before)
    rows = journal.read_bytes().count(b'"messages"')
    assert repeated == rows - before.count(b'"messages"')
    assert len(json.loads((out / "debate.json").read_text("utf-8"))["ballots"]) == 3


def test_a_forked_process_asks_on_a_connection_of_its_own() -> None:
    with FakeOpenAI(lambda _: text("Hello.")) as server:
        done = subprocess.run(
            [sys.executable, "-c", FORKING, server.base_url],
            capture_output=True,
            check=True,
            timeout=60,
            text=True,
        )
        assert server.calls == 3

    assert done.stdout.split() == ["ok"] * 4
