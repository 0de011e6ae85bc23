"""What a batch writes: a row and a run for each debate, its sentences, costs and a summary."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import FileJournal, Trace, import_trace, trace_to_dict
from apg_engine.batch.rows import COLUMNS
from apg_engine.provenance.verification import run_verify
from tests.apg_engine.batch.batches import ROOT, batch, lines, live, rows
from tests.apg_engine.traces_for_tests import two_sided
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible


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
