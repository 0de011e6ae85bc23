"""What must hold for any data."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.dataset import Pairs
from analysis.results.core import rating_row
from analysis.stats.agreement import icc
from analysis.stats.bayes import jzs
from analysis.stats.bootstrap import bootstrap_mean
from analysis.stats.exact import EXACT, NORMAL, sign_flip, wilcoxon
from analysis.stats.paired import paired_t
from analysis.stats.ranks import hodges_lehmann, rank_biserial, superiority
from analysis.stats.undefined import Reason

RATING = st.integers(1, 5)
RATINGS = st.lists(st.tuples(RATING, RATING), min_size=1, max_size=40)
QUICK = settings(max_examples=60, deadline=None)


def pairs(ratings: list[tuple[int, int]]) -> Pairs:
    ids = tuple(f"p{i:03d}" for i in range(len(ratings)))
    reference, treatment = zip(*ratings, strict=True)
    return Pairs("s", "trust", (1, 5), ("baseline", "apg"), ids, reference, treatment, ())


@QUICK
@given(RATINGS)
def test_swapping_the_arms_turns_every_sign_and_keeps_every_p(
    ratings: list[tuple[int, int]],
) -> None:
    there, back = rating_row(pairs(ratings)), rating_row(pairs([(y, x) for x, y in ratings]))
    assert there.t_test.mean == pytest.approx(-(back.t_test.mean or 0))
    assert there.t_test.p == pytest.approx(back.t_test.p)
    assert there.d_z.value == pytest.approx(back.d_z.value and -back.d_z.value)
    assert there.wilcoxon.w_plus == back.wilcoxon.w_minus
    assert there.wilcoxon.p == back.wilcoxon.p
    assert there.sign_flip.p == back.sign_flip.p
    one, other = there.difference, back.difference
    assert list(one.counts.values()) == list(other.counts.values())[::-1]


@QUICK
@given(RATINGS)
def test_the_order_of_pairs_does_not_matter(
    ratings: list[tuple[int, int]],
) -> None:
    turned = ratings[len(ratings) // 2 :] + ratings[: len(ratings) // 2]
    one, other = rating_row(pairs(ratings)), rating_row(pairs(turned))
    assert one.t_test.p == pytest.approx(other.t_test.p)
    assert one.wilcoxon == other.wilcoxon
    assert one.sign_flip == other.sign_flip


@QUICK
@given(RATINGS)
def test_every_p_is_a_probability_and_every_estimate_is_inside_its_interval(
    ratings: list[tuple[int, int]],
) -> None:
    row = rating_row(pairs(ratings))
    d = pairs(ratings).differences
    ps = [row.t_test.p, row.wilcoxon.p, row.sign_flip.p, row.sign_test.p, row.tost.p]
    assert all(0 < p <= 1 for p in ps if p is not None)
    ranks, boot = rank_biserial(d), bootstrap_mean(d)
    for value, interval in (
        (row.t_test.mean, row.t_test.ci), (row.d_z.value, row.d_z.ci), (ranks.value, ranks.ci),
        (row.t_test.mean, boot.bca),
    ):  # fmt: skip
        if value is not None and interval is not None:
            assert interval.low - 1e-9 <= value <= interval.high + 1e-9


@QUICK
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_the_exact_tests_count_all_sign_changes(differences: list[int]) -> None:
    sums = [sum(way) for way in product(*((d, -d) for d in differences))]
    wanted = sum(abs(total) >= abs(sum(differences)) for total in sums) / len(sums)
    assert sign_flip(differences).p == pytest.approx(wanted)


@QUICK
@given(st.lists(st.integers(-4, 4), min_size=2, max_size=60))
def test_no_result_is_infinite_or_not_a_number(differences: list[int]) -> None:
    test = paired_t(differences)
    found = jzs(test)
    for value in (test.t, test.p, found.log10_bf10, found.log10_bf_plus0, superiority(differences)):
        assert value is None or math.isfinite(value)
    assert (test.t is None) == bool(test.reason)


@QUICK
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=12))
def test_the_hodges_lehmann_shift_is_the_median_of_all_pair_means(differences: list[int]) -> None:
    means = sorted((a + b) / 2 for i, a in enumerate(differences) for b in differences[i:])
    middle = len(means) // 2
    assert hodges_lehmann(differences) == (means[middle] + means[-middle - 1]) / 2


def test_doubling_the_sample_keeps_the_mean_and_sharpens_the_test() -> None:
    d = [1, 0, 2, -1, 1, 3, 0, 1]
    once, twice = paired_t(d), paired_t(d * 2)
    assert once.mean == twice.mean
    assert (twice.p or 1) < (once.p or 0)


def test_above_the_limit_the_normal_form_is_used_and_named() -> None:
    small, large = [1, -1, 2, 0] * 50, [1, -1, 2, 0] * 70
    assert sign_flip(small).method == EXACT
    assert sign_flip(large).method == NORMAL
    assert wilcoxon(large).method == NORMAL
    # Just below and above the limit the two agree to three digits.
    below, above = [1, 1, -1, 2] * 50, [1, 1, -1, 2] * 51
    assert sign_flip(below).p == pytest.approx(sign_flip(above).p, abs=1e-3)


@QUICK
@given(
    table=st.lists(st.lists(st.integers(0, 100), min_size=5, max_size=5), min_size=2, max_size=4)
)
def test_an_icc_lies_inside_its_interval_or_has_none(table: list[list[int]]) -> None:
    # scipy.special.fdtri gives NaN for the near-zero df of some tables with ICC about 0.
    found = icc(table)
    if found.ci is None:
        assert found.reason is not Reason.NONE
    else:
        assert found.value is not None
        assert found.ci.low <= found.value <= found.ci.high


def test_a_table_whose_icc_interval_has_no_degrees_of_freedom_has_none() -> None:
    found = icc([[n * 7 % 101 for n in range(30)], [n * 11 % 101 for n in range(30)]])
    assert (found.ci, found.reason) == (None, Reason.NO_INTERVAL)
