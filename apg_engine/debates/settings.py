"""Reading a debate's settings: each complaint names the file, the place and what is allowed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar, cast

import yaml

from apg_engine.config import GateConfig, ModelSpec, config_from_dict, config_to_dict
from apg_engine.debates.budget import DebateLimits
from apg_engine.errors import ConfigError
from apg_engine.spending.budget import Limits

Word = TypeVar("Word", bound=str)
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
        if not _is_whole(value, least, most):
            raise self.wrong(key, value, f"a whole number from {least} to {most}")
        return int(value)

    def wholes(self, key: str, default: Sequence[int], least: int, most: int) -> tuple[int, ...]:
        """Read a list of whole numbers."""
        values = self.get(key, list(default))
        if not isinstance(values, list) or not all(_is_whole(one, least, most) for one in values):
            raise self.wrong(key, values, f"a list of whole numbers from {least} to {most}")
        return tuple(values)

    def choice(self, key: str, default: Word, allowed: Collection[Word]) -> Word:
        """Read one of some words."""
        value = self.get(key, default)
        if value not in allowed:
            raise self.wrong(key, value, ", ".join(allowed))
        return cast("Word", value)

    def choices(
        self, key: str, default: Sequence[Word], allowed: Collection[Word]
    ) -> tuple[Word, ...]:
        """Read a list of some words, at least one."""
        values = self.get(key, list(default))
        unknown = [one for one in values if one not in allowed] if isinstance(values, list) else []
        if not isinstance(values, list) or not values or unknown:
            raise self.wrong(key, unknown[0] if unknown else values, ", ".join(allowed))
        return tuple(values)

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


def yaml_read(path: Path) -> Mapping[str, Any]:
    """Read a YAML file that holds a mapping.

    Raises:
        ConfigError: it does not, or is not in UTF-8.
        OSError: there is no such file.
    """
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(str(path), "content", str(error), "a file in UTF-8") from error
    return yaml_parse(text, file=str(path))


def yaml_parse(text: str, *, file: str) -> Mapping[str, Any]:
    """Parse a YAML file that holds a mapping.

    Raises:
        ConfigError: it does not.
    """
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
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


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _limit(data: object, file: str, place: str) -> Limits:
    given = Fields(data, file=file, place=place, allowed=("calls", "tokens", "cost"))
    found = {name: given.get(name, None) for name in ("calls", "tokens", "cost")}
    for name, most in found.items():
        is_number = isinstance(most, int | float) and not isinstance(most, bool)
        if most is not None and not (is_number and most >= 0):
            raise given.wrong(name, most, "0 or more, or null for no limit")
    return Limits(**found)
