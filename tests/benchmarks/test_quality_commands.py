"""The quality benchmarks, run as a person runs them, on small sets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from apg_engine.auditors.nli_settings import settings_read
from apg_engine.calibration.card_files import card_read
from benchmarks import auditor_quality, gate_scaling, ladder_throughput, planted_truth, splitters
from tests.apg_engine.auditors.scorers import bag_folder

ROOT = Path(__file__).resolve().parents[2]
SMALL = ROOT / "tests" / "apg_engine" / "debates" / "telescope_deadlock.json"
FEVER = "fever-symmetric/symmetric_v0.2/fever_symmetric_{}.jsonl"
COVID = "check-covid/Check-COVID"


def test_planted_truth_prints_rates_by_kind_and_writes_a_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card, cases = tmp_path / "card.json", tmp_path / "cases.jsonl"

    status = planted_truth.main(
        [str(SMALL), "--card", str(card), "--cases", str(cases), "--date", "2026-11-30"]
    )

    printed = capsys.readouterr().out
    assert status == 0
    assert "faults caught: " in printed
    assert "control: claim only" in printed
    # A small debate has few cases of a kind: counts, and no rate.
    assert "(no rate under 30)" in printed
    assert card_read(card).date == "2026-11-30"
    rows = [json.loads(line) for line in cases.read_text().splitlines()]
    assert {"id", "kind", "truth", "claim", "group"} == set(rows[0])


def test_planted_truth_names_a_file_that_is_no_debate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no.json"
    path.write_text("{}")

    assert planted_truth.main([str(path)]) == 2
    assert "no.json" in capsys.readouterr().err


@pytest.mark.timeout(60)
def test_an_auditor_of_a_file_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = {"kind": "nli", "path": str(bag_folder(tmp_path))}
    spec = tmp_path / "judges.json"
    spec.write_text(json.dumps({"kind": "ensemble", "members": [{}, model], "rule": "veto"}))

    assert planted_truth.main([str(SMALL), "--auditor", str(spec)]) == 0
    assert "ensemble (veto) of offline ladder" in capsys.readouterr().out


def test_an_unknown_auditor_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert planted_truth.main([str(SMALL), "--auditor", "oracle"]) == 2
    assert "'oracle'" in capsys.readouterr().err


def test_quality_without_data_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert auditor_quality.main(["--data", str(tmp_path / "none")]) == 2
    assert "--data" in capsys.readouterr().err


@pytest.mark.timeout(60)
def test_quality_prints_every_set_beside_its_controls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = sets_written(tmp_path)
    model = bag_folder(tmp_path)

    status = auditor_quality.main(
        ["--data", str(data), "--nli", str(model), "--card", str(tmp_path / "card.json")]
    )

    printed = capsys.readouterr().out
    assert status == 0
    assert printed.count("## ") == 9
    assert printed.count("control: shuffled evidence") == 18
    assert "the model's score alone: AUC supported/refuted" in printed
    assert len(list(tmp_path.glob("card-*.json"))) == 9


@pytest.mark.timeout(60)
def test_thresholds_are_chosen_on_dev_and_bound_to_the_model(tmp_path: Path) -> None:
    path = tmp_path / "thresholds.json"
    model = bag_folder(tmp_path)

    status = auditor_quality.main(
        ["--data", str(sets_written(tmp_path)), "--nli", str(model), "--choose", str(path)]
    )

    assert status == 0
    settings = settings_read(path)
    assert settings.is_calibrated
    assert settings.supported is None


@pytest.mark.timeout(120)
def test_throughput_prints_aims_beside_what_was_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ladder_throughput.main(["--sentences", "80"]) == 0

    printed = capsys.readouterr().out
    assert "aim 2,000" in printed
    assert "4x = 80" in printed


@pytest.mark.timeout(120)
def test_scaling_gates_traces_of_every_size_beside_what_linear_would_be(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert gate_scaling.main(["0.02", "0.05"]) == 0

    head, small, large, aims = capsys.readouterr().out.splitlines()
    assert "against 1x" in head
    assert small.split()[5:7] == ["1.00", "1.00"]
    assert float(large.split()[6]) > 2
    assert "500 MiB" in aims


def test_splitters_are_compared_on_enough_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert splitters.main([]) == 0

    printed = capsys.readouterr().out
    assert int(printed.split(" cases")[0]) >= 60
    assert "apg-segmenter 1 misses: none" in printed


def sets_written(folder: Path) -> Path:
    """Sets of a few rows of our own in the layout of the real ones."""
    data = folder / "data"
    covid = [
        {"id": f"c{n}", "claim": f"The pump {verb} draw.", "cord_id": f"a{n}", "label": label,
         "evidence_set": [{"sent_index": 0, "type": "PRIMARY"}]}
        for n, (verb, label) in enumerate(
            [("does", "SUPPORT"), ("does not", "REFUTE"), ("can", "NOTENOUGHINFO")] * 2
        )
    ]  # fmt: skip
    corpus = [
        {"cord_id": f"a{n}", "title": "", "abstract": ["The pump draws.", "It rains."]}
        for n in range(6)
    ]
    lines_write(data / COVID / "corpus.json", corpus)
    lines_write(data / COVID / "train" / "covidCheck_train_composed+extracted.json", covid)
    for split in ("dev", "test"):
        for part in ("composed", "extracted"):
            lines_write(data / COVID / split / f"covidCheck_{split}_{part}.json", covid)
    hard = data / COVID / "variants_for_experiments" / "challenge_subset"
    for part in ("composed", "extracted"):
        for sort in ("numeric", "temporal"):
            lines_write(hard / f"covidCheck_test_{part}_noNEI_{sort}.json", covid[:2])
    fever = [
        {"id": n, "claim": "The fan rests.", "evidence": "The fan rests.", "gold_label": label}
        for n, label in enumerate(("SUPPORTS", "REFUTES"))
    ]
    for split in ("dev", "test"):
        lines_write(data / FEVER.format(split), fever)
    vitamin = [
        {"id": str(n), "claim": "It rains.", "evidence": "It rains.", "label": label}
        for n, label in enumerate(("supports", "refutes", "not enough info"))
    ]
    lines_write(data / "vitaminc-sample" / "test.jsonl", vitamin)
    table = "index\tText\tHypothesis\tgold_label\n" + "".join(
        f"{n}\tIt does not rain.\tIt rains.\t{label}\n"
        for n, label in enumerate(("entailment", "contradiction", "neutral"))
    )
    clean = data / "negation-nli" / "data" / "new_benchmarks" / "clean_data"
    clean.mkdir(parents=True)
    for name in ("MNLI", "SNLI", "RTE"):
        (clean / f"{name}.txt").write_text(table, "latin-1")
    return data


def lines_write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
