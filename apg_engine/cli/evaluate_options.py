"""The options of an evaluation: what is judged, by which models, within which limits."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from apg_engine.cli.endpoint_options import endpoint_options_add, endpoint_spec
from apg_engine.cli.spending_options import limits_read, spending_options_add
from apg_engine.config import ModelSpec
from apg_engine.debates.courtroom.config import (
    JUDGES,
    PRESETS,
    ROLES,
    CourtroomConfig,
    config_read,
    preset_load,
)
from apg_engine.errors import InputError
from apg_engine.evaluating.assembly import ROLES as EVALUATED_ROLES
from apg_engine.evaluating.claims import BINARY, Label
from apg_engine.spending.budget import Limits

TASKS: Final = {"binary": BINARY, "three-way": tuple(Label)}
_MOST_SEEDS, _MOST_AT_ONCE = 50, 64


def bench_options_add(parser: argparse.ArgumentParser, *, systems: Sequence[str]) -> None:
    """Declare the options."""
    parser.add_argument(
        "--system",
        action="append",
        required=True,
        choices=systems,
        help="what judges; may stand again, and the report then compares them pairwise",
    )
    parser.add_argument("--n", type=int, metavar="N", help="only so many claims (default: all)")
    parser.add_argument("--seeds", type=_seeds, default=1, metavar="K", help="runs of each claim")
    parser.add_argument(
        "--task", choices=tuple(TASKS), default="binary", help="three-way: against the rationale"
    )
    parser.add_argument("--index", type=Path, metavar="DIR", help="folder `index build` wrote")
    parser.add_argument(
        "--embedder", type=Path, metavar="DIR", help="of the index, if not installed"
    )
    parser.add_argument("--chunks", type=_chunks, default=5, metavar="N", help="of one search (5)")
    parser.add_argument("--nli", type=Path, metavar="DIR", help="offline: a local cross-encoder")
    parser.add_argument("--preset", choices=PRESETS, default="proclaim", help="of the courtroom")
    parser.add_argument("--config", type=Path, metavar="FILE", help="of the courtroom, as YAML")
    parser.add_argument("--same-family", action="store_true", help="allow judges of one family")
    parser.add_argument(
        "--both-orders", action="store_true", help="courts: each judge votes in both orders too"
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of mad (3)")
    parser.add_argument("--samples", type=_chunks, default=5, metavar="N", help="of votes (5)")
    parser.add_argument(
        "--equal-to",
        choices=systems,
        metavar="SYSTEM",
        help="votes take its calls and tokens, claim by claim",
    )
    endpoint_options_add(parser, speaks_for="all roles")
    parser.add_argument(
        "--role", action="append", default=[], metavar="ROLE=NAME", help="another model for a role"
    )
    parser.add_argument("--concurrency", type=_at_once, default=1, metavar="N")
    spending_options_add(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def roles_of(options: argparse.Namespace) -> dict[str, ModelSpec]:
    """Read which roles have a model of their own.

    Raises:
        InputError: one is not ROLE=NAME, or there is no such role.
    """
    found = {}
    for given in options.role:
        role, equals, name = given.partition("=")
        if not (role and equals and name):
            raise InputError("evaluation", "--role", repr(given), "ROLE=NAME")
        if role not in EVALUATED_ROLES:
            raise InputError("evaluation", "--role", repr(role), ", ".join(EVALUATED_ROLES))
        found[role] = endpoint_spec(options, name)
    return found


def court_of(options: argparse.Namespace) -> CourtroomConfig:
    """Make the configuration of every trial: a preset or a file, with the models of the options.

    Raises:
        ConfigError: the file holds what is not allowed.
    """
    given = options.config
    # Each trial brings its own claim.
    claim = "a claim of the data set"
    config = (
        preset_load(options.preset, claim=claim)
        if given is None
        else config_read(given, claim=claim)
    )
    roles = dict(config.roles)
    if options.nli:
        cross_encoder = ModelSpec(kind="nli", name=options.nli.name, path=str(options.nli))
        roles |= dict.fromkeys(JUDGES, cross_encoder)
    if options.model:
        roles = dict.fromkeys(ROLES, endpoint_spec(options, options.model))
    roles |= {role: spec for role, spec in roles_of(options).items() if role in ROLES}
    same_family = config.same_family or options.same_family
    both_orders = config.both_orders or options.both_orders
    return replace(config, roles=roles, same_family=same_family, both_orders=both_orders)


def limits_of(options: argparse.Namespace) -> Limits:
    """Give the limits of the whole evaluation.

    Raises:
        InputError: one is below 0.
    """
    return limits_read(options, place="evaluation")


def _seeds(text: str) -> int:
    return _whole(text, _MOST_SEEDS)


def _chunks(text: str) -> int:
    return _whole(text, 50)


def _at_once(text: str) -> int:
    return _whole(text, _MOST_AT_ONCE)


def _whole(text: str, most: int) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r}; allowed: 1 to {most}")
    return int(text)
