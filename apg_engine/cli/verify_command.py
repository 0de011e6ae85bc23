"""`verify`: check a run's folder again, offline and without a model."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.status import ExitStatus
from apg_engine.provenance.engine_version import engine_sha256
from apg_engine.provenance.verification import Verification, run_verify

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def verify_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("verify", help="check a run's folder offline, without a model")
    parser.add_argument("run", type=Path, metavar="RUN", help="the folder `gate` wrote")
    parser.add_argument(
        "--replay",
        action=argparse.BooleanOptionalAction,
        help="run the gate again on the recorded replies and compare everything (default: where "
        "this version of the engine wrote the run and no weights are needed)",
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def verify_run(options: argparse.Namespace) -> ExitStatus:
    """Check, and say what does not hold, a line each.

    Raises:
        InputError: there is no ended run in the folder.
    """
    found = run_verify(options.run, replay=options.replay)
    if options.json:
        sys.stdout.write(json.dumps(_record(found), ensure_ascii=False) + "\n")
    else:
        _tell(found, options.run)
    return ExitStatus.PUBLISHED if found.holds else ExitStatus.BAD_INPUT


def _record(found: Verification) -> dict[str, object]:
    return {
        "holds": found.holds,
        "same_engine": found.engine == engine_sha256(),
        "replayed": found.replayed,
        "checked": found.counts,
        "faults": [asdict(fault) for fault in found.faults],
    }


def _tell(found: Verification, run: Path) -> None:
    for fault in found.faults:
        sys.stderr.write(f"fault: {' '.join(str(fault).split())}\n")
    if found.engine and found.engine != engine_sha256():
        sys.stderr.write("note: another version of the engine wrote this run\n")
    counted = ", ".join(f"{number} {name}" for name, number in found.counts.items())
    counted += ", replayed" if found.replayed else ", not replayed"
    verdict = "holds" if found.holds else f"does not hold: {len(found.faults)} faults"
    sys.stdout.write(f"{run}: {verdict} (checked {counted})\n")
