"""An evaluation against an endpoint, killed on the way: no recorded call is made again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from apg_engine.evaluating.rows import rows_load

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

CLAIMS = 8


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Start a model in a process of its own; give its address and its log."""
    log = tmp_path / "endpoint.jsonl"
    command = [sys.executable, "-m", "tests.fakes.evaluating", "--port", "0"]
    command += ["--latency", "0.03", "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1], log
        process.kill()


def data_set(folder: Path) -> tuple[Path, Path]:
    """Write claims and an index of their documents."""
    rows = [
        {"id": f"c{n}", "claim": f"Herb {n} cures cough.", "label": "SUPPORT", "document": f"d{n}"}
        for n in range(CLAIMS)
    ]
    texts = [{"id": f"d{n}", "text": f"Herb {n} cures cough in {n} days."} for n in range(CLAIMS)]
    claims, corpus = folder / "claims.jsonl", folder / "corpus.jsonl"
    for path, lines in ((claims, rows), (corpus, texts)):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    build = [sys.executable, "-m", "apg_engine", "index", "build", str(corpus)]
    index = folder / "index"
    subprocess.run([*build, "--embedder", "hashed-words", "--out", str(index)], check=True)
    return claims, index


def test_a_killed_evaluation_goes_on_and_repeats_no_recorded_call(
    endpoint: tuple[str, Path], tmp_path: Path
) -> None:
    url, log = endpoint
    claims, index = data_set(tmp_path)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "apg_engine", "evaluate", "claims", "--data", str(claims)]
    command += ["--index", str(index), "--system", "mad", "--system", "vote", "--json"]
    command += ["--model", "m", "--model-base-url", url, "--concurrency", "2", "--out", str(out)]

    for rows in (2, CLAIMS + 2):
        kill_at(command, out / "rows.jsonl", rows)
    kept = (out / "rows.jsonl").read_bytes()
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)

    assert done.returncode == 0, done.stderr
    assert (out / "rows.jsonl").read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    found = rows_load(out)
    assert len({row.key for row in found}) == len(found) == 2 * CLAIMS
    tokens = {(row.system, row.item): row.tokens or 0 for row in found}
    assert all(0 < tokens["vote", f"c{n}"] <= tokens["mad", f"c{n}"] for n in range(CLAIMS))
    # A kill may lose the answers that were under way: two claims at once, two kills.
    asked = log.read_bytes().count(b"\n")
    assert asked - sum(row.spent.calls for row in found) <= 4
    assert json.loads(done.stdout)["runs"][0]["accuracy"]["n"] == CLAIMS


def kill_at(command: list[str], rows: Path, count: int) -> None:
    """Start the evaluation and kill it when so many rows are there."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 90
    while lines_of(rows) < count and time.monotonic() < until:
        assert process.poll() is None, "the evaluation ended before it could be killed"
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=20)


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0
