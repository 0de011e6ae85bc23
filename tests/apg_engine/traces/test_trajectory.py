"""Each irregularity seen in the paper's trajectory files, in samples of our own.

The numbers in the names are those of the list the importer was written from.
"""

from __future__ import annotations

import pytest

from apg_engine.errors import TraceError
from apg_engine.traces import import_trace, trace_to_bytes
from tests.apg_engine.traces.samples import (
    AXIOM,
    Document,
    imported,
    logged_shock,
    logged_turn,
    strategy_json,
    trajectory,
    turn_metadata,
    with_metadata,
)


def test_it_reads_turns_agents_shocks_axioms_and_source() -> None:
    trace = imported(trajectory(), file_name="run_04.json")
    assert [(t.number, t.speaker) for t in trace.turns] == [(1, "oak"), (2, "elm"), (3, "ash")]
    assert [(a.id, a.name) for a in trace.agents] == [
        ("oak", "OAK"),
        ("elm", "ELM"),
        ("ash", "ASH"),
    ]
    assert trace.crisis_context.startswith("The well holds 30 litres.")
    assert [d.text for d in trace.documents] == [AXIOM]
    assert trace.documents[0].kind == "axiom"
    assert trace.turns[2].evidence == (trace.documents[0].id,)
    assert trace.source.format == "apg-paper-trajectory"
    assert trace.conflict_level == "low"
    assert trace.warnings == ()


def test_an_imported_trajectory_can_be_written_in_the_own_format() -> None:
    trace = imported(trajectory())
    assert import_trace(trace_to_bytes(trace), file_name="copy.json") == trace


# 1
def test_01_equal_legacy_twins_are_read_once_and_differing_ones_warned_of() -> None:
    other = strategy_json(retrieved_axioms=["Another axiom entirely."])
    trace = imported(
        with_metadata(turn_metadata(), turn_metadata(privatestrategyjson=other, ragdocscount=1))
    )
    assert [d.text for d in trace.documents] == [AXIOM]
    assert [w for w in trace.warnings if "legacy twin" in w] == [
        f"turn_logs[1].metadata.{name} differs from its legacy twin "
        f"turn_logs[1].metadata.{twin}; the first was read"
        for name, twin in (
            ("private_strategy_json", "privatestrategyjson"),
            ("rag_docs_count", "ragdocscount"),
        )
    ]


def test_01_a_legacy_key_stands_in_where_the_canonical_one_is_absent() -> None:
    metadata = turn_metadata(cfflags={"fallback": True})
    del metadata["private_strategy_json"], metadata["cf_flags"]
    trace = imported(with_metadata(metadata))
    assert [d.text for d in trace.documents] == [AXIOM]
    assert trace.turns[0].private_is_boilerplate


# 2
@pytest.mark.parametrize(
    ("flags", "boilerplate"),
    [
        ({"activated": False, "turn_idx": 0}, False),
        (
            {
                "activated": True,
                "turn_idx": 2,
                "cfr_mode": "kg_cfr_full",
                "identity_ok": True,
                "leak_risk": False,
                "doctrinal_drift": False,
            },
            False,
        ),
        ({"activated": True, "turn_idx": 6, "cfr_mode": "kg_cfr_full", "fallback": True}, True),
        (None, False),
        ([], False),
        ({"fallback": "no"}, False),
    ],
)
def test_02_flags_come_in_three_shapes_and_worse(flags: object, *, boilerplate: bool) -> None:
    trace = imported(with_metadata(turn_metadata(cf_flags=flags)))
    assert trace.turns[0].private_is_boilerplate is boilerplate


# 3
def test_03_the_zero_based_turn_index_never_stands_in_for_the_turn_number() -> None:
    turns = [
        logged_turn(
            number, "oak", f"M{number}.", metadata=turn_metadata(cf_flags={"turn_idx": number - 1})
        )
        for number in (1, 2, 3)
    ]
    trace = imported(trajectory(turns=turns))
    assert [t.number for t in trace.turns] == [1, 2, 3]
    assert trace.shocks[0].turn == 3


def test_06_measures_that_are_always_null_are_not_missed() -> None:
    metadata = turn_metadata(kg_latency_ms=None, kg_fallback_reason="")
    turn = logged_turn(1, "oak", "Hello.", response_time_ms=None, metadata=metadata)
    assert imported(trajectory(turns=[turn], shocks=[])).warnings == ()


