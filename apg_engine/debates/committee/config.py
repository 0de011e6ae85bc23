"""How a debate of the committee is set, from YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import yaml

from apg_engine.config import GateConfig, ModelSpec, config_from_dict, config_to_dict
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.committee.dispatcher import KINDS
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.scenario import SCENARIOS
from apg_engine.debates.enforcement import Enforcement
from apg_engine.errors import ConfigError
from apg_engine.records import ShockKind
from apg_engine.spending.budget import Limits
from apg_engine.traces import CONFLICT_RULES, ConflictRule

_FIELDS: Final = (
    "scenario",
    "seed",
    "turns",
    "shocks",
    "conflict_rule",
    "enforcement",
    "repairs",
    "debaters",
    "auditor",
    "limits",
    "gate",
)
_LIMITS: Final = ("run", "round", "role", "roles")
_MOST_TURNS: Final = 90
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ShockPlan:
    """Before which turns a shock comes, and of which kinds it may be."""

    turns: tuple[int, ...] = (4, 8)
    kinds: tuple[ShockKind, ...] = KINDS


@dataclass(frozen=True, slots=True)
class CommitteeConfig:
    """One debate of the committee.

    Attributes:
        turns: public turns in all, the same number for each of the three modules.
        conflict_rule: how the conflict level follows from the shocks.
        enforcement: what happens to a turn with claims the record does not carry.
        repairs: how often a module may say such a turn again.
        debaters: who speaks for each module.
        auditor: who audits turns, where enforcement is on.
        gate: the run of the gate that ends the debate.
    """

    scenario: str = "energy"
    seed: int = 0
    turns: int = 12
    shocks: ShockPlan = field(default_factory=ShockPlan)
    conflict_rule: ConflictRule = "zero_sum"
    enforcement: Enforcement = Enforcement.FLAG
    repairs: int = 1
    debaters: Mapping[str, ModelSpec] = field(default_factory=dict)
    auditor: ModelSpec = field(default_factory=ModelSpec)
    limits: DebateLimits = field(default_factory=DebateLimits)
    gate: GateConfig = field(default_factory=GateConfig)

    @property
    def rounds(self) -> int:
        """How often each module speaks."""
        return self.turns // len(MODULES)

    def debater(self, module: str) -> ModelSpec:
        """Who speaks for a module."""
        return self.debaters.get(module, ModelSpec())


@cache
def config_default() -> CommitteeConfig:
    """Give the configuration that comes with the package (committee.yaml)."""
    path = files("apg_engine").joinpath("debates", "committee", "committee.yaml")
    return _config(_parsed(path.read_text("utf-8"), "committee.yaml"), "committee.yaml")


def config_read(path: Path) -> CommitteeConfig:
    """Read a YAML file; absent fields keep their defaults.

    Raises:
        ConfigError: it cannot be read, or a field is unknown or holds what is not allowed.
        OSError: there is no such file.
    """
    return _config(_parsed(path.read_text("utf-8", errors="replace"), str(path)), str(path))


def committee_config_from_dict(data: Mapping[str, Any], *, file_name: str) -> CommitteeConfig:
    """Read a configuration from JSON data, as `committee_config_to_dict` gives it.

    Raises:
        ConfigError: a field is unknown or holds what is not allowed.
    """
    return _config(data, file_name)


def committee_config_to_dict(config: CommitteeConfig) -> dict[str, Any]:
    """Give a configuration as JSON; it can be read back."""
    limits = config.limits
    return {
        "scenario": config.scenario,
        "seed": config.seed,
        "turns": config.turns,
        "shocks": {
            "turns": list(config.shocks.turns),
            "kinds": [kind.value for kind in config.shocks.kinds],
        },
        "conflict_rule": config.conflict_rule,
        "enforcement": config.enforcement.value,
        "repairs": config.repairs,
        "debaters": {module: _spec_dict(config.debater(module)) for module in MODULES},
        "auditor": _spec_dict(config.auditor),
        "limits": {
            "run": asdict(limits.run),
            "round": asdict(limits.round),
            "role": asdict(limits.role),
            "roles": {role: asdict(limit) for role, limit in sorted(limits.roles.items())},
        },
        "gate": config_to_dict(config.gate),
    }


def _parsed(text: str, file: str) -> Mapping[str, Any]:
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(file, "content", f"no YAML ({error})", "a mapping") from error
    if not isinstance(data, dict):
        raise ConfigError(file, "content", type(data).__name__, "a mapping")
    return data


def _config(data: Mapping[str, Any], file: str) -> CommitteeConfig:
    _only(data, _FIELDS, file, "fields")
    default = CommitteeConfig()
    config = CommitteeConfig(
        scenario=_one_of(data.get("scenario", default.scenario), SCENARIOS, file, "scenario"),
        seed=_whole(data.get("seed", default.seed), 0, 2**31 - 1, file, "seed"),
        turns=_whole(data.get("turns", default.turns), 1, _MOST_TURNS, file, "turns"),
        shocks=_shocks(_mapping(data.get("shocks", {}), file, "shocks"), file),
        conflict_rule=_one_of(
            data.get("conflict_rule", default.conflict_rule), CONFLICT_RULES, file, "conflict_rule"
        ),
        enforcement=Enforcement(
            _one_of(_word(data.get("enforcement", "flag")), list(Enforcement), file, "enforcement")
        ),
        repairs=_whole(data.get("repairs", default.repairs), 1, 5, file, "repairs"),
        debaters=_debaters(_mapping(data.get("debaters", {}), file, "debaters"), file),
        auditor=_spec(data.get("auditor", {}), "auditor"),
        limits=_limits(_mapping(data.get("limits", {}), file, "limits"), file),
        gate=config_from_dict(_mapping(data.get("gate", {}), file, "gate")),
    )
    return turns_checked(config, file=file)


def turns_checked(config: CommitteeConfig, *, file: str) -> CommitteeConfig:
    """Give a configuration back whose modules all speak equally often.

    Raises:
        ConfigError: the turns cannot be shared out equally.
    """
    if config.turns < len(MODULES) or config.turns % len(MODULES):
        most = _MOST_TURNS - _MOST_TURNS % len(MODULES)
        allowed = f"a multiple of {len(MODULES)} from {len(MODULES)} to {most}"
        raise ConfigError(file, "turns", str(config.turns), f"{allowed}, so that all speak equally")
    return config


def scheduled(config: CommitteeConfig) -> CommitteeConfig:
    """Leave out shocks that would come after the last turn."""
    kept = tuple(turn for turn in config.shocks.turns if turn <= config.turns)
    return replace(config, shocks=replace(config.shocks, turns=kept))


def _shocks(data: Mapping[str, Any], file: str) -> ShockPlan:
    _only(data, ("turns", "kinds"), file, "shocks")
    default = ShockPlan()
    turns = _listed(data.get("turns", list(default.turns)), file, "shocks.turns")
    numbers = [_whole(turn, 1, _MOST_TURNS, file, "shocks.turns") for turn in turns]
    if numbers != sorted(set(numbers)):
        raise ConfigError(file, "shocks.turns", str(numbers), "each turn once, in order")
    kinds = _listed(data.get("kinds", list(default.kinds)), file, "shocks.kinds")
    if not kinds:
        raise ConfigError(file, "shocks.kinds", "an empty list", ", ".join(ShockKind))
    named = [_one_of(kind, list(ShockKind), file, "shocks.kinds") for kind in kinds]
    return ShockPlan(tuple(numbers), tuple(ShockKind(kind) for kind in named))


def _debaters(data: Mapping[str, Any], file: str) -> dict[str, ModelSpec]:
    _only(data, ("default", *MODULES), file, "debaters")
    default = data.get("default", {})
    return {module: _spec(data.get(module, default), f"debaters.{module}") for module in MODULES}


def _limits(data: Mapping[str, Any], file: str) -> DebateLimits:
    _only(data, _LIMITS, file, "limits")
    roles = _mapping(data.get("roles", {}), file, "limits.roles")
    return DebateLimits(
        run=_limit(data.get("run", {}), file, "limits.run"),
        round=_limit(data.get("round", {}), file, "limits.round"),
        role=_limit(data.get("role", {}), file, "limits.role"),
        roles={role: _limit(one, file, f"limits.roles.{role}") for role, one in roles.items()},
    )


def _limit(value: object, file: str, place: str) -> Limits:
    data = _mapping(value, file, place)
    _only(data, ("calls", "tokens", "cost"), file, place)
    for name, most in data.items():
        is_number = isinstance(most, int | float) and not isinstance(most, bool)
        if most is not None and not (is_number and most >= 0):
            raise ConfigError(
                file, f"{place}.{name}", repr(most), "0 or more, or null for no limit"
            )
    return Limits(**data)


def _spec(value: object, place: str) -> ModelSpec:
    """Read a model as the gate's configuration has it."""
    data = _mapping(value, "committee", place)
    return config_from_dict({"auditor": data}).auditor


def _spec_dict(spec: ModelSpec) -> dict[str, Any]:
    return cast("dict[str, Any]", config_to_dict(GateConfig(auditor=spec))["auditor"])


def _only(data: Mapping[str, Any], allowed: tuple[str, ...], file: str, place: str) -> None:
    unknown = sorted(map(str, set(data) - set(allowed)))
    if unknown:
        raise ConfigError(file, place, ", ".join(unknown), ", ".join(allowed))


def _mapping(value: object, file: str, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(file, place, type(value).__name__, "a mapping")
    return value


def _listed(value: object, file: str, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise ConfigError(file, place, type(value).__name__, "a list")
    return value


def _one_of(value: Any, allowed: Any, file: str, place: str) -> Any:
    if value not in list(allowed):
        raise ConfigError(file, place, repr(value), ", ".join(allowed))
    return value


def _word(value: object) -> object:
    """Give `off` back, which YAML reads as false."""
    return "off" if value is False else value


def _whole(value: object, least: int, most: int, file: str, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ConfigError(file, place, repr(value), f"a whole number from {least} to {most}")
    return value
