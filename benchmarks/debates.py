"""How do a debate's prompts and memory grow with its rounds, and does a killed one repeat a call?

`python -m benchmarks.debates` holds a debate of the committee against a fake endpoint, in processes
of their own: once whole, and once more killed at random moments and started again. Then it holds
offline debates and gates them. Aims are printed beside what was measured; nothing is asserted.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apg_engine import FileJournal
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.scenario import SCENARIOS
from benchmarks.endpoints import calls_count, command_kill, command_time, endpoint_serve
from benchmarks.tables import line_print, table_print
from tests.fakes.openai_server import digest

_AIM_MEMORY_GB = 1.0


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    dice = random.Random(options.seed)
    with (
        tempfile.TemporaryDirectory() as place,
        endpoint_serve("tests.fakes.debating", Path(place), latency=options.latency) as url,
    ):
        folder = Path(place)
        seconds = command_time(_spoken(folder / "whole", url, options.rounds))
        _growth_print(_record(folder / "whole"))
        _time_print(folder / "whole", seconds)
        asked = calls_count(folder)
        _kills(folder, url, options, dice)
        _repeats_print(folder / "killed", calls_count(folder) - asked, options.kills)
        _offline_print(folder, options.seeds)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=10, help="each module speaks so often")
    parser.add_argument("--latency", type=float, default=0.05, help="seconds of each call")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=10, help="offline debates of each scenario")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _spoken(out: Path, url: str, rounds: int) -> list[str]:
    model = ("--model", "m", "--model-base-url", url, "--turns", str(rounds * len(MODULES)))
    return _debate(out, *model)


def _debate(out: Path, *options: str) -> list[str]:
    command = [sys.executable, "-m", "apg_engine", "debate", "committee", "--json"]
    return [*command, *options, "--out", str(out)]


def _record(out: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((out / "debate.json").read_text("utf-8"))
    return record


def _growth_print(record: Mapping[str, Any]) -> None:
    """Show the mean prompt of each round, and how much each round adds."""
    sizes: dict[int, list[int]] = {}
    for call in record["calls"]:
        if call["purpose"] == "turn":
            sizes.setdefault(call["round"], []).append(call["prompt_characters"])
    means = [statistics.fmean(sizes[round_]) for round_ in sorted(sizes)]
    added = ["-", *(f"{after - before:.0f}" for before, after in itertools.pairwise(means))]
    rows = [
        [str(round_), f"{mean:.0f}", more]
        for round_, mean, more in zip(sorted(sizes), means, added, strict=True)
    ]
    table_print(("round", "characters of a turn's prompt", "added"), rows)
    # Shocks and another opening prompt come in the first rounds only.
    later = [after - before for before, after in itertools.pairwise(means[3:])]
    if later:
        line_print(
            f"a round adds {min(later):.0f} to {max(later):.0f} characters from round 4 on"
            f" (aim: the same in each round, which is linear growth)"
        )


def _time_print(out: Path, seconds: float) -> None:
    records = FileJournal(out / "journal.jsonl").records
    calls = sum(record.seconds or 0.0 for record in records)
    line_print(
        f"{len(records)} calls took {calls:.1f} s, the whole debate with its gate {seconds:.1f} s"
    )


def _kills(folder: Path, url: str, options: argparse.Namespace, dice: random.Random) -> None:
    command = _spoken(folder / "killed", url, options.rounds)
    for _ in range(options.kills):
        command_kill(command, after=dice.uniform(1.0, 1.0 + options.rounds * options.latency * 2))
    command_time(command)


def _repeats_print(out: Path, asked: int, kills: int) -> None:
    records = FileJournal(out / "journal.jsonl").records
    requests = Counter(digest(record.request["messages"]) for record in records)
    line_print(
        f"killed {kills} times: {len(records)} calls recorded, {len(requests)} different;"
        f" answered by the endpoint {asked}"
    )
    line_print(
        f"beyond the recorded ones only calls that were under way: {asked - len(records)}"
        f" (at most {kills})"
    )


def _offline_print(folder: Path, seeds: int) -> None:
    outcomes: Counter[str] = Counter()
    began = time.perf_counter()
    for scenario in SCENARIOS:
        for seed in range(seeds):
            out = folder / f"{scenario}-{seed}"
            command_time(_debate(out, "--scenario", scenario, "--seed", str(seed)))
            outcomes[_record(out)["gate"]["outcome"]] += 1
    each = (time.perf_counter() - began) / (seeds * len(SCENARIOS))
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    line_print(f"{seeds * len(SCENARIOS)} offline debates with gate, {each:.2f} s each: {told}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
    line_print(f"peak memory of the largest process {peak:.2f} GB (aim: below {_AIM_MEMORY_GB:g})")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
