from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import FileJournal, Trace, import_trace, trace_to_dict
from apg_engine.batch.rows import COLUMNS
from apg_engine.batch.tables import RUNS, SENTENCES
from apg_engine.cli.parser import main
from apg_engine.kept_folder import LockedFolder
from apg_engine.provenance.verification import run_verify
from tests.apg_engine.provenance.runs import trace_file
from tests.apg_engine.traces_for_tests import agreeing, two_sided
from tests.fakes.openai_server import FakeOpenAI, plausible, refusal

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def debates(tmp_path: Path) -> Path:
    folder = tmp_path / "debates"
    folder.mkdir()
    trace_file(folder / "apart.json", two_sided())
    trace_file(folder / "together.json", agreeing())
    return folder


def batch(*arguments: object) -> int:
    return main(["batch", *map(str, arguments)], environment={})


def live(server: FakeOpenAI) -> list[str]:
    return [
        "--proposer", "m", "--proposer-base-url", server.base_url,
        "--auditor", "n", "--auditor-base-url", server.base_url,
    ]  # fmt: skip


def rows(out: Path) -> dict[str, dict[str, str]]:
    with (out / "runs.csv").open(encoding="utf-8", newline="") as file:
        return {row["run"].rpartition("-")[0]: row for row in csv.DictReader(file)}


def lines(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "sentences.jsonl").read_text("utf-8").splitlines()]


def many(folder: Path, number: int) -> Path:
    for n in range(number):
        turns = two_sided().turns
        context = f"Only 40 MW of power remain in valley {n} until Friday."
        trace_file(folder / f"d{n}.json", replace(two_sided(), crisis_context=context, turns=turns))
    return folder


def test_every_debate_gets_a_row_a_line_a_sentence_and_a_run_that_holds(
    debates: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"

    assert batch(debates, "--out", out) == 3

    told = rows(out)
    assert list(told["apart"]) == list(COLUMNS)
    assert (told["apart"]["outcome"], told["together"]["outcome"]) == ("divergence", "synthesis")
    for row in told.values():
        run = out / "runs" / row["run"]
        assert run_verify(run, replay=True).holds
        result = json.loads((run / "result.json").read_text("utf-8"))
        mine = [line for line in lines(out) if line["run"] == row["run"]]
        assert len(mine) == sum(len(pair["sentences"]) for pair in result["pairs"])
        assert row["pf_history"].split() == [
            f"{pair['fidelity']['supported']}/{pair['fidelity']['total']}"
            for pair in result["pairs"]
        ]
        first = result["pairs"][0]["counts"]["paper"]
        assert float(row["pf_initial_paper"]) == pytest.approx(
            first["supported"] / first["total"], abs=1e-6
        )
        assert float(row["pf_terminal_strict"]) <= float(row["pf_terminal_paper"])
        assert int(row["pairs_used"]) == len(result["pairs"])
        assert int(row["words_first"]) == len(result["baseline_text"].split())


def test_costs_and_seconds_are_parted_into_first_draft_and_gate(
    debates: Path, tmp_path: Path
) -> None:
    out, prices = tmp_path / "out", tmp_path / "prices.json"
    price = {"input_per_million": 10, "output_per_million": 10, "source": "t", "read_on": "d"}
    known = [{"host": "127.0.0.1", "model": name, **price} for name in ("m", "n")]
    prices.write_text(json.dumps({"schema": "apg-prices", "currency": "EUR", "prices": known}))
    with FakeOpenAI(plausible) as server:
        assert batch(debates / "apart.json", "--out", out, *live(server), "--prices", prices) == 3

    row = rows(out)["apart"]
    journal = FileJournal(out / "runs" / row["run"] / "journal.jsonl").records
    first, *rest = journal
    assert int(row["first_prompt_tokens"]) == first.usage.prompt_tokens
    assert int(row["gate_completion_tokens"]) == 50 * len(rest)
    assert int(row["gate_calls"]) == len(rest) == 5
    assert float(row["first_cost"]) == pytest.approx(
        ((first.usage.prompt_tokens or 0) + 50) / 100_000, abs=1e-6
    )
    assert float(row["gate_seconds"]) >= 0
    assert row["currency"] == "EUR"


def test_an_unknown_cost_is_empty_and_not_zero(debates: Path, tmp_path: Path) -> None:
    with FakeOpenAI(plausible) as server:
        batch(debates / "apart.json", "--out", tmp_path / "o", *live(server))

    row = rows(tmp_path / "o")["apart"]
    assert (row["first_cost"], row["gate_cost"]) == ("", "")
    assert row["first_prompt_tokens"] != ""


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


def test_one_debate_named_twice_runs_once(debates: Path, tmp_path: Path) -> None:
    batch(debates, debates / "apart.json", "--out", tmp_path / "o")

    assert len(rows(tmp_path / "o")) == 2


def test_cells_are_no_formulas(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "=1+1.json").write_text(json.dumps(trace_to_dict(named(two_sided()))))

    batch(folder, "--out", tmp_path / "o")

    row = next(iter(rows(tmp_path / "o").values()))
    assert row["trace"].startswith("'=")


def named(trace: Trace) -> Trace:
    return replace(trace, source=replace(trace.source, file_name="=cmd|' /C calc'!A0"))


def test_the_conflict_level_is_told_with_its_rule(debates: Path, tmp_path: Path) -> None:
    batch(debates, "--out", tmp_path / "a", "--conflict-rule", "paper")
    batch(debates, "--out", tmp_path / "b")

    assert rows(tmp_path / "a")["apart"]["conflict_rule"] == "paper"
    assert rows(tmp_path / "a")["apart"]["conflict_level"] == "high"
    # This trace holds a zero-sum shock, but its file says no level.
    assert rows(tmp_path / "b")["apart"]["conflict_rule"] == "as the trace says"
    assert rows(tmp_path / "b")["apart"]["conflict_level"] == ""


def test_texts_are_in_the_language_of_each_debate(debates: Path, tmp_path: Path) -> None:
    polish = tmp_path / "debates" / "orchards.json"
    source = ROOT / "tests" / "apg_engine" / "debates" / "orchards_agree_pl.json"
    polish.write_bytes(source.read_bytes())
    batch(debates, "--out", tmp_path / "o")

    for row in rows(tmp_path / "o").values():
        result = json.loads((tmp_path / "o" / "runs" / row["run"] / "result.json").read_text())
        trace = import_trace(
            (tmp_path / "o" / "runs" / row["run"] / "trace.json").read_bytes(), file_name="t"
        )
        assert result["config"]["language"] == row["language"] == trace.language


def test_a_summary_can_be_read_by_machines(
    debates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch(debates, "--out", tmp_path / "o", "--json")

    told = capsys.readouterr()
    assert json.loads(told.out)["ended"] == {"divergence": 1, "synthesis": 1}
    assert told.err == ""


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
