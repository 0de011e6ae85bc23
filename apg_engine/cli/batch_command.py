"""`batch`: the gate over many debates, resumable, with tables that grow as runs end."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.batch.running import BatchOutcome, BatchPlan, Job, batch_run
from apg_engine.cli.import_command import trace_read
from apg_engine.cli.model_options import config_of, environment_of, gate_options_add
from apg_engine.cli.spending_options import budget_of, prices_of, spending_options_add
from apg_engine.cli.status import ExitStatus
from apg_engine.config import GateConfig, config_to_dict
from apg_engine.disk import file_write
from apg_engine.errors import InputError, TraceError
from apg_engine.models import models_from_config
from apg_engine.results import Outcome
from apg_engine.spending.pace import Pace
from apg_engine.traces import CONFLICT_RULES, MAX_BYTES, trace_sha256

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)

_SUFFIXES = (".json", ".jsonl")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_SETTINGS = "batch.json"
_MOST_AT_ONCE = 256
_BAR = 30


def batch_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("batch", help="gate many debates, and go on where it stopped")
    parser.add_argument(
        "traces", type=Path, nargs="+", metavar="TRACE", help="debates, or folders of debates"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    parser.add_argument("--concurrency", type=int, default=4, metavar="N", help="calls at a time")
    gate_options_add(parser)
    spending_options_add(parser)
    parser.add_argument(
        "--requests-per-minute", type=float, metavar="N", help="of all runs together"
    )
    parser.add_argument(
        "--conflict-rule", choices=CONFLICT_RULES, help="tell the conflict level by this rule"
    )
    parser.add_argument("--prov", action="store_true", help="also write PROV-JSON and PROV-N")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="largest debate to read")
    parser.add_argument("--json", action="store_true", help="print a summary as JSON")


def batch_main(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Read every debate, and only then run.

    Raises:
        EngineError: bad input; nothing is run before all debates and the options are checked.
    """
    jobs = _jobs(options)
    config = config_of(options, trace_language="")
    prices = prices_of(options)
    plan = BatchPlan(
        config=config,
        environment=environment_of(options, environment),
        concurrency=_concurrency(options.concurrency),
        prices=prices,
        budget=budget_of(options, config=config, prices=prices),
        pace=_pace(options.requests_per_minute),
        rule=options.conflict_rule,
        prov=options.prov,
    )
    # Builds the models once before any thread does: a missing key is told here.
    models_from_config(config, environment=environment)
    _settings_keep(options.out, config)
    tell = None if options.json else _Bar()
    outcome = batch_run(jobs, plan=plan, folder=options.out, on_ended=tell)
    _summarise(outcome, len(jobs), options)
    return _status(outcome, len(jobs))


def _jobs(options: argparse.Namespace) -> list[Job]:
    jobs: dict[str, Job] = {}
    refused: list[str] = []
    for path in _paths(options.traces):
        try:
            trace = trace_read(path, max_bytes=options.max_bytes)
        except TraceError as error:
            refused.append(str(error))
            continue
        name = f"{_UNSAFE.sub('_', path.stem)[:80]}-{trace_sha256(trace)[:8]}"
        jobs.setdefault(name, Job(name, trace))
    if refused:
        raise InputError("batch", f"{len(refused)} debates", "; ".join(refused), "debates only")
    if not jobs:
        raise InputError("batch", "TRACE", "no debate", f"files ending in {', '.join(_SUFFIXES)}")
    return list(jobs.values())


def _paths(given: Sequence[Path]) -> Iterator[Path]:
    for path in given:
        if path.is_dir():
            yield from sorted(inner for inner in path.iterdir() if inner.suffix in _SUFFIXES)
        else:
            yield path


def _concurrency(number: int) -> int:
    if not 1 <= number <= _MOST_AT_ONCE:
        raise InputError("batch", "--concurrency", str(number), f"1 to {_MOST_AT_ONCE}")
    return number


def _pace(per_minute: float | None) -> Pace | None:
    if per_minute is None:
        return None
    if not per_minute > 0:
        raise InputError("batch", "--requests-per-minute", str(per_minute), "more than 0")
    return Pace(per_minute, clock=time.monotonic, sleep=time.sleep)


def _settings_keep(folder: Path, config: GateConfig) -> None:
    """Keep the configuration with the batch, and refuse to mix two in one folder."""
    path = folder / _SETTINGS
    text = json.dumps(config_to_dict(config), ensure_ascii=False, indent=1) + "\n"
    if path.exists() and path.read_text("utf-8") != text:
        raise InputError(
            str(path), "content", "a batch with another configuration", "a new or fitting --out"
        )
    folder.mkdir(parents=True, exist_ok=True)
    file_write(path, text.encode())


class _Bar:
    """A progress bar on a terminal, and a line for every run elsewhere."""

    def __call__(self, ended: int, total: int) -> None:
        filled = "#" * (_BAR * ended // total)
        begin, end = ("\r", "") if sys.stderr.isatty() else ("", "\n")
        sys.stderr.write(f"{begin}[{filled:<{_BAR}}] {ended} of {total} runs{end}")
        if end == "" and ended == total:
            sys.stderr.write("\n")
        sys.stderr.flush()


def _summarise(outcome: BatchOutcome, total: int, options: argparse.Namespace) -> None:
    counts = Counter(one.value for one in outcome.ended.values())
    if options.json:
        summary = {
            "runs": total,
            "ended": dict(counts),
            "failed": outcome.failed,
            "stopped": outcome.stopped,
            "out": str(options.out),
        }
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    for name, why in sorted(outcome.failed.items()):
        sys.stderr.write(f"failed: {name}: {' '.join(why.split())}\n")
    if outcome.stopped:
        sys.stderr.write(f"stopped: {outcome.stopped}\n")
    told = ", ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "none"
    sys.stdout.write(f"{len(outcome.ended)} of {total} runs ended: {told}\n")
    sys.stdout.write(f"written to {options.out}\n")


def _status(outcome: BatchOutcome, total: int) -> ExitStatus:
    if outcome.failed:
        return ExitStatus.BAD_INPUT
    found = set(outcome.ended.values())
    if len(outcome.ended) < total or Outcome.NOT_JUDGED in found:
        return ExitStatus.NOT_JUDGED
    return ExitStatus.DIVERGENCE if Outcome.DIVERGENCE in found else ExitStatus.PUBLISHED
