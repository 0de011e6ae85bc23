"""Reading a debate's settings: each complaint names the file, the place and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, cast

import yaml

from apg_engine.config import GateConfig, ModelSpec, config_from_dict, config_to_dict
from apg_engine.debates.budget import DebateLimits
from apg_engine.errors import ConfigError
from apg_engine.spending.budget import Limits

_SCOPES = ("run", "round", "role", "roles")


class Fields:
    """One mapping of a file, read field by field.

    Args:
        data: what the file holds there.
        file: its name.
        place: of the mapping within the file; empty for the whole.
        allowed: every field there may be.

    Raises:
        ConfigError: it is no mapping, or has a field that is not allowed.
    """

    def __init__(self, data: object, *, file: str, place: str, allowed: Iterable[str]) -> None:
        self._file, self._place = file, place
        if not isinstance(data, Mapping):
            raise ConfigError(file, place or "content", type(data).__name__, "a mapping")
        known = tuple(allowed)
        unknown = sorted(map(str, set(data) - set(known)))
        if unknown:
            raise ConfigError(file, place or "fields", ", ".join(unknown), ", ".join(known))
        self._data = data

    def get(self, key: str, default: object) -> Any:
        """Give a field as it stands."""
        return self._data.get(key, default)

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """Read a whole number."""
        value = self.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(key, value, f"a whole number from {least} to {most}")
        return value

    def share(self, key: str, default: float) -> float:
        """Read a number from 0 to 1."""
        value = self.get(key, default)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= 1:
            raise self.wrong(key, value, "a number from 0 to 1")
        return float(value)

    def flag(self, key: str, *, default: bool) -> bool:
        """Read true or false."""
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def text(self, key: str, default: str) -> str:
        """Read a text."""
        value = self.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, value, "a text")
        return value

    def wrong(self, key: str, value: object, allowed: str) -> ConfigError:
        """Make the complaint about a field."""
        place = f"{self._place}.{key}" if self._place else key
        return ConfigError(self._file, place, f"{value!r:.80}", allowed)


def yaml_parse(text: str, *, file: str) -> Mapping[str, Any]:
    """Parse a YAML file that holds a mapping.

    Raises:
        ConfigError: it does not.
    """
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(file, "content", f"no YAML ({error})", "a mapping") from error
    if not isinstance(data, dict):
        raise ConfigError(file, "content", type(data).__name__, "a mapping")
    return data


def limits_read(data: object, *, file: str) -> DebateLimits:
    """Read the limits of a debate's scopes.

    Raises:
        ConfigError: a scope or a limit is unknown, or a number is below 0.
    """
    scopes = Fields(data, file=file, place="limits", allowed=_SCOPES)
    named = scopes.get("roles", {})
    if not isinstance(named, Mapping):
        raise scopes.wrong("roles", named, "a mapping")
    return DebateLimits(
        run=_limit(scopes.get("run", {}), file, "limits.run"),
        round=_limit(scopes.get("round", {}), file, "limits.round"),
        role=_limit(scopes.get("role", {}), file, "limits.role"),
        roles={role: _limit(one, file, f"limits.roles.{role}") for role, one in named.items()},
    )


def limits_to_dict(limits: DebateLimits) -> dict[str, Any]:
    """Give limits as JSON; they can be read back."""
    return {
        "run": asdict(limits.run),
        "round": asdict(limits.round),
        "role": asdict(limits.role),
        "roles": {role: asdict(limit) for role, limit in sorted(limits.roles.items())},
    }


def spec_read(data: object, *, file: str, place: str) -> ModelSpec:
    """Read a model as the gate's configuration has it.

    Raises:
        ConfigError: it is no model.
    """
    Fields(data, file=file, place=place, allowed=spec_to_dict(ModelSpec()))
    return config_from_dict({"auditor": data}).auditor


def spec_to_dict(spec: ModelSpec) -> dict[str, Any]:
    """Give a model as JSON; it can be read back."""
    return cast("dict[str, Any]", config_to_dict(GateConfig(auditor=spec))["auditor"])


def _limit(data: object, file: str, place: str) -> Limits:
    given = Fields(data, file=file, place=place, allowed=("calls", "tokens", "cost"))
    found = {name: given.get(name, None) for name in ("calls", "tokens", "cost")}
    for name, most in found.items():
        is_number = isinstance(most, int | float) and not isinstance(most, bool)
        if most is not None and not (is_number and most >= 0):
            raise given.wrong(name, most, "0 or more, or null for no limit")
    return Limits(**found)
