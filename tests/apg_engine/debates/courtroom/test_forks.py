"""`debate fork` over a trial, and `debate drill`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.apg_engine.debates.courtroom.trials import CLAIM, TEXTS, record, run


def test_a_fork_without_an_exhibit_tells_its_influence(trial: Path, tmp_path: Path) -> None:
    assert run("fork", trial, "--without", "E1", "--out", tmp_path / "f", "--json") == 0

    told = json.loads((tmp_path / "f" / "influence.json").read_text("utf-8"))
    after = record(tmp_path / "f")
    assert told["withheld"] == ["E1"]
    assert told["verdict"]["before"]["finding"] == "SUPPORT"
    assert told["is_verdict_changed"]
    for run_ in (after, after["switched_run"]):
        assert "E1" not in [item["id"] for item in run_["docket"]]
        assert TEXTS[0] not in " ".join(turn["text"] for turn in run_["turns"])


def test_a_fork_without_a_turn_keeps_the_switched_run_as_it_was(
    trial: Path, tmp_path: Path
) -> None:
    before = record(trial)
    assert run("fork", trial, "--without", "T1", "--out", tmp_path / "f", "--json") == 0

    after = record(tmp_path / "f")
    assert after["switched_run"] == before["switched_run"]
    trace = json.loads((tmp_path / "f" / "trace.json").read_text("utf-8"))
    assert [turn["speaker"] for turn in trace["turns"]] == [
        turn["speaker"] for turn in after["turns"][1:]
    ]
    told = json.loads((tmp_path / "f" / "influence.json").read_text("utf-8"))
    assert not told["is_verdict_changed"]
    assert told["confidence_change"] == 0.0


def test_what_nobody_was_shown_cannot_be_taken_out(
    trial: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fork", trial, "--without", "E99", "--out", tmp_path / "f") == 2
    assert "found E99; allowed: E1" in capsys.readouterr().err


def test_a_fork_whose_index_has_changed_is_refused(
    trial: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = json.loads((trial / "setup.json").read_text("utf-8"))
    moved = tmp_path / "moved"
    moved.mkdir()
    (moved / "journal.jsonl").write_bytes((trial / "journal.jsonl").read_bytes())
    setup["library"]["sha256"] = "0" * 64
    (moved / "setup.json").write_text(json.dumps(setup))
    (moved / "debate.json").write_text(json.dumps(record(trial) | {"setup": setup}))

    assert run("fork", moved, "--without", "E1", "--out", tmp_path / "f") == 2
    assert f"allowed: {'0' * 64}" in capsys.readouterr().err


def test_a_drill_is_told_and_kept(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("drill", "--claim", CLAIM, "--index", index, "--out", tmp_path / "d")

    assert run(*command) == 0
    assert "the verdict holds: SUPPORT without, SUPPORT with planted orders" in (
        capsys.readouterr().out
    )
    assert json.loads((tmp_path / "d" / "drill.json").read_text("utf-8"))["holds"]


def test_a_fork_of_a_drills_trial_takes_one_planted_order_out(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drill, fork = tmp_path / "d", tmp_path / "f"
    run("drill", "--claim", CLAIM, "--index", index, "--out", drill)
    first = f"E{len(TEXTS) + 1}"

    assert run("fork", drill, "--without", first, "--out", fork) == 2
    assert "a drill, which is two trials; allowed: " in capsys.readouterr().err
    assert run("fork", drill / "planted", "--without", first, "--out", fork, "--json") == 0

    planted = [one["document"] for one in record(fork)["docket"] if "canary" in one["document"]]
    assert sorted(planted) == ["canary-2", "canary-3", "canary-4"]
    assert not json.loads((fork / "influence.json").read_text("utf-8"))["is_verdict_changed"]
