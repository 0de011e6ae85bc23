"""`debate courtroom`, `debate fork` and `debate drill`, from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apg_engine import courtroom_trace, import_trace
from apg_engine.calls import CallStatus, ChatReply
from apg_engine.cli.parser import main
from apg_engine.config import GateConfig
from apg_engine.debates.budget import DebateBudget
from apg_engine.debates.courtroom.casting import Cast
from apg_engine.debates.courtroom.judgment import judgment_gate
from apg_engine.debates.courtroom.seats import ModelSeat
from apg_engine.debates.voices import Voice
from apg_engine.provenance.verification import run_verify
from apg_engine.spending.prices import prices_packaged
from tests.apg_engine.debates.courtroom.trials import CLAIM, TEXTS, cast_of, hold, setting
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.trying import TryingModel, trying


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


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    rows = [{"id": f"d{n}", "title": f"Paper {n}", "text": text} for n, text in enumerate(TEXTS, 1)]
    (folder / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    command = ["index", "build", str(folder / "corpus.jsonl"), "--out", str(folder / "index")]
    assert main([*command, "--embedder", "hashed-words"], environment={}) == 0
    return folder / "index"


@pytest.fixture(scope="module")
def trial(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trial") / "t"
    assert run("courtroom", "--claim", CLAIM, "--index", index, "--out", out, "--json") == 0
    return out


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


# --- forks --------------------------------------------------------------------------------------


def test_a_fork_without_an_exhibit_tells_its_influence(trial: Path, tmp_path: Path) -> None:
    assert run("fork", trial, "--without", "E1", "--out", tmp_path / "f", "--json") == 0

    told = json.loads((tmp_path / "f" / "influence.json").read_text("utf-8"))
    after = record(tmp_path / "f")
    assert told["withheld"] == ["E1"]
    assert told["verdict"]["before"]["finding"] == "SUPPORT"
    assert told["is_verdict_changed"]
    for run_ in (after, after["switched_run"]):
        assert "E1" not in [item["id"] for item in run_["docket"]]
        assert TEXTS[0] not in " ".join(turn["text"] for turn in run_["turns"])


def test_a_fork_without_a_turn_keeps_the_switched_run_as_it_was(
    trial: Path, tmp_path: Path
) -> None:
    before = record(trial)
    assert run("fork", trial, "--without", "T1", "--out", tmp_path / "f", "--json") == 0

    after = record(tmp_path / "f")
    assert after["switched_run"] == before["switched_run"]
    trace = json.loads((tmp_path / "f" / "trace.json").read_text("utf-8"))
    assert [turn["speaker"] for turn in trace["turns"]] == [
        turn["speaker"] for turn in after["turns"][1:]
    ]
    told = json.loads((tmp_path / "f" / "influence.json").read_text("utf-8"))
    assert not told["is_verdict_changed"]
    assert told["confidence_change"] == 0.0


def test_what_nobody_was_shown_cannot_be_taken_out(
    trial: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fork", trial, "--without", "E99", "--out", tmp_path / "f") == 2
    assert "found E99; allowed: E1" in capsys.readouterr().err


def test_a_fork_whose_index_has_changed_is_refused(
    trial: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = json.loads((trial / "setup.json").read_text("utf-8"))
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("debate.json", "journal.jsonl"):
        (moved / name).write_bytes((trial / name).read_bytes())
    setup["library"]["sha256"] = "0" * 64
    (moved / "setup.json").write_text(json.dumps(setup))

    assert run("fork", moved, "--without", "E1", "--out", tmp_path / "f") == 2
    assert f"allowed: {'0' * 64}" in capsys.readouterr().err


def test_a_drill_is_told_and_kept(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("drill", "--claim", CLAIM, "--index", index, "--out", tmp_path / "d")

    assert run(*command) == 0
    assert "the verdict holds: SUPPORT without, SUPPORT with planted orders" in (
        capsys.readouterr().out
    )
    assert json.loads((tmp_path / "d" / "drill.json").read_text("utf-8"))["holds"]


# --- the judgment -------------------------------------------------------------------------------


def judged(court: TryingModel, out: Path, *, cast: Callable[[TryingModel], Cast]) -> dict[str, Any]:
    config = setting(rounds=1)
    made = cast(court)
    debate = hold(config, made)
    return judgment_gate(
        debate,
        path=out,
        config=GateConfig(),
        court=made.seats["court"],
        budget=DebateBudget(config.limits, prices=prices_packaged()),
        environment={},
    )


def presided(court: TryingModel) -> Cast:
    return cast_of({"court": court})


FOUND = "The panel finds, by three of three judges, that the evidence supports the claim."
INVENTED = "Masks saved 4000 lives in Norway."


def test_a_sentence_the_court_was_not_shown_is_refused_and_repaired(tmp_path: Path) -> None:
    court = TryingModel(judgment=[f"{FOUND} {INVENTED}", f"{FOUND} {TEXTS[0]}"])

    gated = judged(court, tmp_path / "g", cast=presided)

    assert gated["outcome"] == "synthesis"
    assert gated["judgment"] == f"{FOUND} {TEXTS[0]}"
    assert gated["draft"] == f"{FOUND} {INVENTED}"
    assert INVENTED in court.asked("judgment")[1][1]
    assert run_verify(tmp_path / "g", replay=True).holds


def test_a_judgment_that_stays_invented_ends_in_a_divergence_report(tmp_path: Path) -> None:
    court = TryingModel(judgment=[f"{FOUND} {INVENTED}", f"{INVENTED} {FOUND}", INVENTED])

    gated = judged(court, tmp_path / "g", cast=presided)

    assert gated["outcome"] == "divergence"
    assert INVENTED not in gated["judgment"]
    assert len(court.asked("judgment")) == 3
    assert run_verify(tmp_path / "g", replay=True).holds


def test_a_court_that_writes_no_judgment_has_none_published(tmp_path: Path) -> None:
    refusal = ChatReply(CallStatus.REFUSED, text="", detail="I will not")

    gated = judged(TryingModel(judgment=refusal), tmp_path / "g", cast=presided)

    assert (gated["outcome"], gated["reason"]) == ("not_judged", "refused")
    assert not (tmp_path / "g").exists()


def test_a_trial_by_rules_comes_through_the_door_as_a_trace(index: Path) -> None:
    trace = courtroom_trace(claim=CLAIM, index=index, seed=2)

    assert trace == courtroom_trace(claim=CLAIM, index=index, seed=2)
    assert trace.source.format == "apg-courtroom"
    assert trace.question == f"Does the record support or refute this claim: {CLAIM}"


def test_a_sentence_of_an_exhibit_the_court_had_no_room_for_is_refused(tmp_path: Path) -> None:
    config = setting(rounds=1)
    debate = hold(config, cast_of({}))
    unseen = debate.first.play.room.docket.admitted[0].chunk.text
    hasty = TryingModel(judgment=f"{FOUND} {unseen}")

    gated = judgment_gate(
        debate,
        path=tmp_path / "g",
        config=GateConfig(pairs=1),
        court=ModelSeat(Voice(hasty, 0.0, 300, 700)),
        budget=DebateBudget(config.limits, prices=prices_packaged()),
        environment={},
    )

    trace = json.loads((tmp_path / "g" / "trace.json").read_text("utf-8"))
    assert unseen not in [document["text"] for document in trace["documents"]]
    assert trace["turns"][-1]["text"] == FOUND
    assert gated["outcome"] == "divergence"
