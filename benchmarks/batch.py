"""How near does `batch` come to the ideal, and does a killed batch repeat a recorded call?

`python -m benchmarks.batch` gates 90 debates against a fake endpoint with a latency of 1 s, 16
runs at a time, in processes of their own; then once more, killed at a random moment and started
again. The ideal is max(total call seconds / 16, longest chain of calls). Aims are printed beside
what was measured; nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from apg_engine import Agent, FileJournal, Source, Trace, Turn, trace_to_dict
from benchmarks.endpoints import calls_count, command_kill, command_time, endpoint_serve
from benchmarks.tables import line_print

_AIM_RATIO = 1.15


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    dice = random.Random(options.seed)
    with (
        tempfile.TemporaryDirectory() as place,
        endpoint_serve("tests.fakes.openai_server", Path(place), latency=options.latency) as url,
    ):
        folder = Path(place)
        debates = _debates(folder / "debates", options.traces, dice)
        seconds = command_time(_command(debates, folder / "whole", url, options.concurrency))
        _ratio_print(folder / "whole", seconds, options.concurrency)
        asked = calls_count(folder)
        command = _command(debates, folder / "killed", url, options.concurrency)
        after = dice.uniform(0.2, 0.8) * seconds
        command_kill(command, after=after)
        command_time(command)
        _repeats_print(folder / "killed", calls_count(folder) - asked, after, options.concurrency)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--traces", type=int, default=90)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds of each call")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _debates(folder: Path, number: int, dice: random.Random) -> Path:
    folder.mkdir()
    agents = (Agent("water", "Water Board"), Agent("clinic", "Clinic Trust"))
    for n in range(1, number + 1):
        turns = tuple(
            Turn(t, agents[t % 2].id, f"Site {n} needs {dice.randint(5, 40)} MW on day {t}.")
            for t in range(1, 12)
        )
        context = f"Only 40 MW of power remain in valley {n} until Friday."
        source = Source("apg-trace", f"{n}.json", "0" * 64)
        question = "How should the power be shared?"
        trace = Trace(f"Valley {n}", "en", context, question, agents, turns, (), (), "", source)
        (folder / f"valley-{n:03}.json").write_text(json.dumps(trace_to_dict(trace)), "utf-8")
    return folder


def _command(debates: Path, out: Path, url: str, concurrency: int) -> list[str]:
    return [
        sys.executable, "-m", "apg_engine", "batch", str(debates), "--out", str(out),
        "--concurrency", str(concurrency), "--json",
        "--proposer", "writer", "--proposer-base-url", url,
        "--auditor", "judge", "--auditor-base-url", url,
    ]  # fmt: skip


def _chains(out: Path) -> list[list[float]]:
    """Give the seconds of every call, a list for each run."""
    journals = [FileJournal(path) for path in sorted(out.glob("runs/*/journal.jsonl"))]
    return [[record.seconds or 0.0 for record in journal.records] for journal in journals]


def _ratio_print(out: Path, seconds: float, concurrency: int) -> None:
    chains = _chains(out)
    total = sum(map(sum, chains))
    ideal = max(total / concurrency, *map(sum, chains))
    line_print(f"{len(chains)} debates, {sum(map(len, chains))} calls, {concurrency} at a time")
    line_print(f"call seconds {total:.1f}, longest chain {max(map(sum, chains)):.1f}")
    line_print(f"ideal {ideal:.1f} s, measured {seconds:.1f} s with start and tables")
    line_print(f"ratio {seconds / ideal:.3f} (aim: at most {_AIM_RATIO})")


def _repeats_print(out: Path, asked: int, after: float, concurrency: int) -> None:
    recorded = sum(map(len, _chains(out)))
    line_print(f"killed after {after:.1f} s and started again: {recorded} calls recorded")
    line_print(
        f"answered by the endpoint: {asked}; beyond the recorded ones only calls that were under "
        f"way when it was killed: {asked - recorded} (at most {concurrency})"
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
