"""`debate fork` of a committee's debate."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.apg_engine.debates.committee.commands import record, run


@pytest.fixture(scope="module")
def stalemate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("debate") / "d"
    run("committee", "--scenario", "energy", "--seed", 126, "--turns", 12, "--out", out, "--json")
    return out


def test_without_the_shock_that_broke_it_the_debate_agrees(
    stalemate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fork", stalemate, "--without", "S2", "--out", tmp_path / "f") == 0

    told = json.loads((tmp_path / "f" / "influence.json").read_text("utf-8"))
    assert told["turns_changed"] == [8, 9, 10, 11, 12]
    assert told["is_verdict_changed"]
    assert told["gate"]["before"]["outcome"] == "divergence"
    assert told["gate"]["after"]["outcome"] == "synthesis"
    assert "the verdict changed: divergence before, synthesis after" in capsys.readouterr().out
    trace = json.loads((tmp_path / "f" / "trace.json").read_text("utf-8"))
    assert len(trace["shocks"]) == 1


def test_a_fork_starts_with_the_rows_that_did_not_see_it(stalemate: Path, tmp_path: Path) -> None:
    run("fork", stalemate, "--without", "S2", "--out", tmp_path / "f", "--json")

    row = json.loads((tmp_path / "f" / "influence.json").read_text("utf-8"))["row"]
    before = (stalemate / "journal.jsonl").read_bytes().splitlines()
    after = (tmp_path / "f" / "journal.jsonl").read_bytes().splitlines()
    assert row == 15
    assert after[: row - 1] == before[: row - 1]
    assert after[row - 1] != before[row - 1]


def test_a_turn_can_be_taken_out_and_an_axiom_too(stalemate: Path, tmp_path: Path) -> None:
    axiom = record(stalemate)["turns"][0]["evidence"][0]
    assert run("fork", stalemate, "--without", "T5", "--out", tmp_path / "t", "--json") == 0
    assert run("fork", stalemate, "--without", axiom, "--out", tmp_path / "a", "--json") == 0

    turns = json.loads((tmp_path / "t" / "trace.json").read_text("utf-8"))["turns"]
    gone = record(stalemate)["turns"][4]["text"]
    assert [turn["number"] for turn in turns] == list(range(1, 12))
    assert gone not in [turn["text"] for turn in turns]
    documents = json.loads((tmp_path / "a" / "trace.json").read_text("utf-8"))["documents"]
    assert axiom not in [document["id"] for document in documents]


def test_a_fork_from_a_later_row_than_the_first_that_saw_it_is_refused(
    stalemate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = ("fork", stalemate, "--without", "S2", "--out", tmp_path / "f")

    assert run(*fork, "--row", 20) == 2
    allowed = "found 20; allowed: 1 to 15, the first row that was shown what is taken out"
    assert allowed in capsys.readouterr().err
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--without", "T99"), "found T99; allowed: C1"),
        (("--without", "S2", "--row", "0"), "found 0; allowed: 1 to"),
    ],
)
def test_a_fork_that_cannot_be_is_refused(
    arguments: tuple[str, ...],
    complaint: str,
    stalemate: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("fork", stalemate, *arguments, "--out", tmp_path / "f") == 2
    assert complaint in capsys.readouterr().err


def test_a_folder_without_an_ended_debate_cannot_be_forked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fork", tmp_path, "--without", "T1", "--out", tmp_path / "f") == 2
    assert "found nothing; allowed: a debate that has ended" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"calls": [1]}, "calls.*.row: found None; allowed: int"),
        ({"turns": None}, "turns: found None; allowed: list"),
        ({"gate": 3}, "gate: found 3; allowed: dict"),
        ({"setup": {}}, "another setup than the record's"),
    ],
)
def test_a_fork_of_an_edited_record_is_refused(
    stalemate: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, object],
    complaint: str,
) -> None:
    shutil.copytree(stalemate, tmp_path / "edited")
    edited = record(stalemate) | change
    (tmp_path / "edited" / "debate.json").write_text(json.dumps(edited), "utf-8")

    assert run("fork", tmp_path / "edited", "--without", "T2", "--out", tmp_path / "f") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize("name", ["setup.json", "debate.json", "journal.jsonl"])
def test_json_that_is_nested_too_deep_is_named(
    stalemate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    shutil.copytree(stalemate, tmp_path / "edited")
    (tmp_path / "edited" / name).write_bytes(b"[" * 100_000 + b"\n")

    assert run("fork", tmp_path / "edited", "--without", "T2", "--out", tmp_path / "f") == 2
    assert "lists and objects stand in each other too deep" in capsys.readouterr().err
