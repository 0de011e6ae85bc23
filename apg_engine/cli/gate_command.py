"""`gate`: one run over one trace, written into a directory that can be resumed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.import_command import trace_read
from apg_engine.cli.model_options import config_of, gate_options_add
from apg_engine.cli.status import OF_OUTCOME, ExitStatus
from apg_engine.machine import gate
from apg_engine.models import models_from_config
from apg_engine.provenance.run_directory import RunDirectory
from apg_engine.results import GateResult, Outcome, Progress
from apg_engine.traces import MAX_BYTES

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def gate_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("gate", help="gate one debate")
    parser.add_argument("trace", type=Path, metavar="TRACE", help="a debate in any known format")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    gate_options_add(parser)
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
    models = models_from_config(config, environment=environment)
    with RunDirectory(options.out, trace) as directory:
        result = gate(
            trace,
            config=config,
            models=models,
            journal=directory.journal(),
            on_progress=None if options.json else _tell,
        )
        directory.write(result, prov=options.prov)
    _summarise(result, options)
    return OF_OUTCOME[result.outcome]


def _tell(progress: Progress) -> None:
    sys.stderr.write(f"pair {progress.pair_number}: {progress.stage}\n")


def _summarise(result: GateResult, options: argparse.Namespace) -> None:
    if options.json:
        sys.stdout.write(json.dumps(_summary(result, options.out), ensure_ascii=False) + "\n")
        return
    for warning in result.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    counts = ", ".join(_counted(result))
    sys.stdout.write(
        f"{_SAID[result.outcome]} ({result.reason}): {result.detail}\n"
        f"models: {result.models.proposer} | {result.models.auditor}\n"
        f"supported claims by pair: {counts or 'none counted'}\n"
        f"written to {options.out}\n"
    )
    if result.outcome is Outcome.NOT_JUDGED:
        sys.stdout.write("an ended run is not repeated; use a new --out to try again\n")


def _counted(result: GateResult) -> list[str]:
    counted = [pair.fidelity for pair in result.pairs if pair.fidelity]
    return [f"{fidelity.supported}/{fidelity.total}" for fidelity in counted]


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
