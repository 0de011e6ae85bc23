"""The options that name models, and the configuration they make."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from apg_engine.cli.member_option import member_option_add, members_read
from apg_engine.config import (
    PRESETS,
    EnsembleRule,
    GateConfig,
    ModelSpec,
    config_from_dict,
    config_to_dict,
)
from apg_engine.errors import ConfigError
from apg_engine.json_data import json_load
from apg_engine.llm.cached import CACHE_VARIABLE

LANGUAGES = ("en", "pl")
POLICIES = ("paper", "strict")
JUDGES = ("auditor", "measured_by")
_JUDGE_KINDS = ("nli", "ladder+nli", "ensemble")
_ROLE_HELP = (
    "offline, scripted:FILE (a JSON list of answers), {local}or the name of a model at an "
    "OpenAI-compatible endpoint"
)


def model_options_add(parser: argparse.ArgumentParser, *, roles: Sequence[str]) -> None:
    """Declare the options for these roles; what is not given keeps its default."""
    parser.add_argument("--preset", choices=PRESETS, help="a named configuration")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration as JSON")
    for role in roles:
        _role_add(parser, f"--{role.replace('_', '-')}", judges=role in JUDGES)
    parser.add_argument("--auditor-card", metavar="FILE", help="the auditor's calibration card")
    parser.add_argument("--auditor-thresholds", metavar="FILE", help="of a local cross-encoder")
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="keep replies here, and ask no request twice"
    )
    parser.add_argument("--threshold", type=int, metavar="PERCENT", help="default 95")


def _role_add(parser: argparse.ArgumentParser, name: str, *, judges: bool) -> None:
    local = (
        "nli:FOLDER (a local cross-encoder), ladder+nli:FOLDER (offline, with the cross-encoder as "
        "one more veto), ensemble:RULE (unanimous, majority or veto, over its members), "
        if judges
        else ""
    )
    parser.add_argument(name, metavar="MODEL", help=_ROLE_HELP.format(local=local))
    parser.add_argument(f"{name}-base-url", metavar="URL")
    parser.add_argument(f"{name}-key-env", metavar="NAME", help="variable with the key")
    parser.add_argument(f"{name}-temperature", type=float, metavar="T")
    parser.add_argument(f"{name}-max-tokens", type=int, metavar="N", help="most to write")
    parser.add_argument(f"{name}-context", type=int, metavar="N", help="tokens it can read")
    parser.add_argument(f"{name}-attempts", type=int, metavar="N", help="tries per call")
    parser.add_argument(f"{name}-timeout", type=float, metavar="SECONDS", help="of one try")
    if judges:
        member_option_add(parser, name)


def gate_options_add(parser: argparse.ArgumentParser) -> None:
    """Declare what is set for a whole run of the gate."""
    model_options_add(parser, roles=("proposer", "auditor", "measured_by"))
    parser.add_argument(
        "--policy", choices=POLICIES, help="paper: entailed counts; strict: agreement needs all"
    )
    parser.add_argument("--pairs", type=int, help="proposer-auditor pairs, 1 to 11 (default 3)")
    parser.add_argument(
        "--force-auditor", metavar="NAME", help="use an auditor its own card does not speak for"
    )
    parser.add_argument("--language", choices=LANGUAGES, help="of the texts (default: the trace's)")


def environment_of(
    options: argparse.Namespace, environment: Mapping[str, str]
) -> Mapping[str, str]:
    """Give the environment the models are built in, with the cache the options name."""
    if options.cache is None:
        return environment
    return {**environment, CACHE_VARIABLE: str(options.cache)}


def config_of(options: argparse.Namespace, *, trace_language: str) -> GateConfig:
    """Make the configuration the options name.

    Raises:
        ConfigError: a value is not allowed, or a file cannot be read.
    """
    given = vars(options)
    config = _base(given)
    language = given.get("language")
    if language is None and not given["config"] and trace_language in LANGUAGES:
        language = trace_language
    changed = {
        "threshold_percent": given["threshold"],
        "pairs": given.get("pairs"),
        "policy": given.get("policy"),
        "forced_auditor": given.get("force_auditor"),
        "language": language,
    }
    data = config_to_dict(config) | _given(changed)
    for role, spec in (("proposer", config.proposer), ("auditor", config.auditor)):
        data[role] = _spec_data(spec, role, given)
    if given.get("measured_by") or config.measured_by:
        measurer = config.measured_by or ModelSpec()
        data["measured_by"] = _spec_data(measurer, "measured_by", given)
    return config_from_dict(data)


def _base(given: dict[str, Any]) -> GateConfig:
    path: Path | None = given["config"]
    if path is None:
        return GateConfig.preset(given["preset"] or "offline")
    if given["preset"]:
        raise ConfigError(str(path), "--config", "--preset as well", "one of the two")
    data = _json_file(path, "configuration")
    if not isinstance(data, dict):
        raise ConfigError(str(path), "content", type(data).__name__, "a JSON object")
    return config_from_dict(data)


def _spec_data(spec: ModelSpec, role: str, given: dict[str, Any]) -> dict[str, Any]:
    named = given.get(role)
    if named is not None:
        spec = _named(named, role)
    data: dict[str, Any] = config_to_dict(GateConfig(auditor=spec))["auditor"]
    changed = {
        "base_url": given.get(f"{role}_base_url"),
        "api_key_env": given.get(f"{role}_key_env"),
        "temperature": given.get(f"{role}_temperature"),
        "max_tokens": given.get(f"{role}_max_tokens"),
        "attempts": given.get(f"{role}_attempts"),
        "timeout_seconds": given.get(f"{role}_timeout"),
        "context_tokens": given.get(f"{role}_context"),
    }
    members = given.get(f"{role}_member")
    if members:
        changed["members"] = members_read(members, role=role, named=lambda one: _named(one, role))
    if role == "auditor":
        changed |= {"card": given["auditor_card"], "thresholds": given["auditor_thresholds"]}
    return data | _given(changed)


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _named(named: str, role: str) -> ModelSpec:
    kind, colon, rest = named.partition(":")
    if named == "offline":
        return ModelSpec()
    if colon and kind == "scripted":
        return ModelSpec(kind="scripted", name=Path(rest).stem, script=_script(Path(rest), role))
    if colon and role in JUDGES and kind in _JUDGE_KINDS:
        return _judge(kind, rest, role)
    # A proposer writes; the auditor measures, and a measure is not sampled.
    return ModelSpec(kind="openai", name=named, temperature=0.5 if role == "proposer" else 0.0)


def _judge(kind: str, rest: str, role: str) -> ModelSpec:
    if kind == "ensemble":
        return ModelSpec(kind="ensemble", rule=_rule(rest, role))
    if kind == "nli":
        return ModelSpec(kind="nli", name=Path(rest).name, path=rest)
    return ModelSpec(name=Path(rest).name, path=rest)


def _rule(given: str, role: str) -> EnsembleRule:
    for rule in get_args(EnsembleRule):
        if rule == given:
            return cast("EnsembleRule", rule)
    allowed = ", ".join(get_args(EnsembleRule))
    raise ConfigError("command line", f"--{role.replace('_', '-')} ensemble", repr(given), allowed)


def _script(path: Path, role: str) -> tuple[str, ...]:
    answers = _json_file(path, role)
    if not isinstance(answers, list) or not all(isinstance(one, str) for one in answers):
        raise ConfigError(str(path), role, type(answers).__name__, "a list of answers")
    return tuple(answers)


def _json_file(path: Path, place: str) -> Any:
    if not path.is_file():
        raise ConfigError(str(path), place, "nothing", "an existing JSON file")
    try:
        return json_load(path.read_text("utf-8"))
    except ValueError as error:
        raise ConfigError(str(path), place, f"no JSON ({error})", "JSON in UTF-8") from error
