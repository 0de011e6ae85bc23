from __future__ import annotations

import pytest

from apg_engine.calibration.calibration_error import calibration_error, calibration_report


def test_it_is_the_weighted_gap_between_confidence_and_correctness() -> None:
    # Two bins: (.9, 1] holds .95 right and .95 wrong, gap .45; (.5, .6] holds .6 right, gap .4.
    found = calibration_error([0.95, 0.95, 0.6], [True, False, True])
    assert found.value == pytest.approx((2 * 0.45 + 0.4) / 3)


def test_sure_and_right_is_no_error() -> None:
    assert calibration_error([1.0] * 4, [True] * 4).value == 0.0


def test_a_constant_score_has_the_gap_to_the_accuracy() -> None:
    assert calibration_error([1.0] * 10, [True] * 8 + [False] * 2).value == pytest.approx(0.2)


def test_the_interval_holds_the_error_and_the_coverage_counts_what_was_left_open() -> None:
    found = calibration_report([0.7] * 30, [True] * 18 + [False] * 12, eligible=40)
    assert found.low <= found.value <= found.high
    assert found.coverage == 0.75
    assert found == calibration_report([0.7] * 30, [True] * 18 + [False] * 12, eligible=40)


@pytest.mark.parametrize(
    ("confidences", "correct"), [([], []), ([0.5], []), ([1.2], [True]), ([float("nan")], [True])]
)
def test_what_has_no_error_is_refused(confidences: list[float], correct: list[bool]) -> None:
    with pytest.raises(ValueError, match="confidence"):
        calibration_error(confidences, correct)


def test_more_decided_than_eligible_is_refused() -> None:
    with pytest.raises(ValueError, match="of 1 eligible"):
        calibration_report([0.5, 0.5], [True, False], eligible=1)
