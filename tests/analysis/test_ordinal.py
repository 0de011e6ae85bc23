"""The ordinal model where answers are extreme: against counting, and where no estimate exists."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from analysis.dataset import Pairs
from analysis.results.models import long_data, ordinal_row
from analysis.stats.likelihood import OrdinalData
from analysis.stats.ordinal import ordinal_fixed, ordinal_mixed, proportional_odds
from analysis.stats.undefined import Reason

ARM = "arm"


def pairs_made(reference: list[int], treatment: list[int], scale: tuple[int, int]) -> Pairs:
    ids = tuple(f"p{n}" for n in range(len(reference)))
    arms = ("baseline", "apg")
    return Pairs("s", "trust", scale, arms, ids, tuple(reference), tuple(treatment), ())


def drawn(n: int, top: int, *, seed: int) -> Pairs:
    dice = random.Random(seed)
    means = [dice.gauss(top / 2, top / 6) for _ in range(n)]

    def rated(shift: float) -> list[int]:
        return [min(top, max(0, round(m + dice.gauss(shift, top / 6)))) for m in means]

    return pairs_made(rated(0.0), rated(top / 30), (0, top))


def loglik_by_counting(data: OrdinalData) -> float:
    """With thresholds of its own every arm is fitted by its observed shares."""
    total = 0.0
    for arm in (0.0, 1.0):
        both = zip(data.ratings, data.predictors[ARM], strict=True)
        counts = Counter(rating for rating, of in both if of == arm)
        n = sum(counts.values())
        total += sum(count * math.log(count / n) for count in counts.values())
    return total


@pytest.mark.parametrize(("n", "top"), [(33, 4), (40, 7), (60, 100), (200, 100), (60, 1000)])
def test_own_thresholds_for_each_arm_fit_the_observed_shares(n: int, top: int) -> None:
    data = long_data([drawn(n, top, seed=n + top)])
    plain, found = ordinal_fixed(data), proportional_odds(data, ARM)
    assert found is not None
    assert plain.loglik is not None
    assert found.chi2 == pytest.approx(2 * (loglik_by_counting(data) - plain.loglik), abs=1e-4)
    assert found.df == len(plain.levels) - 2


def test_the_same_step_for_everybody_has_no_estimate_and_no_p() -> None:
    # The slope and the SD of people run off together, and the likelihood ratio with them.
    row = ordinal_row(pairs_made([1, 2, 3, 2, 3, 1], [2, 3, 4, 3, 4, 2], (1, 5)))
    assert row.fit.reason is Reason.SEPARATION
    assert (row.fit.loglik, row.fit.coefficients, row.arm_test) == (None, (), None)


def test_people_who_differ_but_do_not_move_have_no_estimate() -> None:
    row = ordinal_row(pairs_made([1, 2, 3, 4, 5] * 4, [1, 2, 3, 4, 5] * 4, (1, 5)))
    assert row.fit.loglik is None
    assert row.arm_test is None


def test_a_table_too_sparse_for_its_chi_square_has_none() -> None:
    row = ordinal_row(drawn(60, 100, seed=1))
    assert row.arm_test is not None
    assert row.proportional_odds is None
    assert row.proportional_odds_reason is Reason.SPARSE


def test_an_arm_that_gave_one_rating_only_is_fitted() -> None:
    data = long_data([pairs_made([3] * 30, [1, 2, 3, 4, 5] * 6, (1, 5))])
    found = proportional_odds(data, ARM)
    assert found is not None
    assert found.chi2 > 0
    assert ordinal_mixed(data).loglik is not None
