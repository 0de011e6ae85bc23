"""The judges of an ensemble from a shell: `--auditor-member "NAME base-url=URL key-env=KEY"`."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from apg_engine.config import ModelSpec
from apg_engine.errors import ConfigError

_TEXT: Callable[[str], Any] = str
# What can be set for one judge: its name here, in the configuration, and how it is read.
_OPTIONS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "base-url": ("base_url", _TEXT),
    "key-env": ("api_key_env", _TEXT),
    "temperature": ("temperature", float),
    "max-tokens": ("max_tokens", int),
    "context": ("context_tokens", int),
    "attempts": ("attempts", int),
    "timeout": ("timeout_seconds", float),
    "deadline": ("deadline_seconds", float),
    "card": ("card", _TEXT),
    "thresholds": ("thresholds", _TEXT),
}
_HELP = (
    "a judge of ensemble:RULE, once for each: MODEL OPTION=VALUE ..., with the options "
    f"{', '.join(_OPTIONS)}"
)


def member_option_add(parser: argparse.ArgumentParser, role: str) -> None:
    """Declare the option for one role."""
    parser.add_argument(f"{role}-member", action="append", metavar="JUDGE", help=_HELP)


def members_read(
    given: Sequence[str], *, role: str, named: Callable[[str], ModelSpec]
) -> list[dict[str, Any]]:
    """Read judges as the configuration holds them.

    Args:
        given: one text a judge, as the shell has it.
        role: auditor or measured_by.
        named: reads a model as its role's own option does.

    Raises:
        ConfigError: a text names no model, or an option or a value that is not allowed.
    """
    return [_member(text, f"--{role.replace('_', '-')}-member", named) for text in given]


def _member(text: str, place: str, named: Callable[[str], ModelSpec]) -> dict[str, Any]:
    try:
        name, *options = shlex.split(text)
    except ValueError as error:
        allowed = "MODEL OPTION=VALUE ..., with quotes closed"
        raise ConfigError("command line", place, repr(text), allowed) from error
    spec = asdict(named(name))
    spec["script"] = list(spec["script"])
    return spec | dict(_option(option, place) for option in options)


def _option(option: str, place: str) -> tuple[str, Any]:
    name, equals, value = option.partition("=")
    if not equals or name not in _OPTIONS:
        raise ConfigError("command line", place, repr(option), "=, ".join(_OPTIONS) + "=")
    field, read = _OPTIONS[name]
    try:
        return field, read(value)
    except ValueError as error:
        allowed = "a whole number" if read is int else "a number"
        raise ConfigError("command line", f"{place} {name}", repr(value), allowed) from error
