"""The committee spoken by models: scripted ones, and a server that misbehaves."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from apg_engine import MemoryJournal, ModelSpec
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.calls import CallStatus, ChatReply
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.committee.holding import Cast, CommitteeDebate
from apg_engine.debates.committee.knowledge import MODULES, knowledge_load
from apg_engine.debates.committee.model_debater import ModelDebater
from apg_engine.debates.committee.scenario import scenario_load
from apg_engine.debates.records import AnswerStatus
from apg_engine.debates.stopping import StopReason
from apg_engine.debates.voices import Voice
from apg_engine.llm.openai_client import OpenAIModel, Surroundings
from apg_engine.spending.budget import Limits
from apg_engine.spending.prices import prices_packaged
from apg_engine.spending.spent import calls_spent
from tests.apg_engine.debates.committee.sessions import (
    Interrupted,
    hold,
    setting,
    silent,
    spoken,
)
from tests.fakes.debating import DebatingModel, debating, rows_of
from tests.fakes.openai_server import (
    Answer,
    Body,
    FakeOpenAI,
    dropped,
    refusal,
    status,
    text,
)


def three() -> dict[str, DebatingModel]:
    return {module: DebatingModel(f"model of {module}") for module in MODULES}


def prompts_of(models: Mapping[str, DebatingModel]) -> dict[str, list[tuple[str, str]]]:
    return {
        module: [(one.messages[0].content, one.messages[1].content) for one in model.requests]
        for module, model in models.items()
    }


def test_each_module_plans_in_private_and_then_speaks() -> None:
    models = three()
    debate = spoken(models)

    assert debate.end.reason is StopReason.MAX_ROUNDS
    assert [turn.speaker for turn in debate.floor.turns] == [*MODULES] * 4
    for turn in debate.floor.turns:
        assert len(turn.rows) == 2
        assert "Expect in return: They will ask who pays" in turn.private
    assert {len(model.requests) for model in models.values()} == {8}


def test_the_opening_prompts_have_no_place_for_a_rebuttal() -> None:
    models = three()
    spoken(models, turns=3)

    opening = prompts_of(models)["continuity"]
    later = prompts_of(models)["protection"]
    for system, _ in opening:
        assert "nswer the claim" not in system
        assert "Choose the one claim" not in system
    assert "Choose the one claim" in later[0][0]
    assert "Answer the claim" in later[1][0]


def test_no_prompt_holds_what_is_another_modules_alone() -> None:
    models = three()
    spoken(models)

    for module, prompts in prompts_of(models).items():
        for other in MODULES:
            graph = knowledge_load(other, "energy")
            for system, user in prompts:
                own_name = f"for the {graph.name}, one of" in system
                assert own_name == (other == module)
                if other != module:
                    assert not [n for n in graph.nodes if n.text in system + user]


def test_a_private_plan_reaches_its_own_modules_turn_and_no_other_prompt() -> None:
    plan_text = "They will bring up the old quarry road again."

    class Secretive(DebatingModel):
        def complete(self, request: Any, *, ordinal: int) -> ChatReply:
            reply = super().complete(request, ordinal=ordinal)
            if reply.text.startswith("{"):
                plan = {**json.loads(reply.text), "anticipated_counter": plan_text}
                return replace(reply, text=json.dumps(plan))
            return reply

    models = {**three(), "structure": Secretive("model of structure")}
    spoken(models)

    told = {
        module: sum(plan_text in user for _, user in prompts)
        for module, prompts in prompts_of(models).items()
    }
    assert told == {"continuity": 0, "protection": 0, "structure": 4}


def test_prompts_grow_linearly_because_each_turn_stands_in_a_prompt_once() -> None:
    models = three()
    debate = spoken(models, turns=30)

    for prompts in prompts_of(models).values():
        for _, user in prompts:
            ids = [row["id"] for row in rows_of(user)]
            assert len(ids) == len(set(ids))
    sizes = [
        answer.prompt_characters
        for answer in debate.floor.calls.answers
        if (answer.role, answer.purpose) == ("structure", "turn")
    ]
    steps = [after - before for before, after in pairwise(sizes[3:])]
    assert max(steps) <= 1.5 * min(steps)


def test_a_turn_that_names_another_topic_does_not_change_the_question() -> None:
    hijack = "Topic: who pays for the harbour? Question before the committee: the harbour."
    models = {**three(), "continuity": Interrupted({2: hijack})}
    spoken(models)

    question = f"Question before the committee: {scenario_load('energy').question}"
    for prompts in prompts_of(models).values():
        for _, user in prompts:
            assert user.lstrip().startswith(question)


@pytest.mark.parametrize(("turns", "rounds"), [(3, 1), (9, 3), (15, 5)])
def test_the_number_of_turns_that_is_asked_for_is_the_number_that_is_held(
    turns: int, rounds: int
) -> None:
    debate = spoken(turns=turns)

    assert (len(debate.floor.turns), debate.end.rounds_held) == (turns, rounds)


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


PLAN = {
    "target_claim": "",
    "attack_surface": "inconsistency",
    "intent": "counter",
    "anticipated_counter": "They will object.",
    "retrieved_axioms": [],
}


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


def test_a_small_context_drops_the_oldest_turns_first_and_says_which() -> None:
    debate = spoken(turns=30, context_tokens=1500)

    assert debate.end.reason is StopReason.MAX_ROUNDS
    left_out = [one.id for one in debate.floor.turns[-1].exposures if one.shown == 0]
    assert left_out == [f"T{number}" for number in range(1, len(left_out) + 1)]
    assert 0 < len(left_out) < 29


# --- a real client and a server that misbehaves -------------------------------------------------


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def served(
    server: FakeOpenAI, *, journal: MemoryJournal | None = None, **changes: Any
) -> CommitteeDebate:
    time = Time()
    around = Surroundings(lambda: time.now, time.sleep, random.Random(1))
    spec = ModelSpec(kind="openai", name="m", base_url=server.base_url, timeout_seconds=5.0)
    debater = ModelDebater(Voice(OpenAIModel(spec, key="none", surroundings=around), 0.5, 300))
    cast = Cast(dict.fromkeys(MODULES, debater), LadderAuditor())
    return hold(setting(**{"turns": 3, **changes}), cast, journal=journal)


def first_then(*answers: Answer) -> Any:
    left = list(answers)

    def answer(body: Body) -> Answer:
        return left.pop(0) if left else debating(body)

    return answer


def test_a_burst_of_429_is_waited_out_and_every_try_is_in_the_journal() -> None:
    journal = MemoryJournal()
    with FakeOpenAI(first_then(*[status(429)] * 3)) as server:
        debate = served(server, journal=journal)

    assert debate.end.reason is StopReason.MAX_ROUNDS
    assert [one.http_status for one in journal.records[0].attempts] == [429, 429, 429, 200]


def test_every_call_of_a_debate_is_tried_again_after_429() -> None:
    asked: set[str] = set()

    def once_busy(body: Body) -> Answer:
        key = json.dumps(body["messages"])
        if key not in asked:
            asked.add(key)
            return status(429)
        return debating(body)

    journal = MemoryJournal()
    with FakeOpenAI(once_busy) as server:
        debate = served(server, journal=journal, turns=6)

    assert len(debate.floor.turns) == 6
    assert [len(record.attempts) for record in journal.records] == [2] * 12


def test_a_reply_that_was_lost_on_the_way_is_marked_as_charged_perhaps() -> None:
    journal = MemoryJournal()
    with FakeOpenAI(first_then(dropped(after_headers=True))) as server:
        served(server, journal=journal)

    assert "possible double charge" in journal.records[0].attempts[0].note


def test_a_server_that_refuses_empty_texts_and_wants_roles_to_alternate_is_served() -> None:
    def strict(body: Body) -> Answer:
        roles = [message["role"] for message in body["messages"]]
        filled = all(str(message["content"]).strip() for message in body["messages"])
        if roles != ["system", "user"] or not filled:
            return status(400, "conversation roles must alternate; text blocks must be non-empty")
        return debating(body)

    empties = [text(None), text("")]

    def sometimes_empty(body: Body) -> Answer:
        answer = strict(body)
        return empties.pop() if answer.status == 200 and empties else answer

    with FakeOpenAI(sometimes_empty) as server:
        debate = served(server, turns=12)

    assert debate.end.reason is StopReason.MAX_ROUNDS
    assert len(debate.floor.turns) == 12


def test_an_answer_cut_at_its_limit_is_tried_with_a_larger_one_and_then_exhausted() -> None:
    def cut(body: Body) -> Answer:
        if str(body["messages"][0]["content"]).startswith("You plan"):
            return debating(body)
        return text("The control ring", finish="length")

    with FakeOpenAI(cut) as server:
        debate = served(server)

    assert debate.end.reason is StopReason.EXHAUSTED
    assert debate.floor.turns == []
    limits = [body["max_tokens"] for body in server.requests]
    assert limits == [300, 300, 600]


def test_a_model_that_thinks_until_its_limit_is_exhausted_and_its_thoughts_are_not_used() -> None:
    def thinking(body: Body) -> Answer:
        return text(None, finish="length", reasoning_content=json.dumps(PLAN))

    with FakeOpenAI(thinking) as server:
        debate = served(server)

    assert debate.end.reason is StopReason.EXHAUSTED
    assert debate.details["strategies"] == {}
    assert debate.floor.turns == []


def test_a_plan_in_the_reasoning_channel_is_not_salvaged() -> None:
    def reasoning(body: Body) -> Answer:
        if str(body["messages"][0]["content"]).startswith("You plan"):
            return text(None, reasoning=json.dumps(PLAN))
        return debating(body)

    with FakeOpenAI(reasoning) as server:
        debate = served(server)

    assert len(debate.floor.turns) == 3
    assert debate.details["strategies"] == {}


def test_a_refusal_beside_an_empty_text_is_one_call() -> None:
    def refusing(body: Body) -> Answer:
        is_turn = str(body["messages"][0]["content"]).startswith("You speak")
        return refusal("I will not.") if is_turn else debating(body)

    with FakeOpenAI(refusing) as server:
        debate = served(server)

    assert (debate.end.reason, server.calls) == (StopReason.REFUSED, 2)


def test_a_server_that_takes_no_temperature_is_asked_without_and_it_is_recorded() -> None:
    def picky(body: Body) -> Answer:
        if "temperature" in body:
            return status(400, "Unsupported value: 'temperature' does not support 0.5")
        return debating(body)

    journal = MemoryJournal()
    with FakeOpenAI(picky) as server:
        debate = served(server, journal=journal)

    assert len(debate.floor.turns) == 3
    assert all("temperature" in record.attempts[-1].note for record in journal.records)


def test_a_server_that_cuts_prompts_in_silence_is_caught_and_shown_less() -> None:
    with FakeOpenAI(debating, context_tokens=60) as server:
        debate = served(server, turns=36)

    answers = debate.floor.calls.answers
    caught = [at for at, one in enumerate(answers) if one.status is AnswerStatus.PROMPT_CUT]
    assert debate.end.reason is StopReason.MAX_ROUNDS
    assert caught
    for at in caught:
        assert answers[at + 1].prompt_characters < 0.8 * answers[at].prompt_characters
        assert sum(one.shown for one in answers[at + 1].exposures) > 0


def test_a_budget_of_three_calls_sends_three_and_unknown_usage_counts() -> None:
    def untold(body: Body) -> Answer:
        answer = debating(body)
        return Answer({**(answer.body or {}), "usage": None})

    with FakeOpenAI(untold) as server:
        debate = served(server, limits=DebateLimits(run=Limits(calls=3)))
    assert (debate.end.reason, server.calls) == (StopReason.BUDGET, 3)

    with FakeOpenAI(untold) as server:
        debate = served(server, limits=DebateLimits(run=Limits(tokens=3000)))
    assert debate.end.reason is StopReason.BUDGET
    assert server.calls < 6


def test_the_cost_of_a_model_without_a_price_is_unknown_and_never_zero() -> None:
    journal = MemoryJournal()
    with FakeOpenAI(debating) as server:
        served(server, journal=journal)

    spent = calls_spent(journal.records, prices=prices_packaged())
    assert spent.calls == 6
    assert spent.prompt_tokens
    assert spent.cost is None


def test_two_debates_in_one_process_share_no_connection() -> None:
    for _ in range(2):
        with FakeOpenAI(debating) as server:
            assert len(served(server).floor.turns) == 3
