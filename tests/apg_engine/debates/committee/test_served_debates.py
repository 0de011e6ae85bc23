"""The committee through a real client and a server that misbehaves."""

from __future__ import annotations

import json
import random
from typing import Any

from apg_engine import MemoryJournal, ModelSpec
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.committee.holding import Cast, CommitteeDebate
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.model_debater import ModelDebater
from apg_engine.debates.records import AnswerStatus
from apg_engine.debates.stopping import StopReason
from apg_engine.debates.voices import Voice
from apg_engine.llm.openai_client import OpenAIModel, Surroundings
from apg_engine.spending.budget import Limits
from apg_engine.spending.prices import prices_packaged
from apg_engine.spending.spent import calls_spent
from tests.apg_engine.debates.committee.sessions import (
    PLAN,
    hold,
    setting,
)
from tests.fakes.debating import debating
from tests.fakes.openai_answers import Answer, Body, dropped, refusal, status, text
from tests.fakes.openai_server import FakeOpenAI


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
