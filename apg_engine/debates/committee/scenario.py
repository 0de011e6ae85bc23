"""A scenario of the committee: the crisis, the fixed budget, who asks for what, and its shocks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

from apg_engine.errors import ConfigError
from apg_engine.records import Severity, ShockKind

SCENARIOS: Final = ("energy", "biocontainment", "orbital")


@dataclass(frozen=True, slots=True)
class Share:
    """What one module asks for its load, in the budget's unit.

    Attributes:
        opening: its first request.
        floor: what is left of it when everything that can wait is given up.
    """

    party: str
    load: str
    opening: int
    floor: int
    is_plural: bool = False


@dataclass(frozen=True, slots=True)
class ShockText:
    """One variant of a shock.

    Attributes:
        floor: by module, how much more (or less) its load needs from now on.
        is_indivisible: the budget can go to one load only.
    """

    severity: Severity
    text: str
    floor: Mapping[str, int]
    is_indivisible: bool


@dataclass(frozen=True, slots=True)
class Scenario:
    """One crisis. Openings exceed the budget and floors do not, so arithmetic checks every plan.

    Attributes:
        unit: of the budget, as texts write it; `goods` is the whole budget in words.
    """

    id: str
    title: str
    crisis_context: str
    question: str
    budget: int
    unit: str
    goods: str
    shares: tuple[Share, ...]
    shocks: Mapping[ShockKind, tuple[ShockText, ...]]

    def share_of(self, party: str) -> Share:
        """Give what a module asks for."""
        return next(share for share in self.shares if share.party == party)


@cache
def scenario_load(name: str) -> Scenario:
    """Read one of the package's scenarios.

    Raises:
        ConfigError: there is none of that name, or its numbers do not fit each other.
    """
    if name not in SCENARIOS:
        raise ConfigError("committee", "scenario", repr(name), ", ".join(SCENARIOS))
    path = files("apg_engine").joinpath("debates", "committee", "scenarios", f"{name}.json")
    return scenario_from_dict(json.loads(path.read_text("utf-8")), file_name=f"{name}.json")


def scenario_from_dict(data: Mapping[str, Any], *, file_name: str) -> Scenario:
    """Read a scenario from JSON.

    Raises:
        ConfigError: openings do not exceed the budget, floors do, or a kind of shock is missing.
    """
    budget = data["budget"]
    scenario = Scenario(
        id=data["id"],
        title=data["title"],
        crisis_context=data["crisis_context"],
        question=data["question"],
        budget=budget["amount"],
        unit=budget["unit"],
        goods=budget["goods"],
        shares=tuple(Share(**share) for share in data["shares"]),
        shocks={
            ShockKind(kind): tuple(_shock(variant) for variant in variants)
            for kind, variants in data["shocks"].items()
        },
    )
    _refuse_misfit(scenario, file_name)
    return scenario


def _shock(data: Mapping[str, Any]) -> ShockText:
    return ShockText(
        severity=Severity(data["severity"]),
        text=data["text"],
        floor=cast("Mapping[str, int]", data.get("floor", {})),
        is_indivisible=bool(data.get("indivisible", False)),
    )


def _refuse_misfit(scenario: Scenario, file: str) -> None:
    opening = sum(share.opening for share in scenario.shares)
    floor = sum(share.floor for share in scenario.shares)
    if not floor <= scenario.budget < opening:
        found = f"floors of {floor} and openings of {opening}"
        raise ConfigError(file, "shares", found, f"a budget of {scenario.budget} between them")
    missing = set(ShockKind) - set(scenario.shocks)
    if missing:
        raise ConfigError(file, "shocks", f"no {', '.join(sorted(missing))}", "all four kinds")
