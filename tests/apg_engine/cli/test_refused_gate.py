"""Files and options that are refused before anything is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apg_engine import trace_to_dict
from tests.apg_engine.cli.gating import run
from tests.apg_engine.traces_for_tests import two_sided

BAD_FILES = {
    "empty": b"",
    "cut": b'{"format": "apg-trace", "version": 1, "title": "x',
    "no turns": json.dumps({**trace_to_dict(two_sided()), "turns": []}).encode(),
    "wrong version": json.dumps({**trace_to_dict(two_sided()), "version": 99}).encode(),
    "another thing": b'{"a": 1}',
    "no text": b"\xff\xfe\x00\x01",
}


@pytest.mark.parametrize("data", BAD_FILES.values(), ids=BAD_FILES.keys())
@pytest.mark.parametrize("command", ["gate", "import"])
def test_a_bad_file_gets_one_clear_line_and_changes_nothing(
    command: str, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(data)

    assert run(command, path, "--out", tmp_path / "out") == 2

    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert "bad.json" in errors
    assert "allowed" in errors
    assert not (tmp_path / "out").exists()


def test_an_absent_file_and_one_over_the_limit_are_refused(
    trace_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("gate", tmp_path / "none.json", "--out", tmp_path / "o") == 2
    assert run("gate", trace_file, "--out", tmp_path / "o", "--max-bytes", "10") == 2
    errors = capsys.readouterr().err
    assert "none.json" in errors
    assert "10 bytes" in errors
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--pairs", "12"], "1 to 11"),
        (["--threshold", "0"], "1 to 100"),
        (["--proposer", "m"], "api_key_env"),
        (["--preset", "paper"], "GEMINI_API_KEY"),
        (["--proposer", "scripted:none.json"], "none.json"),
        (["--auditor", "m", "--auditor-base-url", "nowhere"], "http"),
        (["--auditor", "m", "--auditor-temperature", "9"], "0 to 2"),
    ],
)
def test_a_bad_option_is_refused_before_anything_is_written(
    arguments: list[str],
    word: str,
    trace_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("gate", trace_file, "--out", tmp_path / "o", *arguments) == 2
    assert word in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_an_out_that_is_a_file_is_refused(trace_file: Path, tmp_path: Path) -> None:
    (tmp_path / "o").write_text("mine")

    assert run("gate", trace_file, "--out", tmp_path / "o") == 2
    assert (tmp_path / "o").read_text() == "mine"
