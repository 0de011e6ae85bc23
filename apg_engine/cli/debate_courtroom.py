"""`debate courtroom`: a claim on trial from the shell."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apg_engine.cli.spending_options import prices_of
from apg_engine.cli.status import OF_OUTCOME, ExitStatus
from apg_engine.config import ModelSpec
from apg_engine.debates.budget import limits_checked
from apg_engine.debates.calls import Asking
from apg_engine.debates.courtroom.config import (
    JUDGES,
    PRESETS,
    ROLES,
    CourtroomConfig,
    config_read,
    courtroom_config_from_dict,
    courtroom_config_to_dict,
    preset_load,
)
from apg_engine.debates.courtroom.drill import PlantedIndex, canaries_sha256, drill_tell
from apg_engine.debates.courtroom.holding import Conduct
from apg_engine.debates.courtroom.running import Shelf, courtroom_fork, courtroom_run
from apg_engine.debates.fan_out import Threads, one_by_one
from apg_engine.debates.records import Withheld
from apg_engine.errors import InputError
from apg_engine.results import Outcome
from apg_engine.retrieval.embedding import Embedder, HashedWords
from apg_engine.retrieval.evidence_index import EvidenceIndex, index_open, manifest_read
from apg_engine.retrieval.minilm import minilm_load

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def courtroom_add(kinds: Commands) -> None:
    """Declare the command."""
    parser = kinds.add_parser("courtroom", help="a claim on trial, with evidence from an index")
    trial_options_add(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: out/courtroom-...")
    parser.add_argument("--json", action="store_true", help="print the record's summary as JSON")


def drill_add(kinds: Commands) -> None:
    """Declare the command."""
    parser = kinds.add_parser(
        "drill", help="try a claim with and without planted orders: the verdict must not change"
    )
    trial_options_add(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def trial_options_add(parser: argparse.ArgumentParser) -> None:
    """Declare what sets a trial."""
    parser.add_argument("--claim", metavar="TEXT", help="what is tried")
    parser.add_argument(
        "--index", type=Path, required=True, metavar="DIR", help="from `index build`"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration as YAML")
    parser.add_argument("--preset", choices=PRESETS)
    parser.add_argument("--rounds", type=int, metavar="N", help="most rounds (10)")
    parser.add_argument("--seed", type=int, metavar="N", help="draws who a judge reads first")
    parser.add_argument("--model", metavar="NAME", help="speaks for all roles (default: rules)")
    parser.add_argument(
        "--judge", action="append", metavar="NAME", help="a judge's model; up to three times"
    )
    parser.add_argument("--model-base-url", metavar="URL")
    parser.add_argument("--model-key-env", metavar="NAME", help="variable with the key")
    parser.add_argument("--model-temperature", type=float, metavar="T")
    parser.add_argument("--model-context", type=int, metavar="N", help="tokens it can read")
    parser.add_argument(
        "--same-family", action="store_true", help="allow judges of one model family"
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="calls at once (1)")
    parser.add_argument("--max-calls", type=int, metavar="N", help="stop before more calls")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="stop before more tokens")
    parser.add_argument("--max-cost", type=float, metavar="MONEY", help="in the prices' currency")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="prices of your own")


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
        shelf=Shelf(index_named(library), library),
        out=out,
        environment=environment,
        prices=prices,
        conduct=_conduct(options),
    )
    _summarise(record, out, as_json=options.json)
    return OF_OUTCOME[Outcome(record["gate"]["outcome"])]


def drill_main(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Try a claim twice, the second time with canaries among the evidence.

    Raises:
        EngineError: bad input.
    """
    config, library = trial_config(options), library_named(options.index)
    index = index_named(library)
    planted = {**library, "planted": canaries_sha256(config.claim)}
    shelves = {
        "plain": Shelf(index, library),
        "planted": Shelf(PlantedIndex(index, config.claim), planted),
    }
    records = [
        courtroom_run(
            config,
            shelf=shelf,
            out=options.out / name,
            environment=environment,
            prices=prices_of(options),
            conduct=_conduct(options),
        )
        for name, shelf in shelves.items()
    ]
    told = drill_tell(*records)
    _drilled(told, options)
    return ExitStatus.PUBLISHED if told["holds"] else ExitStatus.DIVERGENCE


