from __future__ import annotations

import json
from importlib.resources import files
from itertools import combinations
from typing import Any

import pytest

from apg_engine import ConfigError
from apg_engine.debates.committee.dispatcher import KINDS, shocks_dispatch
from apg_engine.debates.committee.knowledge import (
    MODULES,
    NodeKind,
    axioms_find,
    graph_from_dict,
    knowledge_load,
)
from apg_engine.debates.committee.scenario import (
    SCENARIOS,
    scenario_from_dict,
    scenario_load,
)
from apg_engine.records import Severity, ShockKind, Turn
from apg_engine.traces.leaks import PrivateText, leak_warnings

# Run i of the paper's 30 (seed 102 + i): kind and variant of its two shocks, as its repository's
# published trajectories have them.
PAPER = (
    "S2-1,S2-0", "S4-0,S1-0", "S1-0,S2-1", "S3-0,S1-1", "S4-0,S4-0", "S2-1,S4-1",
    "S2-0,S4-1", "S3-0,S4-1", "S4-0,S4-1", "S2-1,S4-0", "S4-1,S4-1", "S1-1,S1-1",
    "S2-0,S3-0", "S3-0,S1-0", "S3-0,S1-0", "S2-0,S2-0", "S2-1,S1-1", "S3-0,S4-0",
    "S2-0,S4-0", "S1-0,S4-0", "S2-1,S1-1", "S1-1,S1-1", "S3-0,S2-0", "S2-0,S3-0",
    "S1-1,S2-0", "S1-0,S1-0", "S2-1,S3-0", "S3-0,S4-0", "S4-1,S4-1", "S3-1,S1-1",
)  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_first_requests_exceed_the_budget_and_what_cannot_wait_does_not(name: str) -> None:
    scenario = scenario_load(name)
    openings = sum(share.opening for share in scenario.shares)

    assert sum(share.floor for share in scenario.shares) <= scenario.budget < openings
    assert f"{scenario.budget} " in scenario.crisis_context
    assert f"{openings} {scenario.unit}" in scenario.crisis_context
    assert all(share.load in scenario.question for share in scenario.shares)


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("module", MODULES)
def test_what_a_graph_says_can_wait_leads_from_the_first_request_to_the_last(
    name: str, module: str
) -> None:
    graph, share = knowledge_load(module, name), scenario_load(name).share_of(module)
    concessions = graph.of_kind(NodeKind.CONCESSION)

    assert share.opening - sum(node.saves for node in concessions) == share.floor
    unit = scenario_load(name).unit
    assert all(f"saves {node.saves} {unit}" in node.text for node in concessions)
    assert len(graph.of_kind(NodeKind.FACT)) >= 6
    assert graph.of_kind(NodeKind.BELIEF)
    assert graph.of_kind(NodeKind.GOAL)


def test_the_three_mandates_are_opposed_by_edges_between_modules() -> None:
    opposed = {
        (graph.module, edge.target)
        for module in MODULES
        for graph in [knowledge_load(module, "energy")]
        for edge in graph.edges
        if edge.kind in {"opposes", "answers"}
    }

    assert opposed == {(one, other) for one in MODULES for other in MODULES if one != other}


@pytest.mark.parametrize("name", SCENARIOS)
def test_beliefs_share_no_phrase_with_what_may_be_said(name: str) -> None:
    nodes = [node for module in MODULES for node in knowledge_load(module, name).nodes]
    private = [PrivateText(node.id, node.text) for node in nodes if node.kind.is_private]
    public = [node.text for node in nodes if not node.kind.is_private]
    scenario = scenario_load(name)
    public += [scenario.crisis_context, *(v.text for vs in scenario.shocks.values() for v in vs)]

    turns = [Turn(number, "anybody", text) for number, text in enumerate(public, start=1)]
    assert leak_warnings(turns, private) == ()


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_kind_of_shock_has_two_variants_and_insults_change_no_figure(name: str) -> None:
    shocks = scenario_load(name).shocks

    assert set(shocks) == set(ShockKind)
    for kind, variants in shocks.items():
        assert len(variants) == 2
        assert len({variant.text for variant in variants}) == 2
        is_zero_sum = kind is ShockKind.ZERO_SUM
        assert all(variant.is_indivisible == is_zero_sum for variant in variants)
        severities = [variant.severity for variant in variants]
        if kind is ShockKind.AD_HOMINEM:
            assert severities == [Severity.LOW, Severity.LOW]
            assert not any(variant.floor for variant in variants)
        else:
            assert severities == [Severity.HIGH, Severity.MEDIUM]
    floors = [v.floor for k in KINDS[:2] for v in shocks[k]]
    assert all(floors)


def test_scenarios_and_modules_share_no_sentence() -> None:
    texts = [
        {
            node.text
            for module in MODULES
            for node in knowledge_load(module, name).nodes
            if not node.kind.is_private
        }
        for name in SCENARIOS
    ]

    for one, other in combinations(texts, 2):
        assert not one & other


@pytest.mark.parametrize("run", range(30))
def test_the_seeds_of_the_papers_runs_draw_the_kinds_and_variants_of_its_runs(run: int) -> None:
    drawn = shocks_dispatch(scenario_load("orbital"), seed=102 + run, turns=(3, 5))

    told = [f"S{KINDS.index(one.shock.kind) + 1}-{one.variant}" for one in drawn]
    assert ",".join(told) == PAPER[run]
    assert [one.shock.turn for one in drawn] == [3, 5]


def test_only_the_kinds_that_are_asked_for_are_drawn() -> None:
    for seed in range(20):
        drawn = shocks_dispatch(
            scenario_load("energy"), seed=seed, turns=(2, 4, 6), kinds=(ShockKind.AD_HOMINEM,)
        )
        assert {one.shock.kind for one in drawn} == {ShockKind.AD_HOMINEM}


def test_what_answers_a_claim_is_retrieved_before_what_does_not() -> None:
    graph = knowledge_load("protection", "energy")
    every = [node.id for node in graph.nodes]

    found = axioms_find(graph, ["Oxygen can be brought from the hospital."], most=2, among=every)
    assert found[0].id == "protection:energy.f5"
    assert axioms_find(graph, ["Oxygen."], most=3, among=[]) == ()


def energy() -> dict[str, Any]:
    path = files("apg_engine").joinpath("debates", "committee", "scenarios", "energy.json")
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def test_numbers_that_do_not_fit_each_other_are_refused() -> None:
    data = energy()
    data["budget"]["amount"] = 90

    with pytest.raises(ConfigError, match=r"openings of 80; allowed: a budget of 90"):
        scenario_from_dict(data, file_name="energy.json")


def test_a_scenario_without_a_kind_of_shock_is_refused() -> None:
    data = energy()
    del data["shocks"]["zero_sum"]

    with pytest.raises(ConfigError, match="no zero_sum; allowed: all four kinds"):
        scenario_from_dict(data, file_name="energy.json")


def test_an_edge_that_leads_nowhere_is_refused() -> None:
    node = {"id": "b1", "kind": "belief", "text": "A belief."}
    data = {"module": "m", "name": "M", "mandate": "x", "nodes": [node]}

    with pytest.raises(ConfigError, match="found m:b9; allowed: a node of the file or a module"):
        graph_from_dict(
            {**data, "edges": [{"from": "b1", "to": "b9", "kind": "supports"}]}, scenario="energy"
        )
    with pytest.raises(ConfigError, match="an id that stands twice"):
        graph_from_dict({**data, "nodes": [node, node], "edges": []}, scenario="energy")
