"""How long does the gate take with the offline pair, and does time grow with the trace?

`python -m benchmarks.gate_scaling` gates made traces of 1, 2, 4 and 5 MB, each in a process of its
own, from the file to the written run, and prints seconds, their ratio to the smallest trace and the
peak of memory beside the aims. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apg_engine import Trace, trace_to_dict
from benchmarks.ladder_throughput import SENTENCES_PER_ITEM, trace_made
from benchmarks.tables import line_print, table_print

_SIZES = (1.0, 2.0, 4.0, 5.0)
_AIM_MEGABYTES_IN, _AIM_SECONDS, _AIM_MEGABYTES = 5.0, 10, 500
_ENDED = frozenset({0, 3})


@dataclass(frozen=True, slots=True)
class Gated:
    """One gated trace: its size in MB (10^6 bytes), wall and processor seconds, peak in MiB."""

    megabytes: float
    turns: int
    seconds: float
    processor: float
    peak: float
    status: int
    said: str


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    gated = [trace_gate(size, options.seed) for size in options.megabytes]
    failed = [one for one in gated if one.status not in _ENDED]
    for one in failed:
        sys.stderr.write(f"error: {one.megabytes:.1f} MB ended with {one.status}: {one.said}\n")
    _table_print(gated)
    return 1 if failed else 0


def trace_gate(megabytes: float, seed: int) -> Gated:
    """Gate a made trace of about so many MB with `python -m apg_engine gate`."""
    trace = _trace_of(megabytes, seed)
    data = _written(trace)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.json"
        path.write_bytes(data)
        command = [sys.executable, "-m", "apg_engine", "gate", str(path), "--json"]
        log = Path(folder) / "said"
        with log.open("wb") as said:
            started = time.monotonic()
            child = subprocess.Popen(  # noqa: S603 (our own command)
                [*command, "--out", str(Path(folder) / "run")], stdout=said, stderr=said
            )
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.monotonic() - started
            child.returncode = os.waitstatus_to_exitcode(status)
        return Gated(
            len(data) / 1e6,
            len(trace.turns),
            seconds,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024,
            child.returncode,
            log.read_text("utf-8", "replace").strip()[:300],
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gate_scaling", description=__doc__)
    parser.add_argument(
        "megabytes", nargs="*", type=float, default=list(_SIZES), help="sizes (1 2 4 5)"
    )
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _trace_of(megabytes: float, seed: int) -> Trace:
    hundred = len(_written(trace_made(100, random.Random(seed))))
    return trace_made(int(megabytes * 1e6 / hundred * 100), random.Random(seed))


def _written(trace: Trace) -> bytes:
    return json.dumps(trace_to_dict(trace), ensure_ascii=False).encode()


def _table_print(gated: Sequence[Gated]) -> None:
    first = gated[0]
    rows = [
        (
            f"{one.megabytes:.1f}",
            str(one.turns),
            str(one.turns * SENTENCES_PER_ITEM),
            f"{one.seconds:.1f}",
            f"{one.processor:.1f}",
            f"{one.processor / first.processor:.2f}",
            f"{one.turns / first.turns:.2f}",
            f"{one.peak:.0f}",
        )
        for one in gated
    ]
    head = (
        "MB", "turns", "sentences", "seconds", "of a core", "against 1x", "linear would be",
        "peak MiB",
    )  # fmt: skip
    table_print(head, rows)
    line_print(
        f"aims at {_AIM_MEGABYTES_IN:.0f} MB: under {_AIM_SECONDS} s and {_AIM_MEGABYTES} MiB"
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
