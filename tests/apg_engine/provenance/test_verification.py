from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apg_engine import ModelSpec, import_trace, trace_sha256
from apg_engine.cli.parser import main
from apg_engine.errors import InputError
from apg_engine.journal import request_hash
from apg_engine.provenance.manifest import manifest_check
from apg_engine.provenance.run_directory import RunDirectory
from apg_engine.provenance.verification import run_load, run_verify
from tests.apg_engine.provenance.runs import (
    journal_change,
    json_change,
    model_run,
    offline_run,
    reseal,
)
from tests.apg_engine.traces import foreign_samples
from tests.apg_engine.traces.samples import as_bytes
from tests.apg_engine.traces_for_tests import agreeing, two_sided

DEBATES = Path(__file__).resolve().parents[3] / "fixtures" / "debates"
NAMES = (
    "baseline.md",
    "corpus.json",
    "divergence.json",
    "journal.jsonl",
    "manifest.json",
    "report.md",
    "result.json",
    "trace.json",
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return offline_run(tmp_path_factory.mktemp("runs") / "offline", two_sided())


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return model_run(tmp_path_factory.mktemp("runs") / "model", two_sided())


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


@pytest.fixture
def model(asked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(asked, tmp_path / "model"))


def test_a_run_as_it_was_written_holds(finished: Path, asked: Path, tmp_path: Path) -> None:
    synthesis = offline_run(tmp_path / "s", agreeing())
    for path in (finished, asked, synthesis):
        found = run_verify(path, replay=True)

        assert found.holds, found.faults
        assert found.counts["calls"] > 0
        assert found.counts["quotes"] > 0


@pytest.mark.parametrize("path", sorted(DEBATES.glob("*.json")), ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["en", "pl"])
def test_runs_over_the_bundled_debates_hold(path: Path, language: str, tmp_path: Path) -> None:
    trace = import_trace(path.read_bytes(), file_name=path.name)

    assert run_verify(offline_run(tmp_path / "r", trace, language=language)).holds


FOREIGN = {
    "chat.json": as_bytes(foreign_samples.chat()),
    "mallm.json": as_bytes(foreign_samples.discussion()),
    "ucl.json": as_bytes(foreign_samples.courtroom()),
    "autogen.json": as_bytes(foreign_samples.agents()),
    "inspect.json": as_bytes(foreign_samples.evaluation()),
    "debate.md": foreign_samples.TRANSCRIPT.encode(),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_runs_over_foreign_debates_hold(name: str, tmp_path: Path) -> None:
    trace = import_trace(FOREIGN[name], file_name=name)

    assert run_verify(offline_run(tmp_path / "r", trace), replay=True).holds


def test_a_run_over_a_trajectory_of_the_paper_holds(shared: Path, tmp_path: Path) -> None:
    for path in sorted((shared / "trajectories").glob("*.json")):
        trace = import_trace(path.read_bytes(), file_name=path.name)
        run = offline_run(tmp_path / path.stem, trace)

        assert run_verify(run, replay=True).holds


def test_a_run_that_was_not_judged_holds(tmp_path: Path) -> None:
    polite = ModelSpec(kind="scripted", name="polite", script=("Thank you.",))
    nothing = offline_run(tmp_path / "r", two_sided(), proposer=polite)

    assert run_verify(nothing, replay=True).holds
    assert json.loads((nothing / "result.json").read_text())["outcome"] == "not_judged"


def test_the_manifest_names_the_file_and_the_stretch_of_a_changed_byte(finished: Path) -> None:
    """Of the manifest every byte is changed once; of the other files some hundred each."""
    files = {name: (finished / name).read_bytes() for name in NAMES}
    manifest = files.pop("manifest.json")
    dice = random.Random(3)
    assert not list(manifest_check(manifest, files))
    for name, data in files.items():
        for at in range(dice.randrange(9), len(data), max(1, len(data) // 120)):
            faults = list(manifest_check(manifest, files | {name: flipped(data, at, dice)}))
            assert [fault.file for fault in faults] == [name]
            start, end = places(faults[0].place)
            assert start <= at < end
    for at in range(len(manifest)):
        assert list(manifest_check(flipped(manifest, at, dice), files))


def flipped(data: bytes, at: int, dice: random.Random) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]


def places(place: str) -> tuple[int, int]:
    _, start, _, end, *_ = place.replace(",", "").split()
    return int(start), int(end)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_a_single_changed_byte_fails_and_its_file_is_named(
    data: st.DataObject, finished: Path, tmp_path: Path
) -> None:
    name = data.draw(st.sampled_from(NAMES))
    whole = (finished / name).read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    copy = tmp_path / "copy"
    shutil.copytree(finished, copy, dirs_exist_ok=True)
    (copy / name).write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])

    found = run_verify(copy)

    assert name in {fault.file for fault in found.faults}


@pytest.mark.parametrize("name", NAMES[:4] + NAMES[5:])
def test_a_file_that_is_missing_cut_or_longer_fails(name: str, run: Path) -> None:
    whole = (run / name).read_bytes()
    for changed in (whole[:-1], whole + b"\n", b""):
        (run / name).write_bytes(changed)
        assert name in {fault.file for fault in run_verify(run).faults}
    (run / name).unlink()
    assert name in {fault.file for fault in run_verify(run).faults}


def test_a_file_of_somebody_else_fails(run: Path) -> None:
    (run / "notes.txt").write_text("mine")

    assert [fault.file for fault in run_verify(run).faults] == ["notes.txt"]


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


def test_a_replay_asks_no_server(asked: Path) -> None:
    """The fake server of this run was closed long ago."""
    assert run_verify(asked, replay=True).holds


def test_verifying_changes_nothing(run: Path) -> None:
    (run / "journal.jsonl").write_bytes((run / "journal.jsonl").read_bytes()[:-5])
    before = {path.name: path.read_bytes() for path in run.iterdir()}

    assert not run_verify(run).holds
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("result.json", b"{}"),
        ("result.json", b"[]"),
        ("result.json", b"\xff"),
        ("trace.json", b'{"format": "apg-trace"}'),
        ("journal.jsonl", b"null\n"),
        ("manifest.json", b"null"),
        ("manifest.json", b'{"files": 3, "seal": 1}'),
    ],
)
def test_files_of_another_kind_are_faults_and_no_crash(
    name: str, content: bytes, run: Path
) -> None:
    (run / name).write_bytes(content)

    assert name in {fault.file for fault in run_verify(run).faults}