def courtroom_fork_run(
    options: argparse.Namespace, withheld: Withheld, environment: Mapping[str, str]
) -> ExitStatus:
    """Fork a trial and say what the thing taken out changed.

    Raises:
        EngineError: bad input.
    """
    told = courtroom_fork(
        options.source,
        index_of=index_named,
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


def trial_config(options: argparse.Namespace) -> CourtroomConfig:
    """Make the configuration the options name.

    Raises:
        ConfigError: a value is not allowed.
        InputError: both a file and a preset are named.
    """
    if options.config is not None and options.preset:
        raise InputError(str(options.config), "--config", "--preset as well", "one of the two")
    claim = options.claim or ""
    if options.config is None:
        base = preset_load(options.preset or PRESETS[0], claim=claim)
    else:
        base = config_read(options.config, claim=claim)
    data = courtroom_config_to_dict(base)
    given = {"rounds": options.rounds, "seed": options.seed}
    data |= {key: value for key, value in given.items() if value is not None}
    data["same_family"] |= options.same_family
    limits = {"calls": options.max_calls, "tokens": options.max_tokens, "cost": options.max_cost}
    data["limits"]["run"] |= {key: value for key, value in limits.items() if value is not None}
    config = courtroom_config_from_dict(data, file_name="debate courtroom")
    return replace(config, roles=_spoken_by(config, options))


def library_named(folder: Path) -> dict[str, str]:
    """Tell where an index lies and what it holds.

    Raises:
        InputError: the folder holds no index.
    """
    manifest = manifest_read(folder)
    return {"path": str(folder), "sha256": manifest.sha256, "embedder": manifest.embedder}


def index_named(library: Mapping[str, str]) -> EvidenceIndex:
    """Open the index of a trial's setup.

    Raises:
        InputError: it lies there no more, is another one now, or belongs to a drill.
        ModelSetupError: its embedder is not installed.
    """
    folder = Path(library["path"])
    if "planted" in library:
        raise InputError(str(folder), "library", "planted orders of a drill", "an index alone")
    manifest = manifest_read(folder)
    if manifest.sha256 != library["sha256"]:
        raise InputError(str(folder), "sha256", manifest.sha256, library["sha256"])
    words: Embedder = HashedWords()
    embedder = words if library["embedder"] == words.name else minilm_load(None)
    return index_open(folder, embedder)


def _spoken_by(config: CourtroomConfig, options: argparse.Namespace) -> dict[str, ModelSpec]:
    roles = dict(config.roles)
    if options.model is not None:
        roles = {role: _spec(options.model, role, options) for role in ROLES}
    judges = options.judge or []
    if len(judges) > len(JUDGES):
        raise InputError("debate courtroom", "--judge", f"{len(judges)} times", "up to three times")
    return roles | {
        role: _spec(name, role, options) for role, name in zip(JUDGES, judges, strict=False)
    }


def _spec(name: str, role: str, options: argparse.Namespace) -> ModelSpec:
    if name == "offline":
        return ModelSpec()
    if name.startswith("nli:"):
        return ModelSpec(kind="nli", name=Path(name[4:]).name, path=name[4:])
    # Who argues is sampled; who weighs, judges and writes the judgment is not.
    usual = 0.5 if role in {"plaintiff", "defense", "expert"} else 0.0
    return ModelSpec(
        kind="openai",
        name=name,
        base_url=options.model_base_url or "",
        api_key_env=options.model_key_env or "",
        temperature=usual if options.model_temperature is None else options.model_temperature,
        max_tokens=1024,
        context_tokens=options.model_context or 0,
    )


def _conduct(options: argparse.Namespace) -> Conduct:
    return Conduct(
        on_ask=None if options.json else _tell,
        fan_out=Threads(options.threads) if options.threads > 1 else one_by_one,
    )


def _drilled(told: Mapping[str, Any], options: argparse.Namespace) -> None:
    path: Path = options.out / "drill.json"
    path.write_text(f"{json.dumps(told, ensure_ascii=False, indent=2)}\n", "utf-8")
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


def _tell(asking: Asking) -> None:
    sys.stderr.write(f"round {asking.round}: {asking.role}: {asking.purpose}\n")


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
