"""A model whose context is too small: the written rule, what it leaves out, and where it ends."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apg_engine import (
    Document,
    GateConfig,
    GateResult,
    MemoryJournal,
    Models,
    Outcome,
    Trace,
    gate,
    result_from_dict,
    result_to_dict,
)
from apg_engine.auditors.llm import ModelAuditor
from apg_engine.evidence import evidence_fit
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.proposers.model import ModelProposer
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from tests.apg_engine.scripted_pair import Writer
from tests.apg_engine.test_model_roles import judged, verdict
from tests.apg_engine.traces_for_tests import trace_of

PUMP = "The pump draws 9 MW of power."
FILLER = tuple(f"Barge {n} carries {n} crates of apples upstream." for n in range(1, 121))


def long_debate() -> Trace:
    return trace_of(
        *FILLER[:60], PUMP, *FILLER[60:],
        documents=(Document("d1", "axiom", "A duty is owed to those who cannot move."),),
        private=("We would take 20 MW.",),
    )  # fmt: skip


def run(context_tokens: int) -> tuple[GateResult, ScriptedModel]:
    answer = judged(verdict("s1", address="T61.1", quote=PUMP))
    judge = ScriptedModel([answer, answer], name="judge")
    auditor = ModelAuditor(judge, temperature=0.0, max_tokens=100, context_tokens=context_tokens)
    result = gate(
        long_debate(),
        config=GateConfig(pairs=1),
        models=Models(Writer(PUMP), auditor),
        journal=MemoryJournal(),
    )
    return result, judge


def test_a_context_of_unknown_size_is_given_the_whole_record() -> None:
    result, judge = run(0)

    assert result.left_out == ()
    assert all(line in judge.requests[0].messages[-1].content for line in FILLER)


def test_what_ranks_first_and_is_nearest_is_shown_and_the_rest_is_recorded() -> None:
    result, judge = run(2_600)
    shown = judge.requests[0].messages[-1].content

    assert result.outcome is Outcome.SYNTHESIS
    assert PUMP in shown.split("The whole text")[0]
    assert "Only 40 MW of power remain" in shown
    [left] = result.left_out
    assert (left.pair, left.role) == (1, "auditor")
    assert {"A1.1", "P1.1"} <= set(left.addresses)
    assert "T61.1" not in left.addresses
    assert any("was not shown" in warning for warning in result.warnings)
    assert result_from_dict(json.loads(json.dumps(result_to_dict(result)))) == result


def test_a_context_without_room_for_a_sentence_is_a_typed_failure_and_no_call() -> None:
    result, judge = run(200)

    assert (result.outcome, result.reason) == (Outcome.NOT_JUDGED, "auditor_context_overflow")
    assert judge.requests == []


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 12_000))
def test_the_shown_part_never_exceeds_its_room_and_keeps_the_order(room: int) -> None:
    corpus = corpus_build(long_debate(), segment=segments_find, segmenter=SEGMENTER)

    found = evidence_fit(corpus, room=room, about=[PUMP])

    assert len(found.lines) <= room
    shown = [json.loads(line)["address"] for line in found.lines.split("\n") if line]
    order = [f"{i.address}.{n}" for i in corpus.items for n in range(1, len(i.segments) + 1)]
    assert shown == [address for address in order if address in shown]
    assert sorted([*shown, *found.left_out]) == sorted(order)


@pytest.mark.parametrize("bad", ["\x00", "\ud800"])
def test_characters_no_database_stores_are_replaced_at_the_door_and_named(bad: str) -> None:
    draft = f"The pump {bad}draws 9 MW."
    answer = judged(verdict("s1", "not_enough_information"))
    journal = MemoryJournal()
    result = gate(
        trace_of(PUMP),
        config=GateConfig(pairs=1),
        models=Models(
            ModelProposer(ScriptedModel([draft]), temperature=0.0, max_tokens=100),
            ModelAuditor(ScriptedModel([answer]), temperature=0.0, max_tokens=100),
        ),
        journal=journal,
    )

    assert result.baseline_text == "The pump \ufffddraws 9 MW."
    assert any("U+FFFD" in warning for warning in result.warnings)
    stored = json.dumps([record.to_dict() for record in journal.records], ensure_ascii=False)
    assert bad not in stored
    stored.encode("utf-8")
