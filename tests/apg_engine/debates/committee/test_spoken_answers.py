"""The committee spoken by models: answers that fail, are no plan, or say what must not be said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apg_engine.calls import CallStatus, ChatReply
from apg_engine.debates.committee.knowledge import MODULES, knowledge_load
from apg_engine.debates.records import AnswerStatus
from apg_engine.debates.stopping import StopReason
from tests.apg_engine.debates.committee.sessions import (
    PLAN,
    Interrupted,
    silent,
    spoken,
)
from tests.fakes.debating import DebatingModel


def three() -> dict[str, DebatingModel]:
    return {module: DebatingModel(f"model of {module}") for module in MODULES}


def test_a_module_that_stays_silent_ends_the_debate_with_that_reason() -> None:
    model = silent()
    debate = spoken({"protection": model})

    assert debate.end.reason is StopReason.EMPTY
    assert not debate.end.is_whole
    assert [turn.speaker for turn in debate.floor.turns] == ["continuity"]
    # A plan and a turn, each asked for twice.
    assert len(model.requests) == 4
    assert debate.trace is not None
    assert debate.trace.warnings[0].startswith("partial debate (empty)")


def test_modules_that_only_thank_each_other_are_stopped() -> None:
    thanks = dict.fromkeys(range(4, 40, 2), "Thank you all, well said!")
    debate = spoken({module: Interrupted(thanks) for module in MODULES}, turns=30)

    assert debate.end.reason is StopReason.NOTHING_NEW
    assert debate.end.rounds_held <= 3


def test_one_silence_is_asked_again_and_later_turns_work() -> None:
    debate = spoken({"structure": Interrupted({2: ""})})

    assert debate.end.reason is StopReason.MAX_ROUNDS
    assert len(debate.floor.turns) == 12
    failed = [one for one in debate.floor.calls.answers if one.status is AnswerStatus.EMPTY]
    assert [(one.role, one.purpose) for one in failed] == [("structure", "turn")]


def test_a_failed_call_leaves_no_turn_and_its_words_reach_nobody() -> None:
    words = "Error generating response after 15 attempts: overloaded"
    broken = ChatReply(CallStatus.UNAVAILABLE, text=words, detail=words)
    models = {**three(), "protection": Interrupted({2: broken})}
    debate = spoken(models)

    assert debate.end.reason is StopReason.UNAVAILABLE
    assert [turn.number for turn in debate.floor.turns] == [1]
    assert all(words not in turn.text for turn in debate.floor.turns)
    assert debate.floor.calls.answers[-1].status is AnswerStatus.UNAVAILABLE


def test_a_refused_turn_is_asked_for_once() -> None:
    model = Interrupted({2: ChatReply(CallStatus.REFUSED, detail="I cannot")})
    debate = spoken({"continuity": model})

    assert debate.end.reason is StopReason.REFUSED
    assert len(model.requests) == 2
    assert debate.trace is None


def test_a_refused_plan_leaves_a_turn_without_one_and_says_so() -> None:
    debate = spoken({"continuity": Interrupted({3: ChatReply(CallStatus.REFUSED)})})

    fourth = debate.floor.turns[3]
    assert debate.end.reason is StopReason.MAX_ROUNDS
    assert fourth.private == ""
    assert "turn 4: no private plan could be read" in fourth.warnings


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"intent": "attack"}, "intent is 'attack'"),
        ({"attack_surface": "weakness"}, "attack_surface is 'weakness'"),
        ({"retrieved_axioms": ["pmid:99999999"]}, "retrieved_axioms names pmid:99999999"),
        ({"retrieved_axioms": ["protection:b1"]}, "retrieved_axioms names protection:b1"),
        ({"retrieved_axioms": "b1"}, "allowed: a list of texts"),
        ({"target_claim": "Nobody said this."}, "target_claim is 'Nobody said this.'"),
        ({"anticipated_counter": None}, "anticipated_counter is None"),
    ],
)
def test_a_plan_with_invented_or_unknown_values_is_unparsed(
    change: dict[str, Any], complaint: str
) -> None:
    # Call 3 is the first plan of a module that has opponents' turns before it.
    bad = json.dumps({**PLAN, "target_claim": "Log entry", **change})
    debate = spoken({"continuity": Interrupted({3: bad, 4: bad})})

    told = [one for one in debate.floor.calls.answers if one.status is AnswerStatus.UNPARSED]
    assert len(told) == 2
    assert complaint in told[0].detail
    assert debate.floor.turns[3].private == ""


def test_a_plan_in_prose_is_not_fished_for() -> None:
    prose = f"Here is my plan: {json.dumps(PLAN)}"
    debate = spoken({"continuity": Interrupted({1: prose, 2: prose})}, turns=3)

    assert debate.floor.turns[0].private == ""


def test_speaking_for_another_module_is_noticed() -> None:
    bleeding = "Structure Module: The dispatch chain must receive at least 22 MWh."
    debate = spoken({"continuity": Interrupted({4: bleeding})})

    warnings = debate.floor.turns[3].warnings
    assert any("speaks as Structure Module (persona bleed)" in told for told in warnings)


def test_a_plan_that_is_said_aloud_is_noticed() -> None:
    leak = "They will ask who pays for the difference in the end, we think."
    debate = spoken({"continuity": Interrupted({4: leak})})

    told = " ".join(debate.floor.turns[3].warnings)
    assert "turn 4 quotes the private plan of turn" in told
    assert debate.trace is not None
    assert any("quotes the private plan" in warning for warning in debate.trace.warnings)


def test_a_belief_that_is_said_aloud_is_noticed_and_told_whose_it_is() -> None:
    own = knowledge_load("continuity", "energy").nodes[0].text
    foreign = knowledge_load("protection", "energy").nodes[0].text
    debate = spoken({"continuity": Interrupted({4: own, 6: foreign})})

    assert "its own belief continuity:b1" in " ".join(debate.floor.turns[3].warnings)
    told = " ".join(debate.floor.turns[6].warnings)
    assert "another module's belief protection:b1" in told
    assert "persona bleed" in told


def test_words_put_into_another_modules_mouth_are_noticed() -> None:
    said = "The Structure Module states that the control ring must receive at least 21 MWh."
    nobody = "The Structure Module says that the harbour has burnt down."
    debate = spoken({"protection": Interrupted({4: said, 6: nobody})})

    assert "turn 5 misattributes" in " ".join(debate.floor.turns[4].warnings)
    told = " ".join(debate.floor.turns[7].warnings)
    assert "attributes to Structure Module what the record does not hold" in told


def test_a_plan_beyond_the_budget_is_noticed_by_arithmetic() -> None:
    plan = (
        "The 60 MWh should be shared as 28 MWh for the control ring, 30 MWh for the warm houses "
        "and 22 MWh for the dispatch chain."
    )
    debate = spoken({"structure": Interrupted({8: plan})})

    assert "turn 12 shares out 80 of 60 MWh" in debate.floor.turns[11].warnings
    assert debate.details["allocation"]["plan"] == {}
