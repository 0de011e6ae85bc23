"""Runs that somebody changed and sealed anew: what no longer follows gives them away."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apg_engine.journal import request_hash
from apg_engine.provenance.verification import run_verify
from tests.apg_engine.provenance.runs import (
    journal_change,
    json_change,
    reseal,
)


def supported(data: dict[str, Any]) -> None:
    verdict = next(v for v in data["pairs"][0]["verdicts"] if v["label"] != "supported")
    verdict["label"] = "supported"


def counted(data: dict[str, Any]) -> None:
    data["pairs"][0]["fidelity"]["supported"] += 1


def quoted(data: dict[str, Any]) -> None:
    verdict = next(v for v in data["pairs"][0]["verdicts"] if v["supporting"])
    verdict["supporting"][0]["start"] += 1


def invented(data: dict[str, Any]) -> None:
    verdict = next(v for v in data["pairs"][0]["verdicts"] if v["supporting"])
    verdict["supporting"][0]["address"] = "T99"


def unquoted(data: dict[str, Any]) -> None:
    verdict = next(v for v in data["pairs"][0]["verdicts"] if v["supporting"])
    verdict["supporting"] = []


def dropped(data: dict[str, Any]) -> None:
    data["pairs"][0]["verdicts"].pop()


def reworded(data: dict[str, Any]) -> None:
    data["pairs"][1]["draft"] = data["pairs"][1]["draft"].replace("MW", "GW")


def resegmented(data: dict[str, Any]) -> None:
    data["pairs"][0]["sentences"][0]["end"] -= 1


def unclaimed(data: dict[str, Any]) -> None:
    data["pairs"][0]["sentences"][0]["kind"] = "courtesy"


def published(data: dict[str, Any]) -> None:
    data["outcome"] = "synthesis"


def excused(data: dict[str, Any]) -> None:
    data["reason"] = "identical_draft"


def lowered(data: dict[str, Any]) -> None:
    data["config"]["threshold_percent"] = 1


def prolonged(data: dict[str, Any]) -> None:
    data["config"]["pairs"] = 5


def told(data: dict[str, Any]) -> None:
    data["pairs"][0]["hint"] = ""


def renamed(data: dict[str, Any]) -> None:
    verdict = next(v for pair in data["pairs"] for v in pair["verdicts"] if v["asserts"])
    verdict["asserts"] = ["nobody"]


def retexted(data: dict[str, Any]) -> None:
    data["apg_text"] = data["apg_text"].replace("26", "62")


def rebased(data: dict[str, Any]) -> None:
    data["baseline_text"] += " All is well."


def retraced(data: dict[str, Any]) -> None:
    data["trace_sha256"] = "0" * 64


TAMPERED: dict[Callable[[dict[str, Any]], None], str] = {
    supported: "fidelity",
    counted: "fidelity",
    quoted: "supporting[0]",
    invented: "supporting[0]",
    unquoted: "supporting",
    dropped: "verdicts",
    reworded: "draft_sha256",
    resegmented: "sentences[0]",
    unclaimed: "sentences[0]",
    published: "outcome",
    excused: "reason",
    lowered: "outcome",
    prolonged: "reason",
    told: "hint",
    renamed: "asserts",
    retexted: "apg_text",
    rebased: "baseline_text",
    retraced: "trace_sha256",
}


@pytest.mark.parametrize(
    ("change", "place"), TAMPERED.items(), ids=[one.__name__ for one in TAMPERED]
)
def test_a_result_that_was_changed_and_sealed_anew_fails_where_it_was_changed(
    change: Callable[[dict[str, Any]], None], place: str, run: Path
) -> None:
    json_change(run, "result.json", change)

    found = run_verify(run)

    assert any(f.file == "result.json" and place in f.place for f in found.faults), found.faults


def test_a_changed_reason_is_found_by_replay_alone(run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["pairs"][-1]["verdicts"][0]["decided_by"] = "ladder: by eye"

    json_change(run, "result.json", change)

    assert run_verify(run).holds
    faults = run_verify(run, replay=True).faults
    assert [fault.place for fault in faults] == ["pairs[2].verdicts[0].decided_by"]


@pytest.mark.parametrize("name", ["corpus.json", "divergence.json", "trace.json"])
def test_a_changed_file_that_was_sealed_anew_disagrees_with_the_others(
    name: str, run: Path
) -> None:
    def change(data: dict[str, Any]) -> None:
        data["title"] = "Another debate"

    json_change(run, name, change)

    assert not run_verify(run).holds


@pytest.mark.parametrize("name", ["report.md", "baseline.md"])
def test_a_changed_text_that_was_sealed_anew_fails_at_its_line(name: str, run: Path) -> None:
    lines = (run / name).read_text("utf-8").split("\n")
    lines[0] += " Really."
    (run / name).write_text("\n".join(lines), "utf-8")
    reseal(run)

    assert [(f.file, f.place) for f in run_verify(run).faults] == [(name, "line 1")]


def test_spacing_and_key_order_of_a_sealed_file_count(run: Path) -> None:
    file = run / "result.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8"))), "utf-8")
    reseal(run)

    assert [fault.file for fault in run_verify(run).faults] == ["result.json"]


def test_a_changed_draft_in_the_journal_fails(model: Path) -> None:
    journal_change(model, 0, lambda data: data.update(reply="All is well."))

    assert any("proposer's call 1" in f.place for f in run_verify(model).faults)


def test_a_changed_verdict_in_the_journal_is_found_by_replay(model: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["reply"] = data["reply"].replace("not_enough_information", "contradicted", 1)

    journal_change(model, 1, change)

    assert run_verify(model).holds
    faults = run_verify(model, replay=True).faults
    assert any(fault.place.startswith("pairs[0].verdicts") for fault in faults)


def test_a_changed_request_with_a_fitting_hash_is_found_by_replay(model: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["request"]["temperature"] = 1.5
        data["request_sha256"] = request_hash(data["request"])

    journal_change(model, 2, change)

    faults = run_verify(model, replay=True).faults
    assert [fault.file for fault in faults] == ["journal.jsonl"]
    assert "call 3" in faults[0].found


def test_a_call_that_is_taken_out_of_the_journal_fails(model: Path) -> None:
    lines = (model / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (model / "journal.jsonl").write_bytes(b"".join(lines[:-1]))
    reseal(model)

    assert run_verify(model, replay=True).faults[0].file == "journal.jsonl"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry of every object and list, as its container and key."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(entries):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


@pytest.mark.parametrize("name", ["result.json", "trace.json", "divergence.json", "corpus.json"])
def test_no_value_of_a_sealed_file_can_end_verifying_in_a_crash(name: str, run: Path) -> None:
    whole = (run / name).read_text("utf-8")
    dice = random.Random(7)
    count = sum(1 for _ in _places(json.loads(whole)))
    for place in dice.sample(range(count), min(count, 40)):
        other: object = dice.choice(
            [None, True, -1, 10**400, "x", [], {}, [None], "s1", "T1", "water"]
        )

        def change(data: dict[str, Any], place: int = place, other: object = other) -> None:
            container, key = list(_places(data))[place]
            container[key] = other

        (run / name).write_text(whole, "utf-8")
        json_change(run, name, change)

        assert run_verify(run, replay=None).counts["files"]


@pytest.mark.parametrize(
    ("listed", "field"), [("verdicts", "sentence_id"), ("sentences", "id"), ("sentences", "start")]
)
@pytest.mark.parametrize("other", ["s99", None, [], 10**400])
def test_an_id_of_no_sentence_is_a_fault_and_no_crash(
    listed: str, field: str, other: object, run: Path
) -> None:
    json_change(
        run, "result.json", lambda data: data["pairs"][0][listed][-1].update({field: other})
    )

    assert {fault.file for fault in run_verify(run, replay=None).faults} == {"result.json"}
