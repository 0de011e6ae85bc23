"""A disk that takes no more, and outputs nobody reads: nothing whole is lost, and it is said."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from apg_engine import CallRecord, FileJournal
from apg_engine.cli.parser import main
from apg_engine.journal import request_hash
from tests.apg_engine.provenance.runs import offline_run
from tests.apg_engine.traces_for_tests import two_sided

STALEMATE = Path("fixtures/debates/stalemate.json").resolve()
DEBATE = b"Anna: The mill needs forty metres.\nBorys: The clinic needs thirty metres.\n"


def shell(*arguments: object, largest: int = -1, **streams: int) -> tuple[int, str]:
    """Run the command where no file may grow beyond so many bytes, as on a disk that is full."""
    done = subprocess.run(
        [sys.executable, "-m", "apg_engine", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=streams.get("stdout", subprocess.DEVNULL),
        stderr=subprocess.PIPE,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest)),
    )
    return done.returncode, done.stderr.decode()


def record(sequence: int, reply: str) -> CallRecord:
    request = {"n": sequence}
    return CallRecord(sequence, "auditor", request_hash(request), request, reply, "ok")


def test_a_run_that_the_disk_cut_short_names_the_file_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, told = shell("gate", STALEMATE, "--out", out, largest=12_000)

    assert code == 2
    assert f"error: {out / 'corpus.json'}: File too large" in told
    assert not (out / "manifest.json").exists()
    assert not list(out.glob(".*"))
    assert shell("gate", STALEMATE, "--out", out)[0] == 3
    assert main(["verify", str(out)], environment={}) == 0


def test_a_file_that_cannot_be_written_leaves_the_one_that_was_there(tmp_path: Path) -> None:
    trace, report = tmp_path / "trace.json", tmp_path / "report.md"
    run = offline_run(tmp_path / "run", two_sided())
    trace.write_text("before")
    report.write_text("before")

    for arguments in (("import", STALEMATE, "--out", trace), ("report", run, "--out", report)):
        code, told = shell(*arguments, largest=500)
        assert (code, str(arguments[-1]) in told) == (2, True)
    assert trace.read_text() == report.read_text() == "before"


def test_a_call_that_was_not_kept_whole_leaves_no_trace_in_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = FileJournal(path)
    journal.append(record(1, "short"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        with pytest.raises(OSError, match=r"journal\.jsonl"):
            journal.append(record(2, "long" * 1_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    journal.append(record(2, "short again"))

    assert [one.reply for one in FileJournal(path).records] == ["short", "short again"]


def test_a_debate_is_not_overwritten_by_its_own_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "debate.txt"
    path.write_bytes(DEBATE)

    assert main(["import", str(path), "--out", str(path)], environment={}) == 2
    assert "another file" in capsys.readouterr().err
    assert path.read_bytes() == DEBATE


def test_what_is_written_to_a_link_or_a_pipe_goes_through_it(tmp_path: Path) -> None:
    run, link = offline_run(tmp_path / "run", two_sided()), tmp_path / "link.md"
    link.symlink_to("real.md")
    piped = subprocess.run(
        [sys.executable, "-m", "apg_engine", "report", str(run), "--out", "/dev/stdout"],
        capture_output=True,
        check=False,
    )

    assert shell("report", run, "--out", link)[0] == 3
    assert link.is_symlink()
    assert (tmp_path / "real.md").read_bytes() == piped.stdout != b""


def test_an_output_that_takes_nothing_is_told_in_one_line(tmp_path: Path) -> None:
    run = offline_run(tmp_path / "run", two_sided())
    with Path("/dev/full").open("wb") as full:
        code, told = shell("verify", run, stdout=full.fileno())

    assert (code, told) == (2, "error: output: No space left on device\n")


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    run = offline_run(tmp_path / "run", two_sided())
    reading, writing = os.pipe()
    os.close(reading)
    code, told = shell("report", run, "--json", stdout=writing)
    os.close(writing)

    assert (code, told) == (141, "")


def test_an_index_that_the_disk_cut_short_leaves_the_one_that_was_there(tmp_path: Path) -> None:
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "index"
    build = ("index", "build", corpus, "--embedder", "hashed-words", "--out", out)
    corpus.write_text('{"id": "a", "text": "The mill needs forty metres."}\n')
    assert shell(*build)[0] == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    corpus.write_text('{"id": "b", "text": "The clinic needs thirty metres."}\n')

    code, told = shell(*build, largest=100)

    assert (code, f"error: {out}" in told) == (2, True)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_an_evaluation_that_the_disk_cut_short_goes_on_with_whole_rows(tmp_path: Path) -> None:
    claims, out = tmp_path / "claims.jsonl", tmp_path / "out"
    row = (
        '{{"id": "c{0}", "claim": "Herb {0} cures.", "label": "SUPPORT", "rationale": ["Yes."]}}\n'
    )
    claims.write_text("".join(row.format(n) for n in range(12)))
    judged = ("evaluate", "claims", "--data", claims, "--task", "three-way", "--out", out,
              "--system", "single")  # fmt: skip

    code, told = shell(*judged, largest=3_000)

    assert (code, "File too large" in told) == (2, True)
    assert (out / "rows.jsonl").read_bytes().endswith(b"\n")
    assert shell(*judged)[0] == 0
    assert len((out / "rows.csv").read_text("utf-8").splitlines()) == 13
