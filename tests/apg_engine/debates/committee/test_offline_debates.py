from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest

from apg_engine import (
    ConfigError,
    GateConfig,
    MemoryJournal,
    Outcome,
    committee_trace,
    gate,
    models_from_config,
)
from apg_engine.debates.committee.allocations import plan_in, requests_last
from apg_engine.debates.committee.config import ShockPlan
from apg_engine.debates.committee.holding import CommitteeDebate
from apg_engine.debates.committee.knowledge import MODULES, knowledge_load
from apg_engine.debates.committee.rule_debater import RULE_DEBATER_NAME
from apg_engine.debates.committee.scenario import SCENARIOS, scenario_load
from apg_engine.debates.stopping import StopReason
from apg_engine.journal import CallRecord
from apg_engine.records import ShockKind
from apg_engine.segmentation.segments import segments_find
from apg_engine.traces import import_trace, trace_to_bytes
from tests.apg_engine.debates.committee.sessions import offline

SEEDS = (3, 106, 105, 126)


@cache
def held(scenario: str, seed: int) -> CommitteeDebate:
    return offline(scenario=scenario, seed=seed)


DEBATES = list(product(SCENARIOS, SEEDS))


@pytest.mark.parametrize(("scenario", "seed"), DEBATES)
def test_every_module_speaks_equally_often_in_turn(scenario: str, seed: int) -> None:
    debate = held(scenario, seed)

    assert [turn.speaker for turn in debate.floor.turns] == [*MODULES] * 4
    assert debate.end.reason is StopReason.MAX_ROUNDS


@pytest.mark.parametrize(("scenario", "seed"), DEBATES)
def test_every_sum_and_every_plan_adds_up(scenario: str, seed: int) -> None:
    debate, world = held(scenario, seed), scenario_load(scenario)
    said: list[tuple[str, str]] = []
    for turn in debate.floor.turns:
        said.append((turn.speaker, turn.text))
        requests = requests_last(said, world)
        if "come to" in turn.text or "Together the modules" in turn.text:
            total = sum(requests.values())
            assert f"{total} {world.unit}" in turn.text
            assert f"{total - world.budget} {world.unit}" in turn.text
        plan = plan_in(turn.text, world)
        if plan is not None:
            assert sum(plan.values()) <= world.budget
            reserve = world.budget - sum(plan.values())
            assert (f"with {reserve} {world.unit} in reserve" in turn.text) == (reserve > 0)


@pytest.mark.parametrize(("scenario", "seed"), DEBATES)
def test_each_turn_has_a_private_step_that_its_graph_carries(scenario: str, seed: int) -> None:
    debate = held(scenario, seed)

    for turn in debate.floor.turns:
        plan = debate.details["strategies"][str(turn.number)]
        graph = knowledge_load(turn.speaker, scenario)
        assert all(graph.node(name) for name in plan["retrieved_axioms"])
        assert 1 <= len(plan["retrieved_axioms"]) <= 2
        assert set(plan["retrieved_axioms"]) <= set(turn.evidence)
        assert plan["anticipated_counter"]
        answered = [
            t.text for t in debate.floor.turns[: turn.number - 1] if t.speaker != turn.speaker
        ]
        assert (plan["target_claim"] == "") == (turn.number == 1)
        assert any(plan["target_claim"] in text for text in answered) or turn.number == 1


@pytest.mark.parametrize(("scenario", "seed"), DEBATES)
def test_nothing_private_is_said_and_nobody_speaks_for_another(scenario: str, seed: int) -> None:
    warnings = [told for turn in held(scenario, seed).floor.turns for told in turn.warnings]

    for word in ("quotes", "bleed", "misattributes", "attributes to", "shares out"):
        assert not [told for told in warnings if word in told]


def test_debates_vary_and_hardly_repeat_themselves() -> None:
    whole = {
        " ".join(turn.text for turn in held(scenario, seed).floor.turns)
        for scenario, seed in DEBATES
    }
    assert len(whole) == len(DEBATES)

    for scenario, seed in DEBATES:
        sentences = [
            turn.text[segment.start : segment.end]
            for turn in held(scenario, seed).floor.turns
            for segment in segments_find(turn.text)
        ]
        world = scenario_load(scenario)
        own = [sentence for sentence in sentences if plan_in(sentence, world) is None]
        # Under a zero-sum shock nobody moves, so requests and refusals come again.
        assert len(set(own)) >= 0.88 * len(own)


def test_equal_seeds_give_equal_debates_to_the_byte() -> None:
    journals = [MemoryJournal(), MemoryJournal()]
    traces = [offline(seed=9, journal=journal).trace for journal in journals]

    assert traces[0] is not None
    assert traces[1] is not None
    assert trace_to_bytes(traces[0]) == trace_to_bytes(traces[1])
    assert journals[0].records == journals[1].records


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_insults_change_no_figure(scenario: str) -> None:
    insulted = ShockPlan(kinds=(ShockKind.AD_HOMINEM,))
    quiet = offline(scenario=scenario, shocks=ShockPlan(turns=()), seed=1)
    loud = offline(scenario=scenario, shocks=insulted, seed=1)

    assert loud.details["allocation"] == quiet.details["allocation"]
    assert quiet.details["conflict"]["level"] == ""
    assert loud.details["conflict"]["level"] == "low"


