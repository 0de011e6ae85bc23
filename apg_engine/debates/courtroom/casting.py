"""Who plays which role: seats from specifications, and whether the judges are independent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apg_engine.auditors.known_pairs import known_pairs_load
from apg_engine.auditors.nli_scoring import PairScorer
from apg_engine.config import ModelSpec
from apg_engine.debates.courtroom.config import JUDGES, ROLES, CourtroomConfig
from apg_engine.debates.courtroom.families import families_shared, family_of
from apg_engine.debates.courtroom.polarity import NliPolarity
from apg_engine.debates.courtroom.rule_court import rule_seat
from apg_engine.debates.courtroom.rule_judges import rule_judge
from apg_engine.debates.courtroom.seats import ModelSeat, Seat
from apg_engine.debates.voices import voice_build
from apg_engine.errors import ConfigError

# Who judges in the released code (P8).
_AS_RELEASED = dict(zip(JUDGES, ("critic", "expert", "court"), strict=True))
_DEBATERS = tuple(role for role in ROLES if role not in JUDGES)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays a trial.

    Attributes:
        seats: by role.
        families: model families, by role.
        warnings: judges who share a family with each other or with a debater.
    """

    seats: Mapping[str, Seat]
    families: Mapping[str, str]
    warnings: tuple[str, ...] = ()


def cast_build(
    config: CourtroomConfig,
    *,
    environment: Mapping[str, str],
    load: Callable[[Path], PairScorer] = known_pairs_load,
) -> Cast:
    """Build who plays each role; judges on one local cross-encoder share it.

    Args:
        config: of the trial.
        environment: where keys are read from.
        load: loads a cross-encoder; several casts may share theirs.

    Raises:
        ModelSetupError: a key, a folder or a package is missing.
        ConfigError: two judges are of one model family, and the configuration does not allow it.
    """
    specs = {role: _spec(config, role) for role in ROLES}
    families = {role: family_of(spec, role=role) for role, spec in specs.items()}
    shared = families_shared(families, config.judges)
    if shared and not config.same_family:
        family, roles = next(iter(shared.items()))
        found = f"{', '.join(roles)} of the family {family}"
        allowed = "judges of different model families, or same_family: true"
        raise ConfigError("debate courtroom", "roles", found, allowed)
    loaded = cache(load)
    return Cast(
        seats={role: _seat(role, spec, environment, loaded) for role, spec in specs.items()},
        families=families,
        warnings=tuple(_overlaps(config, families, shared)),
    )


def _spec(config: CourtroomConfig, role: str) -> ModelSpec:
    own, debater = config.spec(role), config.spec(_AS_RELEASED.get(role, role))
    # Rules that debate cannot judge; only models change seats.
    is_as_released = config.released.panel_of_debaters and debater.kind != "offline"
    return debater if is_as_released else own


def _seat(
    role: str,
    spec: ModelSpec,
    environment: Mapping[str, str],
    load: Callable[[Path], PairScorer],
) -> Seat:
    if spec.kind == "offline":
        return rule_judge(role) if role in JUDGES else rule_seat(role)
    if spec.kind == "nli":
        return rule_judge(role, NliPolarity(load(Path(spec.path))))
    return ModelSeat(voice_build(spec, role=role, environment=environment))


def _overlaps(
    config: CourtroomConfig, families: Mapping[str, str], shared: Mapping[str, list[str]]
) -> list[str]:
    told = [
        f"{', '.join(roles)} are of one model family ({family}): no independent panel"
        for family, roles in shared.items()
    ]
    for judge in config.judges:
        debaters = [role for role in _DEBATERS if families[role] == families[judge]]
        if debaters:
            told.append(f"{judge} is of the family of {', '.join(debaters)} ({families[judge]})")
    return told
