"""Private strategies in the shapes trajectory files have; numbers as in the list read."""

from __future__ import annotations

import json

import pytest

from tests.apg_engine.traces.samples import (
    AXIOM,
    empty_metadata,
    fallback_metadata,
    imported,
    strategy_json,
    turn_metadata,
    with_metadata,
)


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
