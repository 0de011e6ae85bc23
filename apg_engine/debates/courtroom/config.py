"""How a trial is set, from YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from apg_engine.config import GateConfig, ModelSpec, config_from_dict, config_to_dict
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.courtroom.released import SWITCHES, Released
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

PRESETS: Final = ("proclaim", "proclaim_as_released")
JUDGES: Final = ("judge_a", "judge_b", "judge_c")
ROLES: Final = ("miner", "plaintiff", "defense", "court", "critic", "expert", *JUDGES)
_KINDS: Final = ("offline", "openai", "scripted", "nli")
_MOST_ROUNDS: Final = 30


@dataclass(frozen=True, slots=True)
class SearchRules:
    """The rules of progressive retrieval.

    Attributes:
        novelty: least novelty of what is admitted.
        redundancy: a search stops above this share of results that are not new.
        gain: a search stops below this gain of an iteration.
        iterations: most iterations of one side's search; there is one in each turn.
        found: results of one query; of a side's search, those nobody offered before.
        messages: how many turns a query looks back on.
    """

    novelty: float = 0.20
    redundancy: float = 0.70
    gain: float = 0.05
    iterations: int = 10
    found: int = 5
    messages: int = 4


@dataclass(frozen=True, slots=True)
class Ablations:
    """What of the system is there; the paper takes one away at a time."""

    progressive_rag: bool = True
    role_switching: bool = True
    judges: int = 3
    self_reflection: bool = True


@dataclass(frozen=True, slots=True)
class CourtroomConfig:
    """One trial of one claim.

    Attributes:
        rounds: most rounds.
        seed: draws which side a judge reads as the first.
        premises_most: most premises a claim is cut into.
        quorum: least votes for a finding; with one judge it is 1.
        roles: who speaks for a role; who is not named is played by rules.
        same_family: allow judges of one model family, which are no independent panel.
        both_orders: have each judge vote again with the sides exchanged, to tell flips; it counts
            for no verdict.
        released: departures of the released code.
        gate: how the judgment is gated; its proposer is the court.
    """

    claim: str
    rounds: int = 10
    seed: int = 0
    search: SearchRules = field(default_factory=SearchRules)
    premises_most: int = 6
    quorum: int = 2
    roles: Mapping[str, ModelSpec] = field(default_factory=dict)
    same_family: bool = False
    both_orders: bool = False
    ablations: Ablations = field(default_factory=Ablations)
    released: Released = field(default_factory=Released)
    limits: DebateLimits = field(default_factory=DebateLimits)
    gate: GateConfig = field(default_factory=GateConfig)

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges of this trial."""
        return JUDGES[: self.ablations.judges]

    @property
    def least_votes(self) -> int:
        """The quorum, or 1 for a panel of one."""
        return min(self.quorum, self.ablations.judges)

    def spec(self, role: str) -> ModelSpec:
        """Who speaks for a role."""
        return self.roles.get(role, ModelSpec())


_FIELDS: Final = tuple(one.name for one in fields(CourtroomConfig))
_SEARCH: Final = tuple(one.name for one in fields(SearchRules))
_ABLATIONS: Final = tuple(one.name for one in fields(Ablations))


def preset_load(name: str, *, claim: str) -> CourtroomConfig:
    """Give a named configuration for a claim.

    Raises:
        ConfigError: there is no preset of that name, or no claim.
    """
    return courtroom_config_from_dict({**_preset(name), "claim": claim}, file_name=f"{name}.yaml")


def config_read(path: Path, *, claim: str = "") -> CourtroomConfig:
    """Read a YAML file; absent fields keep their defaults, and a given claim goes before its own.

    Raises:
        ConfigError: it cannot be read, or a field is unknown or holds what is not allowed.
        OSError: there is no such file.
    """
    data = yaml_read(path)
    given = {"claim": claim} if claim else {}
    return courtroom_config_from_dict({**data, **given}, file_name=str(path))


