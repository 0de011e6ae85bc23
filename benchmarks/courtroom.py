"""How near is a court at work on many claims to the ideal, and how do its prompts and memory grow?

`python -m benchmarks.courtroom` tries claims against a fake endpoint in a process of its own, at
most `--concurrency` calls at once, each with the gate over its judgment. The ideal is the greater
of all call seconds divided by the concurrency and the longest chain of calls that wait for each
other. Then one trial of ten rounds is killed at random moments and started again. Aims are printed
beside what was measured; nothing is asserted.
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
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from apg_engine import FileJournal
from apg_engine.config import ModelSpec
from apg_engine.debates.courtroom.config import ROLES, CourtroomConfig, SearchRules, preset_load
from apg_engine.debates.courtroom.holding import Conduct
from apg_engine.debates.courtroom.running import Shelf, courtroom_run
from apg_engine.journal import CallRecord
from apg_engine.retrieval.embedding import HashedWords
from apg_engine.retrieval.evidence_index import Fields, index_build, index_open
from apg_engine.spending.prices import prices_packaged
from benchmarks.endpoints import calls_count, command_kill, command_time, endpoint_serve
from benchmarks.tables import line_print, table_print

Result = TypeVar("Result")
_AIM_RATIO = 1.2
_AIM_MEMORY_GB = 1.0
_TEXTS = 600
_WORDS = ("dose", "mask", "ward", "virus", "infection", "immunity", "symptom", "vaccine", "contact")


@dataclass(frozen=True, slots=True)
class Held:
    """One trial: its record and its calls."""

    record: dict[str, Any]
    calls: tuple[CallRecord, ...]


class Slots:
    """Runs branches beside each other while one of the calls at once is free, else in turn."""

    def __init__(self, count: int) -> None:
        self._free = threading.BoundedSemaphore(count)

    def work(self, job: Callable[[], Result]) -> Result:
        """Run a job in one of the slots."""
        with self._free:
            return job()

    def __call__(self, jobs: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run jobs of somebody who holds a slot already."""
        with ThreadPoolExecutor(max_workers=max(1, len(jobs) - 1)) as pool:
            waiting = []
            for job in jobs[1:]:
                is_free = self._free.acquire(blocking=False)
                waiting.append(pool.submit(self._freed, job) if is_free else job)
            first = jobs[0]()
            return [first, *(one.result() if hasattr(one, "result") else one() for one in waiting)]

    def _freed(self, job: Callable[[], Result]) -> Result:
        try:
            return job()
        finally:
            self._free.release()


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as place,
        endpoint_serve("tests.fakes.trying", Path(place), latency=options.latency) as url,
    ):
        folder = Path(place)
        _library(folder, options.seed)
        began = time.perf_counter()
        held = _tried(folder, url, options)
        _ratio_print(held, time.perf_counter() - began, options.concurrency)
        _growth_print(_long_trial(folder, url, options))
        _kills(folder, url, options)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        line_print(f"peak memory of this process {peak:.2f} GB (aim: below {_AIM_MEMORY_GB:g})")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--claims", type=int, default=120)
    parser.add_argument("--latency", type=float, default=0.5, help="seconds of each call")
    parser.add_argument("--concurrency", type=int, default=16, help="calls at once")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _library(folder: Path, seed: int) -> None:
    """Write a corpus of texts as long as abstracts and index it."""
    dice = random.Random(seed)
    rows = [
        {"id": f"d{number}", "title": f"Paper {number}", "text": _text(dice)}
        for number in range(_TEXTS)
    ]
    corpus = folder / "corpus.jsonl"
    corpus.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    index_build(corpus, folder / "index", HashedWords(), fields=Fields())


def _text(dice: random.Random) -> str:
    def sentence() -> str:
        one, other = dice.choice(_WORDS), dice.choice(_WORDS)
        where = f"where {other} {dice.randrange(400)} was seen"
        return (
            f"The {one} of group {dice.randrange(400)} fell by {dice.randrange(90)} units {where}."
        )

    return " ".join(sentence() for _ in range(12))


def _config(claim: str, url: str, rounds: int = 10) -> CourtroomConfig:
    spec = ModelSpec(kind="openai", name="m", base_url=url, max_tokens=512)
    config = preset_load("proclaim", claim=claim)
    return replace(config, roles=dict.fromkeys(ROLES, spec), same_family=True, rounds=rounds)


