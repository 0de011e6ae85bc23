from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apg_engine.calibration.calibration_error import calibration_error
from apg_engine.debates.courtroom.confidence import (
    PAPER_WEIGHTS,
    Parts,
    confidence_fit,
    confidence_of,
    isotonic_fit,
    reflection_delta,
    role_switch_delta,
)
from apg_engine.debates.courtroom.verdicts import Finding

SHARE = st.floats(0, 1)


def test_the_paper_s_weights_saturate() -> None:
    # field report P12: unanimous with q of 2/3 is 1.00 before any adjustment.
    assert confidence_of(Parts(1.0, 2 / 3)) == 1.0
    assert confidence_of(Parts(2 / 3, 0.5)) == pytest.approx(0.8 * 2 / 3 + 0.15)


@given(SHARE, SHARE, st.floats(-0.1, 0.1), st.floats(-0.1, 0.1))
def test_a_confidence_is_a_share(sigma: float, q: float, switch: float, mirror: float) -> None:
    assert 0.0 <= confidence_of(Parts(sigma, q, switch, mirror)) <= 1.0


@pytest.mark.parametrize(
    ("first", "switched", "cited", "also", "expected"),
    [
        (Finding.SUPPORT, Finding.SUPPORT, {"a", "b"}, {"a", "b"}, 0.10),
        (Finding.SUPPORT, Finding.SUPPORT, {"a", "b"}, {"c"}, 0.05),
        (Finding.SUPPORT, Finding.SUPPORT, set(), set(), 0.05),
        (Finding.SUPPORT, Finding.REFUTE, {"a"}, {"a"}, -0.10),
        (Finding.SUPPORT, Finding.INCONCLUSIVE, {"a"}, {"a"}, 0.0),
    ],
)
def test_consistency_is_computed_from_verdicts_and_cited_evidence(
    first: Finding, switched: Finding, cited: set[str], also: set[str], expected: float
) -> None:
    found = role_switch_delta(
        first, switched, cited=frozenset(cited), cited_switched=frozenset(also)
    )
    assert found == expected


def test_reflections_favour_the_side_that_reflected_better() -> None:
    assert reflection_delta([0.9, 0.7], [0.5]) == pytest.approx(0.03)
    assert reflection_delta([], [0.5]) == 0.0


def test_no_item_is_scored_by_weights_it_helped_to_fit() -> None:
    dice = random.Random(5)
    items = [Parts(dice.choice([2 / 3, 1.0]), dice.random()) for _ in range(60)]
    correct = [dice.random() < 0.5 * part.consensus for part in items]
    fitted = confidence_fit(items, correct)
    moved = confidence_fit(items, [not correct[0], *correct[1:]])
    assert fitted.weights[0] == moved.weights[0]  # item 0 is in fold 0
    assert calibration_error(fitted.confidences, correct).value < (
        calibration_error([confidence_of(part) for part in items], correct).value
    )


def test_of_equal_errors_the_weights_nearest_to_the_paper_s_win() -> None:
    fitted = confidence_fit([Parts(1.0, 1.0)] * 10, [True] * 10)
    assert set(fitted.weights) == {PAPER_WEIGHTS}


def test_the_isotonic_map_is_monotone_and_leaves_the_fold_out() -> None:
    scores = [at / 20 for at in range(20)]
    correct = [at >= 10 for at in range(20)]
    fitted = isotonic_fit(scores, correct)
    assert fitted[0] == 0.0
    assert fitted[-1] == 1.0
    assert fitted == isotonic_fit(scores, correct)
    with pytest.raises(ValueError, match="for 5 folds"):
        isotonic_fit([0.5], [True])
