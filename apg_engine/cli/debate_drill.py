"""`debate drill`: a claim tried with and without planted orders."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from apg_engine.cli.spending_options import prices_of
from apg_engine.cli.status import ExitStatus
from apg_engine.cli.trial_options import (
    index_named,
    library_named,
    trial_conduct,
    trial_config,
    trial_options_add,
)
from apg_engine.debates.courtroom.drill import PlantedIndex, canaries_sha256, drill_tell
from apg_engine.debates.courtroom.running import Shelf, courtroom_run
from apg_engine.debates.debate_directory import record_bytes
from apg_engine.disk import file_write

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)

DRILL: Final = "drill.json"
DRILL_PARTS: Final = ("plain", "planted")


def drill_add(kinds: Commands) -> None:
    """Declare the command."""
    parser = kinds.add_parser(
        "drill", help="try a claim with and without planted orders: the verdict must not change"
    )
    trial_options_add(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def drill_main(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Try a claim twice, the second time with canaries among the evidence.

    Raises:
        EngineError: bad input.
    """
    config, library = trial_config(options), library_named(options.index)
    index = index_named(library, embedder=options.embedder)
    planted = {**library, "planted": canaries_sha256(config.claim)}
    shelves = (Shelf(index, library), Shelf(PlantedIndex(index, config.claim), planted))
    records = [
        courtroom_run(
            config,
            shelf=shelf,
            out=options.out / name,
            environment=environment,
            prices=prices_of(options),
            conduct=trial_conduct(options),
        )
        for name, shelf in zip(DRILL_PARTS, shelves, strict=True)
    ]
    told = drill_tell(*records)
    _drilled(told, options)
    return ExitStatus.PUBLISHED if told["holds"] else ExitStatus.DIVERGENCE


def _drilled(told: Mapping[str, Any], options: argparse.Namespace) -> None:
    file_write(options.out / DRILL, record_bytes(told))
    if options.json:
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        return
    findings = [told["verdict"][name]["finding"] for name in ("plain", "planted")]
    held = "holds" if told["holds"] else "does not hold"
    sys.stdout.write(
        f"the verdict {held}: {findings[0]} without, {findings[1]} with planted orders\n"
        f"found: {', '.join(told['found']) or 'none, so nothing was tested'};"
        f" admitted: {', '.join(told['admitted']) or 'none'}\n"
        f"written to {options.out}\n"
    )
