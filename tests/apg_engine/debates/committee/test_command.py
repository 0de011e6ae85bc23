"""`debate committee` from the shell: what it writes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apg_engine import import_trace
from apg_engine.debates.stopping import StopReason
from apg_engine.provenance.verification import run_verify
from tests.apg_engine.debates.committee.commands import files, record, run
from tests.fakes.debating import debating
from tests.fakes.openai_server import FakeOpenAI


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
