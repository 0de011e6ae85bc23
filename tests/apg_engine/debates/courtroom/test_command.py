"""`debate courtroom`, from the shell."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apg_engine import courtroom_trace, import_trace
from apg_engine.provenance.verification import run_verify
from tests.apg_engine.auditors.scorers import bag_folder
from tests.apg_engine.debates.courtroom.trials import CLAIM, record, run
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.trying import trying


def files(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def test_a_trial_ends_in_a_judgment_that_passed_the_gate(trial: Path) -> None:
    held = record(trial)

    assert held["verdict"]["finding"] == "SUPPORT"
    assert held["gate"]["outcome"] == "synthesis"
    assert held["gate"]["judgment"].startswith("The panel finds, by three of three judges, that")
    assert run_verify(trial / "gate", replay=True).holds
    trace = import_trace((trial / "trace.json").read_bytes(), file_name="trace.json")
    assert [turn.speaker for turn in trace.turns][-1] == "panel"
    assert {document.id for document in trace.documents} >= set(trace.turns[-1].evidence)


def test_a_record_tells_where_every_exhibit_came_from_and_what_became_of_it(trial: Path) -> None:
    held = record(trial)

    keys = {"query", "round", "side", "relevance", "credibility", "novelty", "admission", "sha256"}
    assert all(keys <= set(item) for item in held["docket"])
    assert held["evidence"]["chunks"] == sum(
        item["admission"] == "admitted" for item in held["docket"]
    )
    assert {one["judge"] for one in held["ballots"]} == {"judge_a", "judge_b", "judge_c"}
    assert held["switched_run"]["turns"]
    assert held["consistency"]["delta"] == held["verdict"]["parts"]["role_switch"]


def test_the_same_command_again_changes_nothing(trial: Path, index: Path) -> None:
    before = files(trial)

    assert run("courtroom", "--claim", CLAIM, "--index", index, "--out", trial, "--json") == 0
    assert files(trial) == before


def test_a_trial_is_told_in_four_lines(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("courtroom", "--claim", CLAIM, "--index", index, "--out", tmp_path / "t")

    told = capsys.readouterr().out
    assert "exhibits of" in told
    assert "finding: SUPPORT (unanimous, confidence 1.00); judge_a SUPPORT" in told
    assert "judgment: synthesis (passed): The panel finds" in told


def test_the_released_preset_runs_too(index: Path, tmp_path: Path) -> None:
    command = ("courtroom", "--claim", CLAIM, "--index", index, "--preset", "proclaim_as_released")

    assert run(*command, "--rounds", 3, "--out", tmp_path / "t", "--json") in {0, 3}
    assert all(record(tmp_path / "t")["setup"]["released"].values())


def test_a_trial_by_models_at_an_endpoint_is_resumed_without_a_repeated_call(
    index: Path, tmp_path: Path
) -> None:
    with FakeOpenAI(trying) as server:
        command = (
            "courtroom", "--claim", CLAIM, "--index", index, "--rounds", 2, "--json",
            "--model", "m", "--same-family", "--model-base-url", server.base_url,
            "--out", tmp_path / "t", "--threads", 4,
        )  # fmt: skip
        assert run(*command) == 0
        asked = server.calls
        (tmp_path / "t" / "debate.json").unlink()
        assert run(*command) == 0
        assert server.calls == asked

    held = record(tmp_path / "t")
    assert held["spent"]["calls"] == asked
    assert held["spent"]["cost"] is None
    assert any("no independent panel" in one for one in held["warnings"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--claim", "  "), "claim: found ''; allowed: a sentence to be tried"),
        (("--claim", "x", "--rounds", "0"), "rounds: found 0"),
        (("--claim", "x", "--model", "m", "--model-base-url", "http://127.0.0.1:9/v1"),
         "roles: found judge_a, judge_b, judge_c of the family m"),
        (("--claim", "x", *["--judge", "m"] * 4), "--judge: found 4 times"),
    ],
)  # fmt: skip
def test_a_trial_that_cannot_be_held_is_refused_and_writes_nothing(
    arguments: tuple[str, ...],
    complaint: str,
    index: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("courtroom", *arguments, "--index", index, "--out", tmp_path / "t") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rules: {}\n", "fields: found rules; allowed: claim, rounds"),
        ("ablations: {judges: 2}\n", "ablations.judges: found 2; allowed: 1 or 3"),
        ("released: {p2: true}\n", "released: found p2; allowed: keeps_system_prompt"),
        ("search: {novelty: 2}\n", "search.novelty: found 2; allowed: a number from 0 to 1"),
        ("roles: {clerk: {}}\n", "roles: found clerk; allowed: default, miner"),
        ("roles: {court: {kind: nli, path: x}}\n", "roles.court: found 'nli'"),
        ("limits: {run: {calls: -1}}\n", "limits.run.calls: found -1"),
        ("[]\n", "content: found list; allowed: a mapping"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_by_its_place(
    text: str, complaint: str, index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "c.yaml"
    settings.write_text(text)
    command = ("courtroom", "--claim", CLAIM, "--index", index, "--config", settings)

    assert run(*command, "--out", tmp_path / "t") == 2
    assert complaint in capsys.readouterr().err


def test_a_trial_by_rules_comes_through_the_door_as_a_trace(index: Path) -> None:
    trace = courtroom_trace(claim=CLAIM, index=index, seed=2)

    assert trace == courtroom_trace(claim=CLAIM, index=index, seed=2)
    assert trace.source.format == "apg-courtroom"
    assert trace.question == f"Does the record support or refute this claim: {CLAIM}"


@pytest.mark.parametrize(("word", "finding"), [("really", "SUPPORT"), ("not", "REFUTE")])
def test_a_local_cross_encoder_can_read_for_a_judge(
    word: str, finding: str, index: Path, tmp_path: Path
) -> None:
    folder = bag_folder(tmp_path)
    claim = CLAIM.replace("reduce", f"{word} reduce")

    run("courtroom", "--claim", claim, "--index", index, "--judge", f"nli:{folder}",
        "--out", tmp_path / "t", "--json")  # fmt: skip

    held = record(tmp_path / "t")
    assert held["ballots"][0]["finding"] == finding
    assert held["cast"]["judge_a"]["name"].startswith("offline rule-based judge_a 1 (nli bag ")
    assert "word rules" in held["cast"]["judge_b"]["name"]


def test_a_cross_encoder_that_is_not_there_is_refused(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("courtroom", "--claim", CLAIM, "--index", index, "--out", tmp_path / "t")

    assert run(*command, "--judge", f"nli:{tmp_path / 'none'}") == 2
    assert str(tmp_path / "none") in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


def test_judges_can_be_asked_in_both_orders(index: Path, tmp_path: Path) -> None:
    command = ("courtroom", "--claim", CLAIM, "--index", index, "--both-orders", "--json")

    run(*command, "--out", tmp_path / "t")

    # Rules read exhibits alone, in whatever order the sides stand.
    assert [(one["finding"], one["exchanged"]) for one in record(tmp_path / "t")["ballots"]] == [
        ("SUPPORT", "SUPPORT")
    ] * 3


def test_an_index_is_opened_by_the_embedder_that_is_named(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = shutil.copytree(index, tmp_path / "index")
    manifest = json.loads((other / "manifest.json").read_text("utf-8"))
    (other / "manifest.json").write_text(json.dumps(manifest | {"embedder": "all-MiniLM-L6-v2"}))
    command = ("courtroom", "--claim", CLAIM, "--index", other, "--out", tmp_path / "t")

    assert run(*command, "--embedder", tmp_path / "weights") == 2
    assert f"{tmp_path / 'weights'}" in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    ("claim", "complaint"),
    [
        ("caf\udcff cures", "no text in UTF-8; allowed: UTF-8"),
        ("\u202e\u200b", "allowed: a sentence to be tried"),
        ("...", "allowed: a sentence to be tried"),
    ],
)
def test_a_claim_that_is_no_text_is_one_line_and_writes_nothing(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], claim: str, complaint: str
) -> None:
    assert run("courtroom", "--claim", claim, "--index", index, "--out", tmp_path / "t") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "t").exists()