# 7
def test_07_one_turn_more_than_debate_turns_says_is_no_loss() -> None:
    assert imported(trajectory(metadata={"debate_turns": 2})).warnings == ()


def test_07_fewer_turns_than_the_statistics_count_are_warned_of() -> None:
    document = trajectory()
    del document["turn_logs"][1]
    document["shock_logs"] = []
    assert imported(document).warnings == (
        "turn numbers 1, 3 became 1 to 2",
        "session_info.statistics.total_turns is 3 but the file holds 2",
        "session_info.statistics.total_shocks is 1 but the file holds 0",
    )


# 8, 9, 10, 12, 13
def test_08_to_13_opponents_claims_are_views_and_leave_no_mark_in_the_trace() -> None:
    claims = [
        {
            "opponent_module_id": "elm",
            "opponent_label": "ELM",
            "claims": [
                {"claim_id": "claim_01", "claim_text": "(no recent message available)"},
                {"claim_id": "claim_02", "claim_text": "2."},
                {"claim_id": "claim_03", "claim_text": "Policy: 1."},
                {"claim_id": "claim_01", "claim_text": 'Water first." **Then * bread.** 3.'},
            ],
        }
    ]
    plain = trajectory()
    claimed = trajectory()
    for turn in claimed["turn_logs"]:
        turn["metadata"]["opponent_claims"] = claims
    first, second = imported(plain), imported(claimed)
    assert first.turns == second.turns
    assert first.documents == second.documents
    assert "claim_0" not in trace_to_bytes(second).decode()


# 11
def test_11_markdown_tags_and_claim_numbers_stay_byte_for_byte() -> None:
    text = (
        "ASH Identity:\n\n**Stance:**\n\n1.  **Wells** `first`\n*   [claim_05], ([claim_01], "
        "[claim_02]), **Claim_05**, (claims_08, claims_11), [claim_01] through [claim_16]\n"
        "[Zero-sum allocation] <cfr_turn_strategy>\r\n \t\N{EN DASH}end"
    )
    trace = imported(trajectory(turns=[logged_turn(1, "ash", text)], shocks=[]))
    assert trace.turns[0].text == text


# Turns
@pytest.mark.parametrize(
    ("change", "place", "allowed"),
    [
        ({"message_content": "  "}, "turn_logs[1].message_content", "not empty"),
        ({"message_content": None}, "turn_logs[1].message_content", "a text"),
        ({"module_id": ""}, "turn_logs[1].module_id", "not empty"),
        ({"turn_number": "two"}, "turn_logs[1].turn_number", "a whole number"),
    ],
)
def test_a_turn_that_cannot_be_read_is_refused_at_its_place(
    change: Document, place: str, allowed: str
) -> None:
    document = trajectory()
    document["turn_logs"][1].update(change)
    with pytest.raises(TraceError) as caught:
        imported(document)
    assert caught.value.place == place
    assert allowed in caught.value.allowed


@pytest.mark.parametrize("turns", [[], None, {}])
def test_a_trajectory_without_turns_is_refused(turns: object) -> None:
    with pytest.raises(TraceError) as caught:
        imported(trajectory() | {"turn_logs": turns})
    assert caught.value.place == "turn_logs"


def test_two_turns_of_one_number_are_renumbered_with_a_warning_and_none_is_lost() -> None:
    turns = [logged_turn(1, "oak", "A."), logged_turn(1, "elm", "B."), logged_turn(2, "ash", "C.")]
    trace = imported(trajectory(turns=turns, shocks=[logged_shock(2)]))
    assert [t.text for t in trace.turns] == ["A.", "B.", "C."]
    assert trace.shocks[0].turn == 3
    assert trace.warnings == ("turn numbers 1, 1, 2 became 1 to 3",)


def test_many_odd_turn_numbers_are_listed_in_short() -> None:
    turns = [logged_turn(number, "oak", "A.") for number in range(0, 40, 2)]
    trace = imported(trajectory(turns=turns, shocks=[]))
    assert trace.warnings == (
        "turn numbers 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, ... became 1 to 20",
    )


def test_a_speaker_with_two_labels_keeps_the_first_with_a_warning() -> None:
    turns = [logged_turn(1, "oak", "A."), logged_turn(2, "oak", "B.", module_label="Oak Tree")]
    trace = imported(trajectory(turns=turns, shocks=[]))
    assert [a.name for a in trace.agents] == ["OAK"]
    assert "also called 'Oak Tree'" in trace.warnings[0]
