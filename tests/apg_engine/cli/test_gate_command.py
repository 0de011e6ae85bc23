"""`gate` from the shell: what it writes, how it ends, and what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from apg_engine import (
    GateConfig,
    MemoryJournal,
    gate,
    import_trace,
    models_from_config,
    result_from_dict,
    trace_to_dict,
)
from tests.apg_engine.cli.gating import run
from tests.apg_engine.traces_for_tests import agreeing, two_sided

ROOT = Path(__file__).resolve().parents[3]

FILES = {
    "trace.json",
    "corpus.json",
    "result.json",
    "journal.jsonl",
    "baseline.md",
    "report.md",
    "manifest.json",
}


def test_a_divergence_is_written_whole_and_ends_with_3(trace_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"

    assert run("gate", trace_file, "--out", out) == 3

    assert {path.name for path in out.iterdir()} == FILES | {"divergence.json"}
    result = result_from_dict(json.loads((out / "result.json").read_text("utf-8")))
    assert (out / "report.md").read_text("utf-8").strip() == result.apg_text
    assert (out / "baseline.md").read_text("utf-8").strip() == result.baseline_text
    assert json.loads((out / "divergence.json").read_text("utf-8")) == result.divergence


def test_a_synthesis_ends_with_0(tmp_path: Path) -> None:
    path, out = tmp_path / "agreeing.json", tmp_path / "out"
    path.write_text(json.dumps(trace_to_dict(agreeing())), encoding="utf-8")

    assert run("gate", path, "--out", out) == 0
    assert {path.name for path in out.iterdir()} == FILES


def test_a_first_draft_that_passes_is_said_to_make_no_contrast(
    trace_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = import_trace(trace_file.read_bytes(), file_name=trace_file.name)
    stated = next(turn.text for turn in trace.turns).split(". ")[0].rstrip(".") + "."
    script = tmp_path / "answers.json"
    script.write_text(json.dumps([stated]), encoding="utf-8")

    assert run("gate", trace_file, "--out", tmp_path / "o", "--proposer", f"scripted:{script}") == 0
    assert "no contrast" in capsys.readouterr().out


def test_what_cannot_be_judged_ends_with_4(trace_file: Path, tmp_path: Path) -> None:
    script = tmp_path / "answers.json"
    script.write_text('["Thank you."]')

    assert run("gate", trace_file, "--out", tmp_path / "o", "--proposer", f"scripted:{script}") == 4
    assert (tmp_path / "o" / "report.md").read_text() == "\n"


def test_the_summary_names_offline_models_as_such(
    trace_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("gate", trace_file, "--out", tmp_path / "a")
    assert "offline rule-based proposer" in capsys.readouterr().out

    run("gate", trace_file, "--out", tmp_path / "b", "--json")
    summary = json.loads(capsys.readouterr().out)
    assert summary["offline"] is True
    assert summary["outcome"] == "divergence"
    assert "offline models" in summary["warnings"]


def test_the_shell_and_the_library_give_the_same_result(trace_file: Path, tmp_path: Path) -> None:
    run("gate", trace_file, "--out", tmp_path / "o")
    trace = import_trace(trace_file.read_bytes(), file_name=trace_file.name)
    models = models_from_config(GateConfig(), environment={})
    result = gate(trace, config=GateConfig(), models=models, journal=MemoryJournal())

    written = json.loads((tmp_path / "o" / "result.json").read_text("utf-8"))
    assert result_from_dict(written) == result


def test_every_verdicts_quote_stands_in_the_written_corpus(
    trace_file: Path, tmp_path: Path
) -> None:
    run("gate", trace_file, "--out", tmp_path / "o")
    corpus = json.loads((tmp_path / "o" / "corpus.json").read_text("utf-8"))
    result = json.loads((tmp_path / "o" / "result.json").read_text("utf-8"))
    items = {item["address"]: item for item in corpus["items"]}

    quotes = [
        quote
        for pair in result["pairs"]
        for verdict in pair["verdicts"]
        for quote in verdict["supporting"] + verdict["opposing"] + verdict["nearest"]
    ]
    assert quotes
    for quote in quotes:
        address, ordinal = quote["address"].split(".")
        start, end, _ = items[address]["sentences"][int(ordinal) - 1]
        text = items[address]["text"][start:end]
        assert text[quote["start"] : quote["end"]] == quote["text"]


def test_import_writes_a_trace_that_imports_again(trace_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "a" / "trace.json"

    assert run("import", trace_file, "--out", out) == 0
    assert import_trace(out.read_bytes(), file_name="trace.json").turns == two_sided().turns


@pytest.mark.slow
def test_it_runs_as_a_module_and_says_how_it_ended(trace_file: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "apg_engine", "gate", trace_file, "--out", tmp_path / "o"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 3
    assert "Divergence Report" in done.stdout


@pytest.mark.slow
def test_importing_the_engine_pulls_in_nothing_heavy() -> None:
    code = (
        "import sys, apg_engine, apg_engine.cli.parser\n"
        "heavy = {'openai', 'numpy', 'django', 'pandas', 'httpx2', 'jsonschema', 'tenacity'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


def test_an_ended_run_is_not_replaced_by_one_with_other_options(
    trace_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "o"
    assert run("gate", trace_file, "--out", out) == 3
    before = {path.name: path.read_bytes() for path in out.iterdir()}

    assert run("gate", trace_file, "--out", out, "--pairs", "5") == 2
    assert "has ended with other options" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert run("gate", trace_file, "--out", out) == 3