def _tried(folder: Path, url: str, options: argparse.Namespace) -> list[Held]:
    shelf = Shelf(index_open(folder / "index", HashedWords()), {"path": "index", "sha256": ""})
    slots, dice = Slots(options.concurrency), random.Random(options.seed)
    claims = [_text(dice).partition(". ")[0] + "." for _ in range(options.claims)]

    def trial(number: int) -> Held:
        out = folder / f"claim-{number}"
        record = courtroom_run(
            _config(claims[number], url),
            shelf=shelf,
            out=out,
            environment={},
            prices=prices_packaged(),
            conduct=Conduct(fan_out=slots),
        )
        return Held(record, FileJournal(out / "journal.jsonl").records)

    with ThreadPoolExecutor(max_workers=options.concurrency) as pool:
        jobs = [
            pool.submit(slots.work, lambda number=number: trial(number))
            for number in range(options.claims)
        ]
    return [job.result() for job in jobs]


def _ratio_print(held: Sequence[Held], seconds: float, concurrency: int) -> None:
    total = sum(record.seconds or 0.0 for one in held for record in one.calls)
    chain = max(_chain(one) for one in held)
    ideal = max(total / concurrency, chain)
    calls = sum(len(one.calls) for one in held)
    reasons = Counter(one.record["stop"]["reason"] for one in held)
    rounds = statistics.fmean(one.record["stop"]["rounds_held"] for one in held)
    line_print(
        f"{len(held)} claims, {calls} calls, {total:.0f} call seconds in {seconds:.1f} s;"
        f" longest chain {chain:.1f} s; {rounds:.2f} rounds; ends: {dict(reasons)}"
    )
    line_print(
        f"ideal {ideal:.1f} s, ratio {seconds / ideal:.2f} (aim: at most {_AIM_RATIO:g});"
        f" judgments: {dict(Counter(one.record['gate']['outcome'] for one in held))}"
    )


def _chain(held: Held) -> float:
    """The calls of the longer run, with the slowest judge of each panel."""
    first, last = held.record["switched_rows"] or (0, -1)
    runs = ([], [])  # type: tuple[list[CallRecord], list[CallRecord]]
    for record in held.calls:
        runs[first <= record.sequence <= last].append(record)
    return max(_in_turn(run) for run in runs)


def _in_turn(records: Sequence[CallRecord]) -> float:
    judges = [one.seconds or 0.0 for one in records if one.role.startswith("judge_")]
    others = sum(one.seconds or 0.0 for one in records if not one.role.startswith("judge_"))
    return others + max(judges, default=0.0)


def _long_trial(folder: Path, url: str, options: argparse.Namespace) -> dict[str, Any]:
    """Hold ten rounds: the search is kept from stopping by rules that never apply."""
    shelf = Shelf(index_open(folder / "index", HashedWords()), {"path": "index", "sha256": ""})
    config = _config(_text(random.Random(options.seed + 1)).partition(". ")[0] + ".", url)
    config = replace(config, ablations=replace(config.ablations, progressive_rag=False),
                     search=SearchRules())  # fmt: skip
    return courtroom_run(
        config, shelf=shelf, out=folder / "long", environment={}, prices=prices_packaged()
    )


def _growth_print(record: dict[str, Any]) -> None:
    sizes: dict[int, list[int]] = {}
    for call in record["calls"]:
        if call["purpose"] == "argue":
            sizes.setdefault(call["round"], []).append(call["prompt_characters"])
    means = [statistics.fmean(sizes[round_]) for round_ in sorted(sizes)]
    added = ["-", *(f"{after - before:.0f}" for before, after in itertools.pairwise(means))]
    rows = [
        [str(round_), f"{mean:.0f}", more]
        for round_, mean, more in zip(sorted(sizes), means, added, strict=True)
    ]
    table_print(("round", "characters of an argument's prompt", "added"), rows)


def _kills(folder: Path, url: str, options: argparse.Namespace) -> None:
    """Kill a trial from the shell again and again, then let it end; count repeated calls."""
    out, asked = folder / "killed", calls_count(folder)
    settings = folder / "ten_rounds.yaml"
    settings.write_text("ablations: {progressive_rag: false}\n")
    command = [
        sys.executable, "-m", "apg_engine", "debate", "courtroom", "--json", "--claim",
        "The mask of group 7 changed by 9 percent.", "--index", str(folder / "index"),
        "--config", str(settings),
        "--model", "m", "--same-family", "--model-base-url", url, "--out", str(out),
    ]  # fmt: skip
    dice = random.Random(options.seed)
    for _ in range(options.kills):
        command_kill(command, after=dice.uniform(1.5, 2.0 + 20 * options.latency))
    command_time(command)
    asked = calls_count(folder) - asked
    records = [r for r in FileJournal(out / "journal.jsonl").records if "messages" in r.request]
    line_print(
        f"killed {options.kills} times: {len(records)} calls recorded; answered by the endpoint"
        f" {asked}, so beyond the recorded ones"
        f" {asked - len(records)} that were under way (at most {options.kills})"
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
