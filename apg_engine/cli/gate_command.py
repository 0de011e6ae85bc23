"""`gate`: one run over one trace, written into a directory that can be resumed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.import_command import trace_read
from apg_engine.cli.model_options import config_of, environment_of, gate_options_add
from apg_engine.cli.spending_options import budget_of, prices_of, spending_options_add
from apg_engine.cli.status import OF_OUTCOME, ExitStatus
from apg_engine.machine import gate
from apg_engine.models import models_from_config
from apg_engine.provenance.run_directory import RunDirectory, ended_otherwise_refuse
from apg_engine.results import GateResult, Outcome, Progress
from apg_engine.spending.budget import GuardedJournal
from apg_engine.spending.estimates import call_estimate
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import Spent, calls_spent
from apg_engine.traces import MAX_BYTES

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def gate_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("gate", help="gate one debate")
    parser.add_argument("trace", type=Path, metavar="TRACE", help="a debate in any known format")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    gate_options_add(parser)
    spending_options_add(parser)
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="largest trace to read")
    parser.add_argument("--prov", action="store_true", help="also write PROV-JSON and PROV-N")
    parser.add_argument("--json", action="store_true", help="print a summary as JSON")


def gate_run(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Run the gate, or go on with a run that was interrupted.

    Raises:
        EngineError: bad input; nothing is written before trace and configuration are checked.
    """
    trace = trace_read(options.trace, max_bytes=options.max_bytes)
    config = config_of(options, trace_language=trace.language)
    models = models_from_config(config, environment=environment_of(options, environment))
    prices = prices_of(options)
    budget = budget_of(options, config=config, prices=prices)
    ended_otherwise_refuse(options.out, config)
    with RunDirectory(options.out, trace) as directory:
        journal = directory.journal()
        guarded = GuardedJournal(
            journal,
            budget=budget,
            estimate=call_estimate(config, trace, prices=prices),
            prices=prices,
        )
        result = gate(
            trace,
            config=config,
            models=models,
            journal=guarded,
            on_progress=None if options.json else _tell,
        )
        directory.write(result, prov=options.prov)
    _summarise(result, options, calls_spent(journal.records, prices=prices), prices)
    return OF_OUTCOME[result.outcome]


def _tell(progress: Progress) -> None:
    sys.stderr.write(f"pair {progress.pair_number}: {progress.stage}\n")


def _summarise(
    result: GateResult, options: argparse.Namespace, spent: Spent, prices: PriceTable
) -> None:
    if options.json:
        summary = {**_summary(result, options.out), "spent": asdict(spent)}
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    for warning in result.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    counts = ", ".join(_counted(result))
    sys.stdout.write(
        f"{_SAID[result.outcome]} ({result.reason}): {result.detail}\n"
        f"models: {result.models.proposer} | {result.models.auditor}\n"
        f"supported claims by pair: {counts or 'none counted'}\n"
        f"{_no_contrast(result)}"
        f"written to {options.out}\n"
    )
    if spent.calls:
        sys.stdout.write(f"{_spent(spent, prices)}\n")
    if result.outcome is Outcome.NOT_JUDGED:
        sys.stdout.write("an ended run is not repeated; use a new --out to try again\n")


def _no_contrast(result: GateResult) -> str:
    if result.outcome is not Outcome.SYNTHESIS or result.has_contrast:
        return ""
    return "no contrast: the first draft passed, so both texts are one and make no pair\n"


def _counted(result: GateResult) -> list[str]:
    counted = [pair.fidelity for pair in result.pairs if pair.fidelity]
    return [f"{fidelity.supported}/{fidelity.total}" for fidelity in counted]


def _spent(spent: Spent, prices: PriceTable) -> str:
    tokens = [spent.prompt_tokens, spent.completion_tokens]
    read, written = ("unknown" if number is None else f"{number:,}" for number in tokens)
    cost = "cost unknown" if spent.cost is None else f"{spent.cost:.4f} {prices.currency}"
    return f"model calls: {spent.calls}, tokens: {read} in and {written} out, {cost}"


_SAID = {
    Outcome.SYNTHESIS: "published a verified synthesis",
    Outcome.DIVERGENCE: "published a Divergence Report",
    Outcome.NOT_JUDGED: "not judged",
}


def _summary(result: GateResult, out: Path) -> dict[str, object]:
    models = result.models
    return {
        "outcome": result.outcome.value,
        "reason": result.reason,
        "detail": result.detail,
        "pairs": _counted(result),
        "has_contrast": result.has_contrast,
        "warnings": list(result.warnings),
        "proposer": models.proposer,
        "auditor": models.auditor,
        "offline": models.proposer_offline or models.auditor_offline,
        "out": str(out),
    }
