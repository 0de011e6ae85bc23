from __future__ import annotations

import pytest

from apg_engine.evaluating.agreement import (
    fleiss_kappa,
    judges_agreement,
    macro_f1,
    mcnemar_exact,
    paired_tests,
)
from apg_engine.evaluating.claims import BINARY, Label
from apg_engine.evaluating.opinions import Vote

S, R, N = Label.SUPPORT, Label.REFUTE, Label.NOT_ENOUGH


def panel(*labels: Label | None) -> tuple[Vote, ...]:
    return tuple(Vote(f"judge {n}", label, "voted") for n, label in enumerate(labels))


@pytest.mark.reference
def test_fleiss_kappa_is_that_of_his_psychiatrists() -> None:
    # Fleiss (1971), Measuring nominal scale agreement among many raters, table 1, first ten rows
    # of the worked example in Wikipedia's "Fleiss' kappa": 10 subjects, 14 raters, kappa 0.210.
    counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    assert fleiss_kappa(counts) == pytest.approx(0.210, abs=0.0005)


@pytest.mark.reference
def test_cohen_kappa_of_two_seats_is_that_of_the_textbook() -> None:
    # 50 proposals, both yes 20, both no 15, 5 and 10 apart: observed 0.7, by chance 0.5.
    panels = [panel(S, S)] * 20 + [panel(S, R)] * 5 + [panel(R, S)] * 10 + [panel(R, R)] * 15
    found = judges_agreement(panels)
    assert found is not None
    assert found.pairwise == pytest.approx(0.4)


def test_a_missing_vote_leaves_its_claim_out() -> None:
    found = judges_agreement([panel(S, S, R), panel(R, None, R), panel(R, R, R), panel(S, S)])
    assert found is not None
    assert (found.judges, found.items) == (3, 2)


def test_judges_who_always_say_one_thing_have_no_kappa() -> None:
    found = judges_agreement([panel(S, S, S), panel(S, S, S)])
    assert found is not None
    assert (found.pairwise, found.fleiss) == (None, None)


def test_one_judge_is_no_panel() -> None:
    assert judges_agreement([panel(S)]) is None
    assert judges_agreement([]) is None


@pytest.mark.reference
def test_macro_f1_is_that_of_the_scikit_learn_handbook() -> None:
    # f1_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average="macro") is 0.2666...
    known, found = [S, R, N, S, R, N], [S, N, R, S, S, R]
    assert macro_f1(list(zip(known, found, strict=True)), list(Label)) == pytest.approx(4 / 15)


def test_what_was_left_open_misses_its_label() -> None:
    assert macro_f1([(S, S), (R, None)], BINARY) == pytest.approx(0.5)


@pytest.mark.reference
def test_mcnemar_is_the_sign_test_of_those_who_differ() -> None:
    # 2 against 10: two-sided binomial tail 2 * (1 + 12 + 66) / 2**12.
    first = [True] * 2 + [False] * 10 + [True] * 30 + [False] * 8
    second = [False] * 2 + [True] * 10 + [True] * 30 + [False] * 8
    one, other, p = mcnemar_exact(first, second)
    assert (one, other) == (2, 10)
    assert p == pytest.approx(158 / 4096)


def test_systems_without_a_difference_have_p_1() -> None:
    assert mcnemar_exact([True, False], [True, False]) == (0, 0, 1.0)
    with pytest.raises(ValueError, match="zip"):
        mcnemar_exact([True], [])


def test_only_claims_that_both_have_judged_with_one_seed_are_compared() -> None:
    (test,) = paired_tests(
        {
            ("mad", 0): {"a": True, "b": True},
            ("mad", 1): {"a": True},
            ("single", 0): {"b": False, "c": True},
        }
    )
    assert (test.first, test.second, test.seed) == ("mad", "single", 0)
    assert (test.items, test.first_only, test.second_only) == (1, 1, 0)
