"""Names and orders in the paper's trajectory files, old and new; numbers as in the list read."""

from __future__ import annotations

import pytest

from apg_engine.errors import TraceError
from apg_engine.records import ShockKind
from apg_engine.traces import import_trace, trace_to_bytes
from tests.apg_engine.traces.samples import (
    as_bytes,
    imported,
    logged_shock,
    logged_turn,
    trajectory,
)


# 15, 16
def test_15_and_16_a_trace_is_known_by_session_and_dilemma_not_by_stem_or_committee() -> None:
    first = imported(trajectory(), file_name="orchard/run_04.json")
    other = imported(trajectory(metadata={"dilemma_id": "harbour"}), file_name="run_04.json")
    assert first.title == "orchard, kg_cfr_full, exp_x_kg_cfr_full_004"
    assert other.title == "harbour, kg_cfr_full, exp_x_kg_cfr_full_004"
    assert "AEGIS" in first.crisis_context
    assert "AEGIS" not in first.title


def test_16_a_session_without_any_name_is_called_by_its_file() -> None:
    document = {"turn_logs": trajectory()["turn_logs"]}
    assert imported(document, file_name="run_04.json").title == "run_04.json"


# 17
def test_17_order_comes_from_turn_numbers_and_not_from_times() -> None:
    turns = [
        logged_turn(number, "oak", f"M{number}.", timestamp="2026-01-01T00:00:00")
        for number in (3, 1, 2)
    ]
    shocks = [
        logged_shock(3, shock_text="Second.", timestamp="2020-01-01T00:00:00"),
        logged_shock(2, shock_text="First.", timestamp="2030-01-01T00:00:00"),
    ]
    trace = imported(trajectory(turns=turns, shocks=shocks))
    assert [t.text for t in trace.turns] == ["M1.", "M2.", "M3."]
    assert [(s.turn, s.text) for s in trace.shocks] == [(2, "First."), (3, "Second.")]
    assert trace.warnings == ("turns stood out of order and were sorted by turn_number",)


# 18
def test_18_a_byte_order_mark_a_last_newline_and_their_absence_are_one() -> None:
    data = as_bytes(trajectory())
    turns = import_trace(data, file_name="a.json").turns
    assert import_trace(b"\xef\xbb\xbf" + data + b"\n", file_name="a.json").turns == turns


# 19
def test_19_concepts_found_inside_other_words_are_not_read() -> None:
    turn = logged_turn(1, "oak", "Preserve the trees.", concepts_mentioned=["reserve"])
    trace = imported(trajectory(turns=[turn], shocks=[]))
    assert '"reserve"' not in trace_to_bytes(trace).decode()


# 20
@pytest.mark.parametrize("speaker_key", ["team_id", "agent_name", "speaker", "module_label"])
@pytest.mark.parametrize("context_key", ["topic", "prompt", "crisis_context"])
def test_20_older_names_of_the_same_things_are_read(speaker_key: str, context_key: str) -> None:
    document = {
        "session_metadata": {"session_id": "old_1", "metadata": {"cfr_mode": "kgcfrfull"}},
        context_key: "The well holds 30 litres.",
        "turns": [
            {"turn_number": 1, speaker_key: "Oak", "message": "Water the trees."},
            {"turn_number": 2, speaker_key: "Elm", "message": "Water the nursery."},
        ],
        "shocks": [{"turn": 2, "category": "zero_sum", "severity": "low", "text": "One bucket."}],
    }
    trace = imported(document)
    assert trace.title == "kg_cfr_full, old_1"
    assert trace.crisis_context == "The well holds 30 litres."
    assert [(t.speaker, t.text) for t in trace.turns] == [
        ("Oak", "Water the trees."),
        ("Elm", "Water the nursery."),
    ]
    assert trace.shocks[0].kind is ShockKind.ZERO_SUM


def test_20_turns_alone_are_known_by_their_shape() -> None:
    document = {"turns": [{"speaker": "Oak", "message": "Water the trees."}]}
    trace = imported(document, file_name="old.json")
    assert trace.title == "old.json"
    assert trace.conflict_level == ""
    assert trace.crisis_context == ""
    assert trace.warnings == ("turns[0].turn_number is missing; the place in the list was taken",)


@pytest.mark.parametrize(
    ("alias", "condition"),
    [
        ("kgcfrfull", "kg_cfr_full"),
        ("knowledge-grounded", "kg_cfr_full"),
        ("prompt-only", "cfr_no_kg"),
        ("none", "no_cfr_baseline"),
        ("something new", "something new"),
    ],
)
def test_20_conditions_have_aliases(alias: str, condition: str) -> None:
    trace = imported(trajectory(metadata={"condition_label": alias}))
    assert trace.title == f"orchard, {condition}, exp_x_kg_cfr_full_004"


def test_20_the_papers_own_synthesis_is_no_turn_of_the_debate() -> None:
    document = trajectory()
    document["turn_logs"].append(
        {
            "turn_number": 4,
            "phase": "phase4_synthesis",
            "module_id": "phase4",
            "message_content": '{"status": "DIVERGENCE_REPORT"}',
        }
    )
    trace = imported(document)
    assert len(trace.turns) == 3
    assert [a.id for a in trace.agents] == ["oak", "elm", "ash"]
    assert trace.warnings == (
        "turn_logs[3] is a phase4_synthesis record, not a turn; it was left out",
    )


def test_20_a_file_that_holds_only_the_synthesis_has_no_turns() -> None:
    turn = logged_turn(1, "phase4", "x", phase="phase4_synthesis")
    with pytest.raises(TraceError, match="no turn of a debate"):
        imported(trajectory(turns=[turn], shocks=[]))
