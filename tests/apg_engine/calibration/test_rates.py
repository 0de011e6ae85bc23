from __future__ import annotations

import random

import pytest
from scipy.stats import binomtest

from apg_engine.calibration.correction import share_correct
from apg_engine.calibration.rates import Rate, balanced_accuracy_interval, wilson_interval


@pytest.mark.reference
@pytest.mark.parametrize(
    ("hits", "n"), [(0, 10), (1, 10), (19, 20), (20, 20), (137, 229), (3, 4000)]
)
def test_wilsons_interval_is_the_one_of_scipy(hits: int, n: int) -> None:
    theirs = binomtest(hits, n).proportion_ci(method="wilson")

    ours = wilson_interval(hits, n)

    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("hits", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_an_impossible_share_is_refused(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson_interval(hits, n)


def test_under_thirty_cases_only_the_counts_are_shown() -> None:
    assert str(Rate(28, 29)) == "28 of 29 (no rate under 30)"
    assert str(Rate(29, 30)).startswith("0.967 [")


@pytest.mark.reference
def test_the_interval_of_a_balanced_accuracy_is_newcombes() -> None:
    # Newcombe (1998), Statistics in Medicine 17, example (a), method 10: 56/70 - 48/80 has the
    # interval 0.0524 to 0.3339; a balanced accuracy is half of (1 + TPR - FPR).
    found = balanced_accuracy_interval(Rate(56, 70), Rate(48, 80))

    assert (2 * found.low - 1, 2 * found.high - 1) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_a_perfect_auditor_leaves_the_share_as_it_is() -> None:
    found = share_correct(Rate(18, 20), tpr=Rate(500, 500), fpr=Rate(0, 500))

    assert found.value == pytest.approx(0.9)
    assert found.interval
    assert found.interval.low < 0.9 < found.interval.high


@pytest.mark.reference
@pytest.mark.parametrize(
    ("raw", "tpr", "fpr", "low", "high"),
    [
        # Lang and Reiczigel (2014), Preventive Veterinary Medicine 113: the arithmetic of their
        # published R script, worked through by hand for these counts (z = 1.959964).
        (Rate(27, 650), Rate(50, 100), Rate(1, 200), 0.027460, 0.114583),
        (Rate(15, 20), Rate(180, 200), Rate(10, 200), 0.560814, 1.0),
    ],
)
def test_the_corrected_interval_is_lang_and_reiczigels(
    raw: Rate, tpr: Rate, fpr: Rate, low: float, high: float
) -> None:
    found = share_correct(raw, tpr=tpr, fpr=fpr).interval

    assert found
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_the_corrected_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    dice = random.Random(7)
    truth, tpr, fpr, held = 0.8, 0.85, 0.1, 0

    def hits(share: float, n: int) -> Rate:
        return Rate(sum(dice.random() < share for _ in range(n)), n)

    for _ in range(600):
        called = truth * tpr + (1 - truth) * fpr
        found = share_correct(hits(called, 40), tpr=hits(tpr, 150), fpr=hits(fpr, 150)).interval
        assert found
        held += found.low <= truth <= found.high

    assert 0.92 <= held / 600 <= 0.99


@pytest.mark.parametrize(
    ("tpr", "fpr", "why"),
    [
        (Rate(40, 100), Rate(21, 100), "TPR - FPR is 0.19, under 0.2"),
        (Rate(20, 20), Rate(0, 200), "under 30 cases"),
        (Rate(0, 0), Rate(0, 200), "no case"),
    ],
)
def test_a_weak_or_thin_card_corrects_nothing_and_says_why(tpr: Rate, fpr: Rate, why: str) -> None:
    found = share_correct(Rate(19, 20), tpr=tpr, fpr=fpr)

    assert found.value is None
    assert found.interval is None
    assert why in found.reason
