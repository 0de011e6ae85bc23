"""What a batch refuses, before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apg_engine.batch.batches import batch


def test_one_bad_debate_is_told_before_anything_runs(
    debates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (debates / "bad.json").write_text('{"a": 1}')

    assert batch(debates, "--out", tmp_path / "o") == 2
    assert "bad.json" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--concurrency", "0"], "1 to 256"),
        (["--requests-per-minute", "0"], "more than 0"),
        (["--max-calls", "-1"], "0 or more"),
        (["--prices", "none.json"], "none.json"),
        (["--proposer", "m"], "api_key_env"),
        (["--measured-by", "m"], "api_key_env"),
        (["--pairs", "99"], "1 to 11"),
    ],
)
def test_a_bad_option_is_refused_before_anything_is_written(
    arguments: list[str],
    word: str,
    debates: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert batch(debates, "--out", tmp_path / "o", *arguments) == 2
    assert word in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_a_folder_without_debates_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert batch(tmp_path / "empty", "--out", tmp_path / "o") == 2


def test_two_configurations_are_not_mixed_in_one_folder(
    debates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch(debates, "--out", tmp_path / "o")
    before = (tmp_path / "o" / "runs.csv").read_bytes()

    assert batch(debates, "--out", tmp_path / "o", "--threshold", "50") == 2
    assert "another configuration" in capsys.readouterr().err
    assert (tmp_path / "o" / "runs.csv").read_bytes() == before
