"""`debate courtroom`: a claim on trial from the shell."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apg_engine.cli.spending_options import prices_of
from apg_engine.cli.status import OF_OUTCOME, ExitStatus
from apg_engine.cli.trial_options import (
    index_named,
    index_of_setup,
    library_named,
    trial_conduct,
    trial_config,
    trial_options_add,
)
from apg_engine.debates.budget import limits_checked
from apg_engine.debates.courtroom.config import ROLES
from apg_engine.debates.courtroom.running import Shelf, courtroom_fork, courtroom_run
from apg_engine.debates.records import Withheld
from apg_engine.results import Outcome

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def courtroom_add(kinds: Commands) -> None:
    """Declare the command."""
    parser = kinds.add_parser("courtroom", help="a claim on trial, with evidence from an index")
    trial_options_add(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: out/courtroom-...")
    parser.add_argument("--json", action="store_true", help="print the record's summary as JSON")


def courtroom_main(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Try a claim, or go on with a trial that was interrupted.

    Raises:
        EngineError: bad input; nothing is written before the configuration is checked.
    """
    config, prices = trial_config(options), prices_of(options)
    specs = [*(config.spec(role) for role in ROLES), config.gate.auditor]
    limits_checked(config.limits, specs=specs, prices=prices)
    library = library_named(options.index)
    out = options.out or Path("out") / f"courtroom-{config.seed}-{options.index.name}"
    record = courtroom_run(
        config,
        shelf=Shelf(index_named(library, embedder=options.embedder), library),
        out=out,
        environment=environment,
        prices=prices,
        conduct=trial_conduct(options),
    )
    _summarise(record, out, as_json=options.json)
    return OF_OUTCOME[Outcome(record["gate"]["outcome"])]


def courtroom_fork_run(
    options: argparse.Namespace, withheld: Withheld, environment: Mapping[str, str]
) -> ExitStatus:
    """Fork a trial and say what the thing taken out changed.

    Raises:
        EngineError: bad input.
    """
    told = courtroom_fork(
        options.source,
        index_of=partial(index_of_setup, embedder=options.embedder),
        out=options.out,
        withheld=withheld,
        environment=environment,
        prices=prices_of(options),
        row=options.row,
    )
    if options.json:
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    else:
        _influence(told, options.out)
    return ExitStatus.PUBLISHED


def _summarise(record: Mapping[str, Any], out: Path, *, as_json: bool) -> None:
    keys = ("claim", "stop", "verdict", "evidence", "consistency", "spent", "gate")
    if as_json:
        summary = {key: record[key] for key in keys} | {"out": str(out)}
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    for warning in (*record["warnings"], *(one for t in record["turns"] for one in t["warnings"])):
        sys.stderr.write(f"warning: {warning}\n")
    sys.stdout.write("\n".join([*_lines(record), f"written to {out}", ""]))


def _lines(record: Mapping[str, Any]) -> list[str]:
    stop, verdict, gate = record["stop"], record["verdict"], record["gate"]
    whole = "" if stop["is_whole"] else "partial trial: "
    sure = "" if verdict["confidence"] is None else f", confidence {verdict['confidence']:.2f}"
    ballots = ", ".join(
        f"{one['judge']} {one['finding'] or one['status']}" for one in record["ballots"]
    )
    evidence = record["evidence"]
    return [
        f"{whole}{stop['rounds_held']} rounds ({stop['reason']}: {stop['detail']})",
        f"{evidence['chunks']} exhibits of {evidence['documents']} documents",
        f"finding: {verdict['finding']} ({verdict['outcome']}{sure}); {ballots}",
        f"judgment: {gate['outcome']} ({gate['reason']}): {gate.get('judgment', '')}",
    ]


def _influence(told: Mapping[str, Any], out: Path) -> None:
    turns = ", ".join(map(str, told["turns_changed"])) or "none"
    changed = "changed" if told["is_verdict_changed"] else "is the same"
    verdicts = told["verdict"]
    sys.stdout.write(
        f"made anew from row {told['row']}; turns in other words: {turns}\n"
        f"the verdict {changed}: {verdicts['before']['finding']} before,"
        f" {verdicts['after']['finding']} after\n"
        f"written to {out}\n"
    )
