"""Branches of a debate's calls: fixed numbers, one record of each call, one budget."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from apg_engine import FileJournal, JournalError, MemoryJournal
from apg_engine.calls import ChatReply, ChatRequest
from apg_engine.debates.budget import DebateLimits, ScopeSpentError
from apg_engine.debates.calls import DebateCalls
from apg_engine.debates.fan_out import Threads, one_by_one
from apg_engine.debates.records import Answer
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.spending.budget import Limits
from tests.apg_engine.debates.calling import judge, line


def branch_judges(calls: DebateCalls, models: list[Any], fan_out: Any) -> list[Answer]:
    lines = calls.branches(len(models), most_calls=2)
    answers: list[Answer] = fan_out(
        [
            lambda at=at: judge(lines[at], models[at], role=f"judge {at}")
            for at in range(len(models))
        ]
    )
    calls.join(lines)
    return answers


@pytest.mark.parametrize("fan_out", [one_by_one, Threads(3)])
def test_branches_have_fixed_numbers_whatever_order_they_end_in(fan_out: Any) -> None:
    journal = MemoryJournal()
    calls = line(journal)
    judge(calls, ScriptedModel(["mined"]), role="miner")
    answers = branch_judges(calls, [ScriptedModel([f"ballot {at}"]) for at in range(3)], fan_out)
    last = judge(calls, ScriptedModel(["done"]), role="clerk")

    assert [answer.row for answer in answers] == [2, 4, 6]
    assert [answer.text for answer in answers] == ["ballot 0", "ballot 1", "ballot 2"]
    assert last.row == 8
    assert sorted(record.sequence for record in journal.records) == [1, 2, 4, 6, 8]
    assert [answer.row for answer in calls.answers] == [1, 2, 4, 6, 8]


def test_a_replay_of_branches_asks_nobody() -> None:
    journal = MemoryJournal()
    first = branch_judges(line(journal), [ScriptedModel([f"{at}"]) for at in range(3)], Threads(3))

    again = branch_judges(line(journal), [ScriptedModel([]) for _ in range(3)], one_by_one)

    assert again == first


def test_equal_prompts_to_different_models_are_different_calls() -> None:
    journal = MemoryJournal()
    models = [ScriptedModel([f"from {at}"], name=f"model {at}") for at in range(3)]

    answers = branch_judges(line(journal), models, one_by_one)

    assert [len(model.requests) for model in models] == [1, 1, 1]
    assert len({record.request_sha256 for record in journal.records}) == 3
    assert len({answer.text for answer in answers}) == 3


def test_a_branch_cannot_use_the_numbers_of_the_next_one() -> None:
    calls = line()
    branch, _ = calls.branches(2, most_calls=1)
    judge(branch, ScriptedModel(["a", "b"]))

    with pytest.raises(JournalError, match="no sequence number is left for ballot"):
        judge(branch, ScriptedModel(["a", "b"]))


def test_what_a_branch_has_recorded_counts_before_another_one_spends() -> None:
    journal = MemoryJournal()
    limits = DebateLimits(run=Limits(calls=2))
    lines = line(journal).branches(3, most_calls=1)
    for at in (1, 2):
        judge(lines[at], ScriptedModel(["yes"]), role=f"judge {at}")

    calls = line(journal, limits)
    with pytest.raises(ScopeSpentError, match="run: budget of 2 calls is spent"):
        branch_judges(calls, [ScriptedModel(["yes"]) for _ in range(3)], one_by_one)


def test_threads_never_spend_more_than_there_is() -> None:
    models = [ScriptedModel(["yes"]) for _ in range(8)]
    calls = line(limits=DebateLimits(run=Limits(calls=5)))
    lines = calls.branches(8, most_calls=1)
    spent: list[str] = []

    def one(at: int) -> None:
        try:
            judge(lines[at], models[at], role=f"judge {at}")
        except ScopeSpentError as error:
            spent.append(error.scope)

    Threads(8)([lambda at=at: one(at) for at in range(8)])  # type: ignore[misc]

    assert sum(len(model.requests) for model in models) == 5
    assert spent == ["run"] * 3


def test_two_workers_on_one_call_leave_one_record_and_one_answer() -> None:
    journal = MemoryJournal()
    both = threading.Barrier(2)

    class Meeting(ScriptedModel):
        def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
            both.wait(timeout=20)
            return super().complete(request, ordinal=ordinal)

    def work(name: str) -> Answer:
        return judge(line(journal), Meeting([f"said to {name}"], name="same"))

    answers = Threads(2)([lambda: work("a"), lambda: work("b")])

    assert len(journal.records) == 1
    assert {answer.text for answer in answers} == {journal.records[0].reply}
    assert answers[0] == answers[1]


def test_an_interruption_loses_no_row_that_was_recorded(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal.jsonl")

    class Interrupting(ScriptedModel):
        def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
            raise KeyboardInterrupt

    models = [ScriptedModel(["a"]), Interrupting([]), ScriptedModel(["c"])]
    with pytest.raises(KeyboardInterrupt):
        branch_judges(line(journal), models, Threads(3))

    kept = FileJournal(tmp_path / "journal.jsonl")
    assert sorted(record.sequence for record in kept.records) == [1, 5]
    again = [ScriptedModel([]), ScriptedModel(["b"]), ScriptedModel([])]
    answers = branch_judges(line(kept), again, Threads(3))
    assert [answer.text for answer in answers] == ["a", "b", "c"]
