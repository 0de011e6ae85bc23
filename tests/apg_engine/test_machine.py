"""The gate's loop: integers decide, repairs end, and every state can be reached."""

from __future__ import annotations

import pytest

from apg_engine import (
    Fidelity,
    GateConfig,
    IllegalMoveError,
    MemoryJournal,
    Models,
    Outcome,
    Progress,
    SentenceKind,
    gate,
)
from apg_engine.states import MOVES, State, move
from tests.apg_engine.scripted_pair import FACT, Judge, Writer, run
from tests.apg_engine.traces_for_tests import trace_of


def goods(supported: int, total: int) -> str:
    return " ".join(
        f"Claim {n} is {'good' if n <= supported else 'bad'}." for n in range(1, total + 1)
    )


@pytest.mark.parametrize(
    ("supported", "total", "passes"),
    [(1, 1, True), (18, 19, False), (19, 20, True), (35, 37, False), (38, 40, True), (0, 5, False)],
)
def test_the_gate_compares_integers(supported: int, total: int, passes: bool) -> None:
    result, _ = run(goods(supported, total), pairs=1)

    assert result.pairs[0].fidelity == Fidelity(supported, total)
    assert (result.outcome is Outcome.SYNTHESIS) is passes


def test_no_claims_never_pass() -> None:
    assert not Fidelity(0, 0).passes(95)


def test_padding_with_copies_and_courtesies_changes_no_number() -> None:
    bad = "One claim is bad."
    plain, _ = run(f"{goods(4, 4)} {bad}", pairs=1)
    padded, _ = run(f"# Plan\n\n{goods(4, 4)} {bad} {goods(4, 4) * 5}\n\nThank you.", pairs=1)

    assert plain.pairs[0].fidelity == padded.pairs[0].fidelity == Fidelity(4, 5)
    kinds = {sentence.kind for sentence in padded.pairs[0].sentences}
    assert {SentenceKind.DUPLICATE, SentenceKind.COURTESY, SentenceKind.HEADING} <= kinds


def test_a_first_draft_that_passes_is_both_texts_and_no_contrast() -> None:
    result, _ = run("All is good.")

    assert result.apg_text == result.baseline_text == "All is good."
    assert not result.has_contrast
    assert result.divergence is None


def test_a_repair_that_passes_is_published_and_the_baseline_is_the_first_draft() -> None:
    result, _ = run("All is bad.", "All is good.")

    assert (result.baseline_text, result.apg_text) == ("All is bad.", "All is good.")
    assert result.has_contrast
    assert result.reason == "passed"


def test_the_hint_names_every_refused_sentence_with_its_reason_and_the_last_draft() -> None:
    draft = goods(1, 6)

    _, writer = run(draft, goods(6, 6))

    repair = writer.asked[1]
    assert repair.previous_draft == draft
    assert [refusal.sentence for refusal in repair.refused] == draft.split(". ", 1)[1].replace(
        ". ", ".|"
    ).split("|")
    for refusal in repair.refused:
        assert refusal.sentence in repair.hint
        assert refusal.reason in repair.hint


def test_three_pairs_are_two_repairs() -> None:
    result, writer = run(*(f"Draft {n} is bad." for n in range(9)))

    assert len(writer.asked) == len(result.pairs) == 3
    assert (result.outcome, result.reason) == (Outcome.DIVERGENCE, "pairs_used")


def test_an_identical_draft_ends_the_loop() -> None:
    result, writer = run("All is bad.", "All is bad.", "All is good.")

    assert (result.outcome, result.reason) == (Outcome.DIVERGENCE, "identical_draft")
    assert (len(writer.asked), len(result.pairs)) == (2, 1)


def test_a_draft_that_comes_back_ends_the_loop() -> None:
    result, _ = run("A is bad.", "B is bad.", "A is bad.", "All is good.", pairs=4)

    assert result.reason == "oscillating_draft"


def test_the_best_draft_is_kept_for_the_report() -> None:
    result, _ = run(goods(1, 4), goods(3, 4), goods(0, 4))

    assert result.divergence is not None
    assert result.divergence["best_pair"] == 2
    refused = [
        c for c in result.divergence["unresolved_claims"] if c["kind"] == "proposed settlement"
    ]
    assert [claim["claim"] for claim in refused] == ["Claim 4 is bad."]


@pytest.mark.parametrize("context", ["", "  \n"])
def test_a_trace_without_text_is_not_judged(context: str) -> None:
    result, writer = run("x", trace=trace_of(context=context))

    assert (result.outcome, result.reason) == (Outcome.NOT_JUDGED, "empty_corpus")
    assert not writer.asked


def test_progress_is_told_state_by_state() -> None:
    told: list[Progress] = []
    gate(
        trace_of(FACT, "It rains."),
        config=GateConfig(),
        models=Models(Writer("A is bad.", "A is good."), Judge()),
        journal=MemoryJournal(),
        on_progress=told.append,
    )

    assert [(step.stage, step.pair_number) for step in told] == [
        ("assembling", 0),
        ("proposing", 1),
        ("auditing", 1),
        ("deciding", 1),
        ("repairing", 1),
        ("proposing", 2),
        ("auditing", 2),
        ("deciding", 2),
    ]


def test_the_table_refuses_every_move_it_does_not_hold() -> None:
    for current in State:
        for target in State:
            if target in MOVES[current]:
                assert move(current, target) is target
            else:
                with pytest.raises(IllegalMoveError):
                    move(current, target)


def test_every_state_can_be_reached_and_every_run_can_end() -> None:
    reached = {State.ASSEMBLING}.union(*MOVES.values())
    ends = {state for state, targets in MOVES.items() if not targets}

    assert reached == set(State)
    assert ends == {State.PUBLISHED, State.DIVERGED, State.NOT_JUDGED}
