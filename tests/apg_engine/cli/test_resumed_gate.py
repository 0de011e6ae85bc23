"""The same `gate` command again: nothing is paid for twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apg_engine import FileJournal, trace_to_dict
from tests.apg_engine.cli.gating import run
from tests.apg_engine.traces_for_tests import agreeing
from tests.fakes.openai_answers import dropped
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible


def live(server: FakeOpenAI) -> list[str]:
    return [
        "--proposer", "m", "--proposer-base-url", server.base_url,
        "--auditor", "n", "--auditor-base-url", server.base_url,
    ]  # fmt: skip


def test_an_ended_run_is_not_paid_for_twice(trace_file: Path, tmp_path: Path) -> None:
    with FakeOpenAI(plausible) as server:
        first = run("gate", trace_file, "--out", tmp_path / "o", *live(server))
        report = (tmp_path / "o" / "report.md").read_bytes()
        calls = server.calls
        again = run("gate", trace_file, "--out", tmp_path / "o", *live(server))

        assert first == again == 3
        assert server.calls == calls == 6
        assert (tmp_path / "o" / "report.md").read_bytes() == report


def test_a_run_that_was_cut_off_goes_on(trace_file: Path, tmp_path: Path) -> None:
    with FakeOpenAI(plausible) as server:
        run("gate", trace_file, "--out", tmp_path / "o", *live(server))
        journal = tmp_path / "o" / "journal.jsonl"
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[:2]) + lines[2][:50])
        run("gate", trace_file, "--out", tmp_path / "o", *live(server))

        assert server.calls == 6 + 4
        assert FileJournal(journal).find(6) is not None


def test_a_dead_server_ends_as_not_judged(trace_file: Path, tmp_path: Path) -> None:
    with FakeOpenAI([dropped()]) as server:
        config = tmp_path / "o"
        arguments = ["gate", trace_file, "--out", config, *live(server)]
        status = run(*arguments, "--proposer-attempts", "1")

        assert status == 4


def test_a_directory_of_another_run_is_left_alone(
    trace_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(trace_to_dict(agreeing())), encoding="utf-8")
    run("gate", other, "--out", tmp_path / "o")
    before = {path.name: path.read_bytes() for path in (tmp_path / "o").iterdir()}

    assert run("gate", trace_file, "--out", tmp_path / "o") == 2
    assert {path.name: path.read_bytes() for path in (tmp_path / "o").iterdir()} == before

    assert run("gate", other, "--out", tmp_path / "o", "--language", "pl") == 2
    assert "ended with other options" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in (tmp_path / "o").iterdir()} == before