def courtroom_config_from_dict(data: Mapping[str, Any], *, file_name: str) -> CourtroomConfig:
    """Read a configuration from JSON data, as `courtroom_config_to_dict` gives it.

    Raises:
        ConfigError: a field is unknown or holds what is not allowed.
    """
    given = Fields(data, file=file_name, place="", allowed=_FIELDS)
    ablations = _ablations(given.get("ablations", {}), file_name)
    return CourtroomConfig(
        claim=_claim(given),
        rounds=given.whole("rounds", 10, 1, _MOST_ROUNDS),
        seed=given.whole("seed", 0, 0, 2**31 - 1),
        search=_search(given.get("search", {}), file_name),
        premises_most=given.whole("premises_most", 6, 1, 20),
        quorum=given.whole("quorum", 2, 1, len(JUDGES)),
        roles=_roles(given.get("roles", {}), file_name),
        same_family=given.flag("same_family", default=False),
        both_orders=given.flag("both_orders", default=False),
        ablations=ablations,
        released=_released(given.get("released", {}), file_name),
        limits=limits_read(given.get("limits", {}), file=file_name),
        gate=config_from_dict(given.get("gate", {})),
    )


def courtroom_config_to_dict(config: CourtroomConfig) -> dict[str, Any]:
    """Give a configuration as JSON; it can be read back."""
    return {
        "claim": config.claim,
        "rounds": config.rounds,
        "seed": config.seed,
        "search": asdict(config.search),
        "premises_most": config.premises_most,
        "quorum": config.quorum,
        "roles": {role: spec_to_dict(config.spec(role)) for role in ROLES},
        "same_family": config.same_family,
        "both_orders": config.both_orders,
        "ablations": asdict(config.ablations),
        "released": asdict(config.released),
        "limits": limits_to_dict(config.limits),
        "gate": config_to_dict(config.gate),
    }


@cache
def _preset(name: str) -> Mapping[str, Any]:
    if name not in PRESETS:
        raise ConfigError("debate courtroom", "preset", repr(name), ", ".join(PRESETS))
    path = files("apg_engine").joinpath("debates", "courtroom", "presets", f"{name}.yaml")
    return yaml_parse(path.read_text("utf-8"), file=path.name)


def _claim(given: Fields) -> str:
    claim = " ".join(given.text("claim", "").split())
    if not any(map(str.isalnum, claim)):
        raise given.wrong("claim", claim, "a sentence to be tried")
    return claim


def _search(data: object, file: str) -> SearchRules:
    given, default = Fields(data, file=file, place="search", allowed=_SEARCH), SearchRules()
    return SearchRules(
        novelty=given.share("novelty", default.novelty),
        redundancy=given.share("redundancy", default.redundancy),
        gain=given.share("gain", default.gain),
        iterations=given.whole("iterations", default.iterations, 0, _MOST_ROUNDS),
        found=given.whole("found", default.found, 1, 50),
        messages=given.whole("messages", default.messages, 0, 50),
    )


def _ablations(data: object, file: str) -> Ablations:
    given = Fields(data, file=file, place="ablations", allowed=_ABLATIONS)
    judges = given.get("judges", len(JUDGES))
    if judges not in {1, len(JUDGES)} or isinstance(judges, bool):
        raise given.wrong("judges", judges, "1 or 3")
    return Ablations(
        progressive_rag=given.flag("progressive_rag", default=True),
        role_switching=given.flag("role_switching", default=True),
        judges=judges,
        self_reflection=given.flag("self_reflection", default=True),
    )


def _released(data: object, file: str) -> Released:
    given = Fields(data, file=file, place="released", allowed=SWITCHES)
    return Released(**{name: given.flag(name, default=False) for name in SWITCHES})


def _roles(data: object, file: str) -> dict[str, ModelSpec]:
    given = Fields(data, file=file, place="roles", allowed=("default", *ROLES))
    default = given.get("default", {})
    found = {}
    for role in ROLES:
        found[role] = spec_read(given.get(role, default), file=file, place=f"roles.{role}")
        kind, allowed = found[role].kind, _KINDS if role in JUDGES else _KINDS[:-1]
        if kind not in allowed:
            raise given.wrong(role, kind, ", ".join(allowed))
    return found
