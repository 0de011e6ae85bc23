"""What `verify` finds in a folder of a run, from the first byte to the command."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apg_engine import ModelSpec, import_trace, trace_sha256
from apg_engine.cli.parser import main
from apg_engine.errors import InputError
from apg_engine.provenance.manifest import manifest_check
from apg_engine.provenance.run_directory import RunDirectory
from apg_engine.provenance.verification import run_load, run_verify
from tests.apg_engine.provenance.runs import (
    json_change,
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
