"""The options that set a trial, and the configuration and index they make."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from apg_engine.cli.endpoint_options import endpoint_options_add, endpoint_spec
from apg_engine.cli.spending_options import limits_given, spending_options_add
from apg_engine.config import ModelSpec
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
from apg_engine.debates.courtroom.drill import PlantedIndex, canaries_sha256
from apg_engine.debates.courtroom.holding import Conduct
from apg_engine.debates.courtroom.library import Index
from apg_engine.debates.fan_out import Threads, one_by_one
from apg_engine.errors import InputError
from apg_engine.retrieval.embedder_named import embedder_load
from apg_engine.retrieval.evidence_index import EvidenceIndex, index_open, manifest_read


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
    endpoint_options_add(parser, speaks_for="all roles")
    parser.add_argument(
        "--judge", action="append", metavar="NAME", help="a judge's model; up to three times"
    )
    parser.add_argument(
        "--same-family", action="store_true", help="allow judges of one model family"
    )
    parser.add_argument(
        "--both-orders", action="store_true", help="each judge votes again with sides exchanged"
    )
    parser.add_argument("--embedder", type=Path, metavar="DIR", help="of the index")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="calls at once (1)")
    spending_options_add(parser)


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
    data["both_orders"] |= options.both_orders
    data["limits"]["run"] |= limits_given(options)
    config = courtroom_config_from_dict(data, file_name="debate courtroom")
    return replace(config, roles=_spoken_by(config, options))


def library_named(folder: Path) -> dict[str, str]:
    """Tell where an index lies and what it holds.

    Raises:
        InputError: the folder holds no index.
    """
    manifest = manifest_read(folder)
    return {"path": str(folder), "sha256": manifest.sha256, "embedder": manifest.embedder}


def index_named(library: Mapping[str, str], *, embedder: Path | None) -> EvidenceIndex:
    """Open the index of a trial's setup.

    Args:
        library: as `library_named` tells it.
        embedder: folder of the model its vectors are made by; None for the installed packages.

    Raises:
        InputError: it lies there no more, or is another one now.
        ModelSetupError: its embedder is not installed, or is another one.
    """
    folder = Path(library["path"])
    manifest = manifest_read(folder)
    if manifest.sha256 != library["sha256"]:
        raise InputError(str(folder), "sha256", manifest.sha256, library["sha256"])
    return index_open(folder, embedder_load(library["embedder"], folder=embedder))


def index_of_setup(setup: Mapping[str, Any], *, embedder: Path | None) -> Index:
    """Open the index a trial was held over, with what a drill had planted in it.

    Raises:
        InputError: it lies there no more, is another one now, or other orders are planted today.
        ModelSetupError: its embedder is not installed, or is another one.
    """
    library, claim = setup["library"], setup["claim"]
    index = index_named(library, embedder=embedder)
    if "planted" not in library:
        return index
    if library["planted"] != canaries_sha256(claim):
        raise InputError("fork", "library.planted", library["planted"], canaries_sha256(claim))
    return PlantedIndex(index, claim)


def trial_conduct(options: argparse.Namespace) -> Conduct:
    """Give how a trial is carried out."""
    return Conduct(
        on_ask=None if options.json else _tell,
        fan_out=Threads(options.threads) if options.threads > 1 else one_by_one,
    )


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
    return endpoint_spec(options, name, usual=usual)


def _tell(asking: Asking) -> None:
    sys.stderr.write(f"round {asking.round}: {asking.role}: {asking.purpose}\n")
