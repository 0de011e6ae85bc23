from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from apg_engine import (
    FileJournal,
    GateConfig,
    MemoryJournal,
    gate,
    import_trace,
    models_from_config,
    result_from_dict,
    trace_to_dict,
)
from apg_engine.cli.parser import main
from tests.apg_engine.traces_for_tests import agreeing, two_sided
from tests.fakes.openai_server import FakeOpenAI, dropped, plausible

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "trace.json",
    "corpus.json",
    "result.json",
    "journal.jsonl",
    "baseline.md",
    "report.md",
    "manifest.json",
}


@pytest.fixture
def trace_file(tmp_path: Path) -> Path:
    path = tmp_path / "two_sided.json"
    path.write_text(json.dumps(trace_to_dict(two_sided())), encoding="utf-8")
    return path


def run(*arguments: object, environment: dict[str, str] | None = None) -> int:
    return main([str(one) for one in arguments], environment=environment or {})


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


def test_an_out_that_is_a_file_is_refused(trace_file: Path, tmp_path: Path) -> None:
    (tmp_path / "o").write_text("mine")

    assert run("gate", trace_file, "--out", tmp_path / "o") == 2
    assert (tmp_path / "o").read_text() == "mine"


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
