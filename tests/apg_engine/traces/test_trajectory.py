"""Each irregularity seen in the paper's trajectory files, in samples of our own.

The numbers in the names are those of the list the importer was written from.
"""

from __future__ import annotations

import json

import pytest

from apg_engine.errors import TraceError
from apg_engine.records import ShockKind
from apg_engine.traces import import_trace, trace_to_bytes
from tests.apg_engine.traces.samples import (
    AXIOM,
    Document,
    as_bytes,
    empty_metadata,
    fallback_metadata,
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


# 4
@pytest.mark.parametrize(
    ("strategy", "axioms"),
    [
        ("", []),
        (strategy_json(retrieved_axioms=[]), []),
        (strategy_json(), [AXIOM]),
        (strategy_json(retrieved_axioms=["A tree bends.", "Roots hold the slo"]), None),
        (strategy_json(retrieved_axioms="A tree bends."), ["A tree bends."]),
        (strategy_json(retrieved_axioms=None), []),
        (json.loads(strategy_json()), [AXIOM]),
        (None, []),
    ],
)
def test_04_the_strategy_is_empty_a_json_text_or_an_object(
    strategy: object, axioms: list[str] | None
) -> None:
    metadata = turn_metadata(private_strategy_json=strategy, privatestrategyjson=strategy)
    trace = imported(with_metadata(metadata))
    expected = ["A tree bends.", "Roots hold the slo"] if axioms is None else axioms
    assert [d.text for d in trace.documents] == expected
    assert trace.warnings == ()


@pytest.mark.parametrize(
    ("strategy", "warning"),
    [
        ('{"retrieved_axioms": ["cut', "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ('["a list"]', "is no JSON object"),
        (17, "is no JSON object"),
    ],
)
def test_04_a_strategy_that_cannot_be_read_is_warned_of_and_costs_no_turn(
    strategy: object, warning: str
) -> None:
    metadata = turn_metadata(private_strategy_json=strategy, privatestrategyjson=strategy)
    trace = imported(with_metadata(metadata))
    assert trace.documents == ()
    assert trace.turns[0].private_trace.startswith("Answer the frost")
    assert any(warning in line for line in trace.warnings)


def test_04_an_axiom_that_is_no_text_is_left_out_with_a_warning() -> None:
    strategy = strategy_json(retrieved_axioms=[AXIOM, {"quote": "x"}, ""])
    metadata = turn_metadata(private_strategy_json=strategy, privatestrategyjson=strategy)
    trace = imported(with_metadata(metadata))
    assert [d.text for d in trace.documents] == [AXIOM]
    assert trace.warnings == ("turn_logs[0].metadata: an axiom that is no text was left out",)


def test_04_axioms_are_also_read_from_the_keys_beside_the_strategy() -> None:
    metadata = turn_metadata(retrieve_cf_axioms=["A tree bends.", AXIOM])
    assert [d.text for d in imported(with_metadata(metadata)).documents] == ["A tree bends.", AXIOM]


def test_04_without_strategy_words_the_counter_argument_is_the_private_trace() -> None:
    trace = imported(with_metadata(turn_metadata(private_strategy_nl="")))
    assert trace.turns[0].private_trace == "The orchard will say that frost kills blossom."


@pytest.mark.parametrize(
    ("strategy", "private_trace", "documents"),
    [
        ("Stay close to the well.", "Stay close to the well.", 0),
        (strategy_json(), "The orchard will say that frost kills blossom.", 1),
    ],
)
def test_04_the_oldest_key_holds_words_or_json(
    strategy: str, private_trace: str, documents: int
) -> None:
    trace = imported(with_metadata({"private_strategy": strategy}))
    assert trace.turns[0].private_trace == private_trace
    assert len(trace.documents) == documents
    assert trace.warnings == ()


def test_axioms_are_kept_once_and_linked_from_every_turn_that_used_them() -> None:
    two = strategy_json(retrieved_axioms=["A tree bends.", AXIOM])
    trace = imported(
        with_metadata(
            turn_metadata(),
            empty_metadata(),
            turn_metadata(private_strategy_json=two, privatestrategyjson=two),
        )
    )
    assert [(d.id, d.text) for d in trace.documents] == [
        ("axiom-1", AXIOM),
        ("axiom-2", "A tree bends."),
    ]
    assert [t.evidence for t in trace.turns] == [("axiom-1",), (), ("axiom-2", "axiom-1")]


# 5
def test_05_a_fallback_strategy_is_kept_but_is_no_evidence() -> None:
    trace = imported(with_metadata(empty_metadata(), turn_metadata(), fallback_metadata()))
    assert [t.private_is_boilerplate for t in trace.turns] == [False, False, True]
    assert trace.turns[2].private_trace == "Refute it | Say no."
    assert trace.turns[2].evidence == ()


def test_05_a_strategy_repeated_word_for_word_without_retrieval_is_boilerplate_too() -> None:
    unflagged = fallback_metadata() | {"cf_flags": {"activated": True}}
    alone = imported(with_metadata(unflagged, turn_metadata()))
    repeated = imported(with_metadata(unflagged, turn_metadata(), unflagged))
    assert [t.private_is_boilerplate for t in alone.turns] == [False, False]
    assert [t.private_is_boilerplate for t in repeated.turns] == [True, False, True]


# 6
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
