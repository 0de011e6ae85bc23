"""How a debate of the committee is set, from YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from apg_engine.config import GateConfig, ModelSpec, config_from_dict, config_to_dict
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.committee.dispatcher import KINDS
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.scenario import SCENARIOS
from apg_engine.debates.enforcement import Enforcement
from apg_engine.debates.settings import (
    Fields,
    limits_read,
    limits_to_dict,
    spec_read,
    spec_to_dict,
    yaml_parse,
    yaml_read,
)
from apg_engine.errors import ConfigError
from apg_engine.records import ShockKind
from apg_engine.traces import CONFLICT_RULES, ConflictRule

_MOST_TURNS: Final = 90


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


_FIELDS: Final = tuple(one.name for one in fields(CommitteeConfig))


@cache
def config_default() -> CommitteeConfig:
    """Give the configuration that comes with the package (committee.yaml)."""
    path = files("apg_engine").joinpath("debates", "committee", "committee.yaml")
    data = yaml_parse(path.read_text("utf-8"), file=path.name)
    return committee_config_from_dict(data, file_name=path.name)


def config_read(path: Path) -> CommitteeConfig:
    """Read a YAML file; absent fields keep their defaults.

    Raises:
        ConfigError: it cannot be read, or a field is unknown or holds what is not allowed.
        OSError: there is no such file.
    """
    data = yaml_read(path)
    return committee_config_from_dict(data, file_name=str(path))


def committee_config_from_dict(data: Mapping[str, Any], *, file_name: str) -> CommitteeConfig:
    """Read a configuration from JSON data, as `committee_config_to_dict` gives it.

    Raises:
        ConfigError: a field is unknown or holds what is not allowed.
    """
    given = Fields(data, file=file_name, place="", allowed=_FIELDS)
    default = CommitteeConfig()
    config = CommitteeConfig(
        scenario=given.choice("scenario", default.scenario, SCENARIOS),
        seed=given.whole("seed", default.seed, 0, 2**31 - 1),
        turns=given.whole("turns", default.turns, 1, _MOST_TURNS),
        shocks=_shocks(given.get("shocks", {}), file_name),
        conflict_rule=given.choice("conflict_rule", default.conflict_rule, CONFLICT_RULES),
        enforcement=_enforcement(given),
        repairs=given.whole("repairs", default.repairs, 1, 5),
        debaters=_debaters(given.get("debaters", {}), file_name),
        auditor=spec_read(given.get("auditor", {}), file=file_name, place="auditor"),
        limits=limits_read(given.get("limits", {}), file=file_name),
        gate=config_from_dict(given.get("gate", {})),
    )
    return turns_checked(config, file=file_name)


def committee_config_to_dict(config: CommitteeConfig) -> dict[str, Any]:
    """Give a configuration as JSON; it can be read back."""
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
        "debaters": {module: spec_to_dict(config.debater(module)) for module in MODULES},
        "auditor": spec_to_dict(config.auditor),
        "limits": limits_to_dict(config.limits),
        "gate": config_to_dict(config.gate),
    }


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


def _shocks(data: object, file: str) -> ShockPlan:
    given, default = (
        Fields(data, file=file, place="shocks", allowed=("turns", "kinds")),
        ShockPlan(),
    )
    turns = given.wholes("turns", default.turns, 1, _MOST_TURNS)
    if list(turns) != sorted(set(turns)):
        raise given.wrong("turns", list(turns), "each turn once, in order")
    kinds = given.choices("kinds", default.kinds, list(ShockKind))
    return ShockPlan(turns, tuple(map(ShockKind, kinds)))


def _enforcement(given: Fields) -> Enforcement:
    """Read it; YAML takes a bare `off` for false."""
    if given.get("enforcement", None) is False:
        return Enforcement.OFF
    return Enforcement(given.choice("enforcement", Enforcement.FLAG, list(Enforcement)))


def _debaters(data: object, file: str) -> dict[str, ModelSpec]:
    given = Fields(data, file=file, place="debaters", allowed=("default", *MODULES))
    default = given.get("default", {})
    return {
        module: spec_read(given.get(module, default), file=file, place=f"debaters.{module}")
        for module in MODULES
    }
