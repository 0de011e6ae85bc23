"""A batch that was killed, stopped or changed, and the same command again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import FileJournal
from apg_engine.batch.tables import RUNS, SENTENCES
from apg_engine.kept_folder import LockedFolder
from tests.apg_engine.batch.batches import ROOT, batch, lines, live, rows
from tests.apg_engine.provenance.runs import trace_file
from tests.apg_engine.traces_for_tests import two_sided
from tests.fakes.openai_answers import refusal
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible


def many(folder: Path, number: int) -> Path:
    for n in range(number):
        turns = two_sided().turns
        context = f"Only 40 MW of power remain in valley {n} until Friday."
        trace_file(folder / f"d{n}.json", replace(two_sided(), crisis_context=context, turns=turns))
    return folder


def test_an_ended_batch_is_not_run_again(debates: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with FakeOpenAI(plausible) as server:
        first = batch(debates, "--out", out, *live(server))
        calls, table = server.calls, (out / "runs.csv").read_bytes()
        again = batch(debates, "--out", out, *live(server))

        assert first == again
        assert server.calls == calls
        assert (out / "runs.csv").read_bytes() == table


def test_what_a_kill_left_half_written_is_mended(debates: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(debates, "--out", out)
    table, sentences = rows(out), lines(out)
    whole = (out / "runs.csv").read_bytes()
    (out / "runs.csv").write_bytes(whole[:-7])
    with (out / "sentences.jsonl").open("a") as file:
        file.write('{"run": "half')

    batch(debates, "--out", out)

    assert rows(out) == table
    key = json.dumps
    assert sorted(map(key, lines(out))) == sorted(map(key, sentences))


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_batch_that_is_killed_repeats_no_recorded_call(tmp_path: Path) -> None:
    (tmp_path / "debates").mkdir()
    folder, out = many(tmp_path / "debates", 6), tmp_path / "out"
    with FakeOpenAI(plausible, latency=0.05) as server:
        command = [
            sys.executable, "-m", "apg_engine", "batch", str(folder), "--out", str(out),
            "--concurrency", "3", *live(server),
        ]  # fmt: skip
        for kill in (signal.SIGKILL, signal.SIGINT):
            work = subprocess.Popen(command, cwd=ROOT, env={"PATH": os.environ["PATH"]})
            begun = server.calls
            while server.calls < begun + 7 and work.poll() is None:
                time.sleep(0.01)
            work.send_signal(kill)
            work.wait(timeout=60)
        done = subprocess.run(
            command, cwd=ROOT, env={"PATH": os.environ["PATH"]}, capture_output=True, check=False
        )

        assert done.returncode == 3, done.stderr
        recorded = sum(len(FileJournal(path).records) for path in out.glob("runs/*/journal.jsonl"))
        assert recorded == 6 * 6
        # What a kill cut off was asked and never recorded: at most one call a thread.
        assert recorded <= server.calls <= recorded + 3
    assert len(rows(out)) == 6
    assert len(lines(out)) == len({json.dumps(line) for line in lines(out)})


def test_a_spent_budget_stops_all_runs_and_a_larger_one_goes_on(
    debates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    with FakeOpenAI(plausible) as server:
        arguments = [debates, "--out", out, *live(server), "--concurrency", "1"]
        assert batch(*arguments, "--max-calls", "4") == 4
        assert server.calls == 4
        assert "budget of 4 calls is spent" in capsys.readouterr().err
        assert batch(*arguments, "--max-calls", "12") == 3
        assert server.calls == 12
    assert len(rows(out)) == 2


def test_a_limit_on_cost_needs_a_known_price(
    debates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeOpenAI(plausible) as server:
        assert batch(debates, "--out", tmp_path / "o", *live(server), "--max-cost", "1") == 2
        assert server.calls == 0
    assert "price of m" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_runs_that_cannot_be_judged_leave_the_others_alone(debates: Path, tmp_path: Path) -> None:
    def answer(body: dict[str, object]) -> object:
        return refusal("No.") if "16 MW to the clinic" in str(body) else plausible(body)

    with FakeOpenAI(answer) as server:  # type: ignore[arg-type]  # the answer is one of two
        assert batch(debates, "--out", tmp_path / "o", *live(server)) == 4

    told = rows(tmp_path / "o")
    assert told["together"]["reason"] == "proposer_refused"
    assert told["together"]["pf_initial_paper"] == ""
    assert told["apart"]["outcome"] == "divergence"


@pytest.mark.parametrize(
    ("name", "damage", "place"),
    [
        ("runs.csv", b"\xff\xfe\n", "no UTF-8"),
        ("runs.csv", b"one;two\n", "line 4: found 1 cells"),
        ("runs.csv", b'"a" b\n', "content"),
        ("sentences.jsonl", b"no json\n", "no sentence of a run"),
        ("sentences.jsonl", b"[]\n", "no sentence of a run"),
    ],
)
def test_a_table_that_something_else_changed_is_named_and_can_be_written_anew(
    name: str,
    damage: bytes,
    place: str,
    debates: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    assert batch(debates, "--out", out) == 3
    whole = {one: sorted((out / one).read_bytes().splitlines()) for one in (RUNS, SENTENCES)}
    with (out / name).open("ab") as file:
        file.write(damage)

    assert batch(debates, "--out", out) == 2
    told = capsys.readouterr().err
    assert f"{out / name}: " in told
    assert place in told
    for one in (RUNS, SENTENCES):
        (out / one).unlink()
    assert batch(debates, "--out", out) == 3
    assert {
        one: sorted((out / one).read_bytes().splitlines()) for one in (RUNS, SENTENCES)
    } == whole


def test_two_batches_do_not_work_in_one_folder(
    debates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LockedFolder(tmp_path / "out"):
        assert batch(debates, "--out", tmp_path / "out") == 2

    assert "another process at work in it" in capsys.readouterr().err
