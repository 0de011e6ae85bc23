"""`debate committee`: the crisis committee from the shell."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apg_engine.cli.endpoint_options import endpoint_options_add, endpoint_spec
from apg_engine.cli.spending_options import limits_given, prices_of, spending_options_add
from apg_engine.cli.status import OF_OUTCOME, ExitStatus
from apg_engine.debates.budget import limits_checked
from apg_engine.debates.calls import Asking
from apg_engine.debates.committee.config import (
    CommitteeConfig,
    committee_config_from_dict,
    committee_config_to_dict,
    config_default,
    config_read,
)
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.running import committee_fork, committee_run
from apg_engine.debates.committee.scenario import SCENARIOS
from apg_engine.debates.enforcement import Enforcement
from apg_engine.debates.records import Withheld
from apg_engine.results import Outcome
from apg_engine.traces import CONFLICT_RULES

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def committee_add(kinds: Commands) -> None:
    """Declare the command."""
    parser = kinds.add_parser("committee", help="three modules, a fixed budget, shocks")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration as YAML")
    parser.add_argument("--scenario", choices=SCENARIOS)
    parser.add_argument("--seed", type=int, metavar="N", help="draws the shocks")
    parser.add_argument("--turns", type=int, metavar="N", help="a multiple of three")
    parser.add_argument("--enforcement", choices=[one.value for one in Enforcement])
    parser.add_argument("--conflict-rule", choices=CONFLICT_RULES)
    endpoint_options_add(parser, speaks_for="all modules")
    spending_options_add(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: out/committee-...")
    parser.add_argument("--json", action="store_true", help="print the record's summary as JSON")


def committee_main(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Hold a debate, or go on with one that was interrupted.

    Raises:
        EngineError: bad input; nothing is written before the configuration is checked.
    """
    config, prices = _config(options), prices_of(options)
    gated = [config.gate.proposer, config.gate.auditor]
    specs = [*(config.debater(module) for module in MODULES), config.auditor, *gated]
    limits_checked(config.limits, specs=specs, prices=prices)
    out = options.out or Path("out") / f"committee-{config.scenario}-{config.seed}-{config.turns}"
    record = committee_run(
        config,
        out=out,
        environment=environment,
        prices=prices,
        on_ask=None if options.json else _tell,
    )
    _summarise(record, out, as_json=options.json)
    return OF_OUTCOME[Outcome(record["gate"]["outcome"])]


def committee_fork_run(
    options: argparse.Namespace, withheld: Withheld, environment: Mapping[str, str]
) -> ExitStatus:
    """Fork a debate and say what the thing taken out changed.

    Raises:
        EngineError: bad input.
    """
    told = committee_fork(
        options.source,
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


def _config(options: argparse.Namespace) -> CommitteeConfig:
    base = config_default() if options.config is None else config_read(options.config)
    data = committee_config_to_dict(base)
    given = {
        "scenario": options.scenario,
        "seed": options.seed,
        "turns": options.turns,
        "enforcement": options.enforcement,
        "conflict_rule": options.conflict_rule,
    }
    data |= {key: value for key, value in given.items() if value is not None}
    data["limits"]["run"] |= limits_given(options)
    config = committee_config_from_dict(data, file_name="debate committee")
    if options.model is None:
        return config
    return replace(config, debaters=dict.fromkeys(MODULES, endpoint_spec(options, options.model)))


def _tell(asking: Asking) -> None:
    sys.stderr.write(f"round {asking.round}: {asking.role}: {asking.purpose}\n")


def _summarise(record: Mapping[str, Any], out: Path, *, as_json: bool) -> None:
    keys = ("stop", "conflict", "shocks", "allocation", "spent", "gate")
    if as_json:
        summary = {key: record[key] for key in keys} | {"out": str(out)}
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    for turn in record["turns"]:
        for warning in turn["warnings"]:
            sys.stderr.write(f"warning: {warning}\n")
    for warning in record["warnings"]:
        sys.stderr.write(f"warning: {warning}\n")
    sys.stdout.write("\n".join([*_lines(record), f"written to {out}", ""]))


def _lines(record: Mapping[str, Any]) -> list[str]:
    stop, conflict, gate = record["stop"], record["conflict"], record["gate"]
    shared = record["allocation"]
    names = ", ".join(sorted({one["name"] for one in record["debaters"].values()}))
    whole = "" if stop["is_whole"] else "partial debate: "
    counted = ", ".join(f"{held}/{total}" for held, total in gate["supported_claims"])
    shocks = ", ".join(f"{one['kind']} before turn {one['turn']}" for one in record["shocks"])
    plan = "agreed on a plan" if shared["plan"] else "no common plan"
    return [
        f"{whole}{len(record['turns'])} turns ({stop['reason']}: {stop['detail']}) by {names}",
        (
            f"shocks: {shocks or 'none'}; conflict {conflict['level'] or 'unknown'}"
            f" by the rule {conflict['rule']}"
        ),
        f"requests: {shared['total']} of {shared['budget']} {shared['unit']}; {plan}",
        (
            f"gate: {gate['outcome']} ({gate['reason']}); supported claims by pair:"
            f" {counted or 'none counted'}"
        ),
    ]


def _influence(told: Mapping[str, Any], out: Path) -> None:
    turns = ", ".join(map(str, told["turns_changed"])) or "none"
    changed = "changed" if told["is_verdict_changed"] else "is the same"
    gates = told["gate"]
    sys.stdout.write(
        f"made anew from row {told['row']}; turns in other words: {turns}\n"
        f"the verdict {changed}: {gates['before']['outcome']} before,"
        f" {gates['after']['outcome']} after\n"
        f"written to {out}\n"
    )