def test_a_folder_without_an_ended_run_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with RunDirectory(tmp_path / "begun", two_sided()):
        pass

    assert main(["verify", str(tmp_path / "begun")], environment={}) == 2
    assert main(["verify", str(tmp_path / "none")], environment={}) == 2
    assert "a run that has ended" in capsys.readouterr().err


def test_the_command_tells_file_and_place(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(run), "--replay"], environment={}) == 0
    assert "holds" in capsys.readouterr().out
    (run / "report.md").write_bytes((run / "report.md").read_bytes().replace(b"26", b"27", 1))

    assert main(["verify", str(run)], environment={}) == 2
    assert "fault: report.md: bytes" in capsys.readouterr().err
    assert main(["verify", str(run), "--json"], environment={}) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["holds"] is False
    assert told["same_engine"] is True
    assert {fault["file"] for fault in told["faults"]} == {"report.md"}


def test_the_command_replays_a_run_of_this_engine_and_finds_a_reworded_reason(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(data: dict[str, Any]) -> None:
        data["pairs"][0]["verdicts"][0]["reason"] = "because I say so"

    assert main(["verify", str(run)], environment={}) == 0
    assert ", replayed)" in capsys.readouterr().out

    json_change(run, "result.json", change)

    assert main(["verify", str(run)], environment={}) == 2
    assert "pairs[0].verdicts[0].reason" in capsys.readouterr().err
    assert main(["verify", str(run), "--no-replay"], environment={}) == 0
    assert ", not replayed)" in capsys.readouterr().out


def test_a_run_of_another_engine_is_not_replayed_unasked_and_that_is_said(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reseal(run, engine="0" * 64)

    assert main(["verify", str(run)], environment={}) == 0

    told = capsys.readouterr()
    assert "another version of the engine wrote this run" in told.err
    assert ", not replayed)" in told.out


def test_only_a_run_that_holds_is_loaded(run: Path) -> None:
    assert trace_sha256(run_load(run).trace) == trace_sha256(two_sided())
    (run / "baseline.md").write_text("mine")

    with pytest.raises(InputError, match=r"baseline\.md"):
        run_load(run)


def test_one_process_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    with (
        RunDirectory(tmp_path / "r", two_sided()),
        pytest.raises(InputError, match="another process"),
        RunDirectory(tmp_path / "r", two_sided()),
    ):
        pass
    with RunDirectory(tmp_path / "r", two_sided()):
        pass


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
