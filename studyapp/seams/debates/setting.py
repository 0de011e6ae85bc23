"""What a debate is set by: from a researcher's choices to a whole configuration, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final

from apg_engine.config import GateConfig, ModelSpec
from apg_engine.debates.budget import limits_checked
from apg_engine.debates.committee.config import (
    CommitteeConfig,
    committee_config_from_dict,
    committee_config_to_dict,
    config_default,
)
from apg_engine.debates.committee.dispatcher import KINDS as SHOCK_KINDS
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.scenario import SCENARIOS
from apg_engine.debates.courtroom.config import (
    PRESETS,
    ROLES,
    CourtroomConfig,
    courtroom_config_from_dict,
    courtroom_config_to_dict,
    preset_load,
)
from apg_engine.debates.enforcement import Enforcement
from apg_engine.debates.settings import spec_to_dict, yaml_parse
from apg_engine.errors import InputError
from apg_engine.spending.prices import prices_packaged
from studyapp.errors import DefinitionError

COMMITTEE: Final = "committee"
COURTROOM: Final = "courtroom"
KINDS: Final[tuple[str, ...]] = tuple(kind.value for kind in SHOCK_KINDS)
ENFORCEMENTS: Final[tuple[str, ...]] = tuple(one.value for one in Enforcement)
# Who speaks: rules, or the model the paper's proposer is.
SPEAKERS: Final = ("rules", "paper")

__all__ = [
    "COMMITTEE",
    "COURTROOM",
    "ENFORCEMENTS",
    "KINDS",
    "PRESETS",
    "SCENARIOS",
    "SPEAKERS",
    "Caps",
    "CommitteeWish",
    "TrialWish",
    "config_checked",
    "config_committee",
    "config_courtroom",
    "config_file",
    "config_load",
    "is_offline",
    "roles_told",
    "speakers_of",
    "specs_of",
]

Config = CommitteeConfig | CourtroomConfig


@dataclass(frozen=True, slots=True)
class Caps:
    """The most a whole debate may use; None is no limit of the researcher's."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


_NO_CAPS: Final = Caps()


@dataclass(frozen=True, slots=True)
class CommitteeWish:
    """What researchers choose of a committee's debate."""

    scenario: str = "energy"
    seed: int = 0
    turns: int = 12
    shock_turns: tuple[int, ...] = (4, 8)
    shock_kinds: tuple[str, ...] = KINDS
    enforcement: str = "flag"
    speakers: str = "rules"
    caps: Caps = _NO_CAPS


@dataclass(frozen=True, slots=True)
class TrialWish:
    """What researchers choose of a trial, besides its claim and its evidence."""

    preset: str = PRESETS[0]
    seed: int = 0
    rounds: int = 10
    speakers: str = "rules"
    embedder: str = "words"
    caps: Caps = _NO_CAPS


def config_committee(wish: CommitteeWish) -> dict[str, Any]:
    """Return the whole configuration of a committee's debate.

    Raises:
        DefinitionError: a value is not allowed.
    """
    return config_checked(
        COMMITTEE,
        {
            **committee_config_to_dict(config_default()),
            "scenario": wish.scenario,
            "seed": wish.seed,
            "turns": wish.turns,
            "shocks": {"turns": list(wish.shock_turns), "kinds": list(wish.shock_kinds)},
            "enforcement": wish.enforcement,
            "debaters": dict.fromkeys(MODULES, _speaker(wish.speakers)),
            "limits": {"run": asdict(wish.caps)},
        },
    )


def config_courtroom(wish: TrialWish, *, claim: str) -> dict[str, Any]:
    """Return the whole configuration of a trial.

    One model in all roles makes no independent panel; the record says so.

    Raises:
        DefinitionError: a value is not allowed.
    """
    with _refusals():
        base = courtroom_config_to_dict(preset_load(wish.preset, claim=claim))
    given = {name: most for name, most in asdict(wish.caps).items() if most is not None}
    limits = {**base["limits"], "run": {**base["limits"]["run"], **given}}
    return config_checked(
        COURTROOM,
        {
            **base,
            "seed": wish.seed,
            "rounds": wish.rounds,
            "roles": dict.fromkeys(ROLES, _speaker(wish.speakers)),
            "same_family": wish.speakers != "rules",
            "limits": limits,
        },
    )


def config_file(system: str, text: str, *, file_name: str, claim: str = "") -> dict[str, Any]:
    """Read a configuration file, as `python -m apg_engine debate` takes it.

    Raises:
        DefinitionError: it cannot be read, or a value is not allowed.
    """
    with _refusals():
        data = yaml_parse(text, file=file_name)
    return config_checked(system, {**data, **({"claim": claim} if claim else {})}, file=file_name)


def config_checked(system: str, data: Mapping[str, Any], *, file: str = "debate") -> dict[str, Any]:
    """Bring a configuration into its whole form, and see that its cast and its limits can be.

    Raises:
        DefinitionError: a value is not allowed, or a limit on cost cannot be kept.
    """
    with _refusals():
        config = config_load(system, data, file=file)
        limits_checked(config.limits, specs=specs_of(config), prices=prices_packaged())
        if isinstance(config, CommitteeConfig):
            return committee_config_to_dict(config)
        return courtroom_config_to_dict(config)


def config_load(system: str, data: Mapping[str, Any], *, file: str = "debate") -> Config:
    """Turn a stored configuration back into the engine's record.

    Raises:
        ConfigError: a value is not allowed.
    """
    if system == COMMITTEE:
        return committee_config_from_dict(data, file_name=file)
    return courtroom_config_from_dict(data, file_name=file)


def specs_of(config: Config) -> Iterator[ModelSpec]:
    """Name all who may be asked."""
    if isinstance(config, CommitteeConfig):
        yield from (config.debater(module) for module in MODULES)
        yield config.auditor
    else:
        yield from (config.spec(role) for role in ROLES)


def roles_told(system: str, config: Mapping[str, Any]) -> tuple[tuple[str, str, bool], ...]:
    """Name who speaks for each role, and whether rules do, before the debate is over."""
    named = config["debaters"] if system == COMMITTEE else config["roles"]
    return tuple((role, _named(spec), spec["kind"] == "offline") for role, spec in named.items())


def is_offline(system: str, config: Mapping[str, Any]) -> bool:
    """Say whether rules speak for every role."""
    return all(offline for _, _, offline in roles_told(system, config))


def speakers_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Name from a debate's record who spoke for each role, and whether rules did."""
    cast = record["debaters"] if record["system"] == COMMITTEE else record["cast"]
    auditor = {"auditor of turns": record["turn_auditor"]} if "turn_auditor" in record else {}
    return [
        {"role": role, "name": one["name"], "offline": one["offline"]}
        for role, one in {**cast, **auditor}.items()
    ]


def _named(spec: Mapping[str, Any]) -> str:
    if spec["kind"] == "offline":
        return "rules (no language model)"
    return str(spec["name"] or spec["path"] or spec["kind"])


def _speaker(speakers: str) -> dict[str, Any]:
    if speakers not in SPEAKERS:
        raise DefinitionError(
            file="debate", place="speakers", found=repr(speakers), allowed=", ".join(SPEAKERS)
        )
    preset = GateConfig.preset("paper").proposer
    return spec_to_dict(ModelSpec() if speakers == "rules" else preset)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise DefinitionError(
            file=error.file, place=error.place, found=error.found, allowed=error.allowed
        ) from error
