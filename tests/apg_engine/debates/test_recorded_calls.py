"""What recorded calls cost, and rows that were changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from apg_engine import CallRecord, FileJournal, JournalError, MemoryJournal
from apg_engine.calls import CallStatus, ChatReply, Usage
from apg_engine.debates.budget import DebateLimits, ScopeSpentError
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.spending.budget import Limits
from apg_engine.spending.prices import Price, PriceTable
from tests.apg_engine.debates.calling import judge, line


def priced() -> PriceTable:
    return PriceTable("EUR", (Price("", "known", 1_000_000, 1_000_000, "a test", "2026-01-01"),))


def test_a_limit_on_cost_counts_what_calls_cost() -> None:
    reply = ChatReply(CallStatus.OK, "yes", usage=Usage(10, 2))
    calls = line(limits=DebateLimits(run=Limits(cost=200.0)), prices=priced())
    model = ScriptedModel([reply] * 99, name="known")

    def spend() -> None:
        for _ in range(99):
            judge(calls, model)

    with pytest.raises(ScopeSpentError, match="budget of 200 cost"):
        spend()
    # A call may cost 60 for its answer and a third of its prompt's characters; each took 12.
    assert 5 <= len(model.requests) <= 12


def test_a_corrupt_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    judge(line(FileJournal(path)), ScriptedModel(["yes"]))
    path.write_bytes(path.read_bytes().replace(b'"yes"', b'"yea"'))

    with pytest.raises(JournalError, match="line 1: the chain is broken"):
        FileJournal(path)


def test_a_row_that_lost_a_field_is_refused() -> None:
    journal = MemoryJournal()
    judge(line(journal), ScriptedModel(["yes"]))
    data = journal.records[0].to_dict()
    del data["reply"]

    with pytest.raises(JournalError, match="cannot be read"):
        CallRecord.from_dict(data)
