"""Garbled and leaked text in trajectories; the numbers are those of test_trajectory.py."""

from __future__ import annotations

import pytest

from tests.apg_engine.traces.samples import (
    AXIOM,
    fallback_metadata,
    imported,
    logged_turn,
    strategy_json,
    trajectory,
    turn_metadata,
    with_metadata,
)

DASH = "\N{EN DASH}"


def garbled(text: str) -> str:
    return text.encode().decode("cp1252")


def test_14_mojibake_is_repaired_where_the_recorded_length_proves_it() -> None:
    text = f"Cut 30{DASH}40 % {DASH} not more\N{HORIZONTAL ELLIPSIS}"
    bad = garbled(text)
    turn = logged_turn(1, "oak", bad, message_length=len(text))
    trace = imported(trajectory(turns=[turn], shocks=[]))
    assert trace.turns[0].text == text
    change = f"({len(bad)} characters became {len(text)})"
    assert trace.warnings == (f"turn_logs[0].message_content: mojibake repaired {change}",)


def test_14_bytes_that_windows_1252_leaves_undefined_are_repaired() -> None:
    text = "“Grow”"
    bad = "".join(
        bytes([b]).decode("cp1252") if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(b)
        for b in text.encode()
    )
    turn = logged_turn(1, "oak", bad, message_length=len(text))
    assert imported(trajectory(turns=[turn], shocks=[])).turns[0].text == text


def test_14_good_text_beside_garbled_text_survives_the_repair() -> None:
    text = f"30{DASH}40 % für die Äpfel {DASH} ok 🌱"
    bad = f"30{garbled(DASH)}40 % für die Äpfel {garbled(DASH)} ok 🌱"
    turn = logged_turn(1, "oak", bad, message_length=len(text))
    assert imported(trajectory(turns=[turn], shocks=[])).turns[0].text == text


def test_14_text_that_only_looks_garbled_is_kept_when_its_length_is_right() -> None:
    text = f"The log shows {garbled(DASH)} where a dash stood."
    trace = imported(trajectory(turns=[logged_turn(1, "oak", text)], shocks=[]))
    assert trace.turns[0].text == text
    assert trace.warnings == ()


@pytest.mark.parametrize("length", [None, "12", True])
def test_14_without_a_recorded_length_nothing_is_repaired(length: object) -> None:
    text = f"30{garbled(DASH)}40"
    turn = logged_turn(1, "oak", text, message_length=length)
    assert imported(trajectory(turns=[turn], shocks=[])).turns[0].text == text


def test_14_a_length_that_fits_neither_text_is_warned_of_and_fails_nothing() -> None:
    text = f"30{garbled(DASH)}40"
    turn = logged_turn(1, "oak", text, message_length=99)
    trace = imported(trajectory(turns=[turn], shocks=[]))
    assert trace.turns[0].text == text
    assert trace.warnings == (
        "turn_logs[0].message_content: holds 7 characters but 99 are recorded; kept as it stands",
    )


def test_14_a_private_trace_has_no_length_so_it_is_reported_and_kept() -> None:
    private = f"Hold {garbled(DASH)} wait"
    trace = imported(with_metadata(turn_metadata(private_strategy_nl=private)))
    assert trace.turns[0].private_trace == private
    assert trace.warnings == (
        "turn_logs[0]: the private trace looks like mojibake; no length proves a repair",
    )


# 21
def test_21_a_private_counter_quoted_in_public_is_a_warning() -> None:
    private = turn_metadata()
    turns = [
        logged_turn(1, "oak", "The orchard keeps its water.", metadata=private),
        logged_turn(2, "elm", "Oak fears that 'the ORCHARD will say that frost' comes."),
    ]
    assert imported(trajectory(turns=turns, shocks=[])).warnings == (
        "turn 2 quotes the private trace of turn 1 in public: 'the orchard will say that frost'",
    )


def test_21_an_axiom_or_its_title_spoken_aloud_is_a_warning() -> None:
    strategy = strategy_json(retrieved_axioms=[AXIOM, "Order of Seasons: Spring comes befo"])
    private = turn_metadata(private_strategy_json=strategy, privatestrategyjson=strategy)
    turns = [
        logged_turn(1, "oak", "Wait.", metadata=private),
        logged_turn(2, "elm", "Nothing that grows should be uprooted, they say."),
        logged_turn(3, "ash", "The Order of Seasons forbids it."),
    ]
    assert imported(trajectory(turns=turns, shocks=[])).warnings == (
        "turn 2 quotes axiom-1 in public: 'nothing that grows should be uprooted'",
        "turn 3 quotes axiom-2 in public: 'Order of Seasons'",
    )


def test_21_the_strategy_tag_in_public_is_a_warning_even_when_no_strategy_exists() -> None:
    turn = logged_turn(1, "oak", "The <cfr_turn_strategy> (Care, Frost, Roots) says: wait.")
    assert imported(trajectory(turns=[turn], shocks=[])).warnings == (
        "turn 1 names the private strategy tag in public",
    )


def test_21_boilerplate_and_common_words_are_no_leak() -> None:
    turns = [
        logged_turn(1, "oak", "Refute it. Say no.", metadata=fallback_metadata()),
        logged_turn(2, "elm", "Should nothing grow, the well is dry.", metadata=turn_metadata()),
    ]
    assert imported(trajectory(turns=turns, shocks=[])).warnings == ()
