"""`debate committee` and `debate fork`, from the shell."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from apg_engine import import_trace
from apg_engine.cli.parser import main
from apg_engine.debates.stopping import StopReason
from apg_engine.provenance.verification import run_verify
from tests.fakes.debating import debating
from tests.fakes.openai_server import FakeOpenAI


def run(*arguments: object) -> int:
    return main(["debate", *map(str, arguments)], environment={})


def record(out: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / "debate.json").read_text("utf-8"))
    return data


def files(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def test_a_debate_ends_in_the_gate_and_its_run_can_be_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "d"

    assert run("committee", "--scenario", "energy", "--seed", 126, "--turns", 12, "--out", out) == 3

    told = capsys.readouterr().out
    assert "12 turns (max_rounds: after 4 of 4 rounds) by offline rule-based debater 1" in told
    assert "conflict low by the rule zero_sum" in told
    assert "requests: 61 of 60 MWh; no common plan" in told
    assert "gate: divergence" in told
    assert run_verify(out / "gate", replay=True).holds
    trace = import_trace((out / "trace.json").read_bytes(), file_name="trace.json")
    assert len(trace.turns) == 12


def test_the_same_command_again_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "d"
    command = ("committee", "--seed", 106, "--turns", 12, "--out", out, "--json")
    assert run(*command) == 0
    before = files(out)

    assert run(*command) == 0
    assert files(out) == before


def test_two_folders_hold_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run("committee", "--seed", 4, "--turns", 6, "--out", tmp_path / name, "--json")

    assert files(tmp_path / "a") == files(tmp_path / "b")


@pytest.mark.parametrize("turns", [0, 1, 10, 13, 93])
def test_turns_that_are_not_equal_for_all_are_an_error_and_write_nothing(
    turns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("committee", "--turns", turns, "--out", tmp_path / "d") == 2

    told = capsys.readouterr().err
    assert f"turns: found {turns}; allowed: " in told
    assert not (tmp_path / "d").exists()


def test_a_folder_of_another_debate_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "d"
    run("committee", "--seed", 1, "--turns", 3, "--out", out, "--json")
    before = files(out)

    assert run("committee", "--seed", 2, "--turns", 3, "--out", out, "--json") == 2
    assert "a debate with another setup" in capsys.readouterr().err
    assert files(out) == before


def test_a_yaml_file_sets_a_debate_and_options_go_before_it(tmp_path: Path) -> None:
    settings = tmp_path / "c.yaml"
    settings.write_text(
        "scenario: orbital\nseed: 7\nturns: 9\nenforcement: off\n"
        "shocks: {turns: [2], kinds: [zero_sum]}\nconflict_rule: paper\n"
    )
    out = tmp_path / "d"

    run("committee", "--config", settings, "--turns", 6, "--out", out, "--json")

    held = record(out)
    assert (held["scenario"], held["setup"]["seed"], len(held["turns"])) == ("orbital", 7, 6)
    assert [(one["turn"], one["kind"]) for one in held["shocks"]] == [(2, "zero_sum")]
    assert held["conflict"] == {"level": "high", "rule": "paper"}
    assert held["enforcement"]["mode"] == "off"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("turns: 12\nturn: 3\n", "fields: found turn; allowed: scenario, seed, turns"),
        ("scenario: volcano\n", "scenario: found 'volcano'; allowed: energy"),
        ("turns: twelve\n", "turns: found 'twelve'"),
        ("seed: true\n", "seed: found True"),
        ("shocks: {turns: [8, 4]}\n", "shocks.turns: found [8, 4]; allowed: each turn once"),
        ("shocks: {kinds: []}\n", "shocks.kinds: found []"),
        ("shocks: {kinds: [flood]}\n", "shocks.kinds: found 'flood'"),
        ("enforcement: strict\n", "enforcement: found 'strict'; allowed: off, flag, repair"),
        ("limits: {run: {calls: -1}}\n", "limits.run.calls: found -1"),
        ("limits: {run: {hours: 1}}\n", "limits.run: found hours"),
        ("debaters: {chair: {kind: offline}}\n", "debaters: found chair"),
        ("- a list\n", "content: found list; allowed: a mapping"),
        ("turns: [\n", "content: found no YAML"),
        ("gate: {pairs: 99}\n", "pairs: found 99"),
        (
            "gate: {proposer: {kind: openai, name: m, api_key_env: NOT_SET}}\n",
            "proposer: the environment variable NOT_SET is not set",
        ),
        (
            "debaters: {structure: {kind: openai, name: m, api_key_env: NOT_SET}}\n",
            "structure: the environment variable NOT_SET is not set",
        ),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_by_its_place(
    text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "c.yaml"
    settings.write_text(text)

    assert run("committee", "--config", settings, "--out", tmp_path / "d") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "d").exists()


def test_a_model_at_an_endpoint_speaks_for_all_modules(tmp_path: Path) -> None:
    out = tmp_path / "d"
    with FakeOpenAI(debating) as server:
        model = ("--model", "m", "--model-base-url", server.base_url)
        run("committee", *model, "--turns", 6, "--out", out, "--json")

    held = record(out)
    assert len(held["turns"]) == 6
    assert {one["name"] for one in held["debaters"].values()} == {"m"}
    assert held["spent"]["calls"] == server.calls == 12
    assert (held["spent"]["cost"], held["spent"]["is_cost_complete"]) == (None, False)


def test_a_limit_on_cost_needs_the_price_of_every_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ("--model", "m", "--model-base-url", "http://127.0.0.1:9/v1")

    assert run("committee", *model, "--max-cost", 1, "--out", tmp_path / "d") == 2
    assert "price of m at http://127.0.0.1:9/v1: found nothing" in capsys.readouterr().err
    assert not (tmp_path / "d").exists()


def test_the_budget_leaves_a_partial_debate_that_a_larger_one_takes_up(tmp_path: Path) -> None:
    with FakeOpenAI(debating) as server:
        model = ("--model", "m", "--model-base-url", server.base_url, "--turns", 6, "--json")
        assert run("committee", *model, "--max-calls", 5, "--out", tmp_path / "d") != 0
        held = record(tmp_path / "d")
        assert server.calls == 5

    assert held["stop"]["reason"] == "budget"
    assert not held["stop"]["is_whole"]
    assert len(held["turns"]) == 2
    trace = json.loads((tmp_path / "d" / "trace.json").read_text("utf-8"))
    assert trace["warnings"][0].startswith("partial debate (budget): run: budget of 5 calls")


def test_every_end_has_a_reason_of_the_list(tmp_path: Path) -> None:
    with FakeOpenAI(debating) as server:
        model = ("--model", "m", "--model-base-url", server.base_url, "--turns", 3, "--json")
        run("committee", *model, "--out", tmp_path / "whole")
        run("committee", *model, "--max-calls", 0, "--out", tmp_path / "none")
    run("committee", "--turns", 60, "--seed", 5, "--out", tmp_path / "stale", "--json")

    for name, reason in (("whole", "max_rounds"), ("none", "budget"), ("stale", "nothing_new")):
        held = record(tmp_path / name)
        assert held["stop"]["reason"] == reason
        assert StopReason(held["stop"]["reason"])
    nobody = record(tmp_path / "none")
    assert (nobody["turns"], nobody["gate"]["outcome"]) == ([], "not_judged")
    assert not (tmp_path / "none" / "trace.json").exists()


def test_the_setup_is_written_before_the_first_call(tmp_path: Path) -> None:
    seen: list[bool] = []

    def looking(body: dict[str, Any]) -> Any:
        seen.append((tmp_path / "d" / "setup.json").exists())
        return debating(body)

    with FakeOpenAI(looking) as server:
        model = ("--model", "m", "--model-base-url", server.base_url)
        run("committee", *model, "--turns", 3, "--out", tmp_path / "d", "--json")

    assert seen == [True] * 6


def test_a_record_tells_for_each_call_what_it_was_shown_and_where_it_was_cut(
    tmp_path: Path,
) -> None:
    with FakeOpenAI(debating) as server:
        model = ("--model", "m", "--model-base-url", server.base_url, "--model-context", 1800)
        run("committee", *model, "--turns", 24, "--out", tmp_path / "d", "--json")

    held = record(tmp_path / "d")
    exposures = [one for call in held["calls"] for one in call["exposures"]]
    cut = [one for one in exposures if one["cut_at"] is not None]
    assert cut
    assert all(one["shown"] == one["cut_at"] < one["characters"] for one in cut)
    assert {one["kind"] for one in exposures} == {"context", "shock", "turn", "axiom"}
    assert all(len(one["sha256"]) == 64 for one in exposures)


# --- forks --------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"scenario: \xff\n", "allowed: a file in UTF-8"),
        (b"gate: 3\n", "configuration: content: found int; allowed: an object"),
        (b'debaters: {default: {name: "\\uD800"}}\n', "no text in UTF-8"),
    ],
)
def test_a_configuration_that_cannot_be_kept_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, complaint: str
) -> None:
    (tmp_path / "committee.yaml").write_bytes(content)

    assert run("committee", "--config", tmp_path / "committee.yaml", "--out", tmp_path / "d") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "d").exists()
