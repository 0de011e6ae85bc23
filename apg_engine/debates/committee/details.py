"""What the committee adds to the record of a debate, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from apg_engine.debates.committee.allocations import plan_shared, requests_last
from apg_engine.debates.committee.dispatcher import Dispatch
from apg_engine.debates.committee.play import CommitteePlay
from apg_engine.debates.committee.scenario import Scenario
from apg_engine.debates.committee.strategy import strategy_to_json


def debate_details(
    play: CommitteePlay, *, scenario: Scenario, happened: Iterable[Dispatch]
) -> dict[str, Any]:
    """Give shocks, requests, private steps and what was found about turns.

    The verdict is the plan that every module named last, if it fits the budget.
    """
    said = [(turn.speaker, turn.text) for turn in play.floor.heard]
    plan = dict(plan_shared(said, scenario))
    requests = requests_last(said, scenario)
    return {
        "verdict": plan,
        "shocks": [_shock(one) for one in happened],
        "allocation": {
            "budget": scenario.budget,
            "unit": scenario.unit,
            "requests": requests,
            "total": sum(requests.values()),
            "plan": plan,
        },
        "strategies": {str(turn): strategy_to_json(one) for turn, one in play.plans},
        "enforcement": _enforcement(play),
    }


def _shock(one: Dispatch) -> dict[str, Any]:
    return {
        "turn": one.shock.turn,
        "kind": one.shock.kind.value,
        "severity": one.shock.severity.value,
        "variant": one.variant,
    }


def _enforcement(play: CommitteePlay) -> dict[str, Any]:
    return {
        "mode": play.enforcement.value,
        "turns_held_back": sum(play.held_back.values()),
        "open_claims": {
            str(turn): [{"text": one.sentence.text, "label": one.label.value} for one in findings]
            for turn, findings in play.findings.items()
            if findings
        },
    }