@pytest.mark.parametrize(
    ("scenario", "old", "now"),
    [("energy", 21, 18), ("biocontainment", 40, 34), ("orbital", 82, 72)],
)
def test_a_figure_that_news_correct_is_not_said_any_more(scenario: str, old: int, now: int) -> None:
    first = ShockPlan(turns=(1,), kinds=(ShockKind.EPISTEMIC_SHIFT,))
    debate = offline(scenario=scenario, seed=5, shocks=first)
    quiet = offline(scenario=scenario, seed=5, shocks=ShockPlan(turns=()))
    facts = [node.text for node in knowledge_load("continuity", scenario).nodes]
    overtaken = next(text for text in facts if f" {old} " in text)

    assert debate.details["shocks"][0]["variant"] == 1
    assert overtaken in " ".join(turn.text for turn in quiet.floor.turns)
    assert overtaken not in " ".join(turn.text for turn in debate.floor.turns)
    assert debate.details["allocation"]["requests"]["continuity"] == now


OUTCOMES = [(scenario, seed) for scenario in SCENARIOS for seed in (106, 126, 128)]


@pytest.mark.parametrize(("scenario", "seed"), OUTCOMES)
def test_a_debate_that_agrees_is_published_and_one_that_does_not_diverges(
    scenario: str, seed: int
) -> None:
    debate = held(scenario, seed)
    assert debate.trace is not None
    config = GateConfig()

    result = gate(
        debate.trace,
        config=config,
        models=models_from_config(config, environment={}),
        journal=MemoryJournal(),
    )

    agreed = bool(debate.details["verdict"])
    assert agreed == (seed == 106)
    assert result.outcome is (Outcome.SYNTHESIS if agreed else Outcome.DIVERGENCE)


def test_a_zero_sum_shock_makes_the_conflict_high_and_a_plan_impossible() -> None:
    sharp = ShockPlan(kinds=(ShockKind.ZERO_SUM,))
    for scenario in SCENARIOS:
        debate = offline(scenario=scenario, shocks=sharp)

        assert debate.details["conflict"] == {"level": "high", "rule": "zero_sum"}
        assert debate.details["verdict"] == {}


def test_the_papers_looser_rule_is_there_by_name() -> None:
    # Seed 117: two cascading risks of high severity and no zero-sum shock.
    strict, loose = offline(seed=117), offline(seed=117, conflict_rule="paper")

    assert (strict.details["conflict"]["level"], loose.details["conflict"]["level"]) == (
        "low",
        "high",
    )
    assert strict.trace is not None
    assert strict.trace.conflict_level == "low"


def test_records_name_the_rules_as_what_they_are() -> None:
    debate = held("energy", 3)

    named = {one["name"] for one in debate.details["debaters"].values()}
    assert named == {RULE_DEBATER_NAME}
    assert all(one["offline"] for one in debate.details["debaters"].values())
    journal = MemoryJournal()
    offline(journal=journal, turns=3)
    assert {_model(record) for record in journal.records} == {RULE_DEBATER_NAME}


def _model(record: CallRecord) -> str:
    return str(record.request["model"])


def test_the_trace_can_be_read_back_and_holds_plans_axioms_and_shocks() -> None:
    debate = held("orbital", 126)
    assert debate.trace is not None

    again = import_trace(trace_to_bytes(debate.trace), file_name="trace.json")

    assert again == debate.trace
    assert len(again.shocks) == 2
    assert all(turn.private_trace for turn in again.turns)
    assert {one.kind for one in again.documents} == {"axiom"}
    used = Counter(name for turn in again.turns for name in turn.evidence)
    assert set(used) == {document.id for document in again.documents}


def test_rounds_that_bring_nothing_new_end_a_long_debate_with_equal_turns() -> None:
    debate = offline(turns=60, seed=5)

    assert debate.end.reason is StopReason.NOTHING_NEW
    assert set(Counter(turn.speaker for turn in debate.floor.turns).values()) == {
        debate.end.rounds_held
    }


def test_shocks_after_the_last_turn_are_left_out_and_it_is_said() -> None:
    debate = offline(turns=6)

    assert [shock["turn"] for shock in debate.details["shocks"]] == [4]
    assert debate.floor.warnings == ["shocks before turns 8 are left out: 6 turns"]


def test_a_trace_is_held_by_one_function() -> None:
    trace = committee_trace(scenario="orbital", seed=126)

    assert trace == held("orbital", 126).trace
    with pytest.raises(ConfigError, match="turns: found 4"):
        committee_trace(turns=4)
