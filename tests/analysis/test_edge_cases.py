"""The 36 edge cases: public bug reports of other tools, and what must happen here.

The numbers are those of the list in ../shared/field/statistics.md, section 5; each test names the
report it comes from. Cases of reading files (15 to 19, 36) are in test_load.py.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from analysis.dataset import Pairs
from analysis.results.models import ARM, long_data
from analysis.stats.bayes import jzs
from analysis.stats.binomial import binomial_p_half, share
from analysis.stats.bootstrap import bootstrap_mean
from analysis.stats.effects import d_av, d_z, g_av
from analysis.stats.equivalence import tost
from analysis.stats.exact import integers_from, sign_flip, sign_test, wilcoxon
from analysis.stats.mcnemar import mcnemar
from analysis.stats.multiplicity import family_adjust, holm
from analysis.stats.normality import shapiro
from analysis.stats.ordinal import ordinal_mixed
from analysis.stats.paired import paired_t
from analysis.stats.power import pairs_needed, sensitivity
from analysis.stats.ranks import rank_biserial
from analysis.stats.undefined import Reason


def pairs_with(ratings: list[tuple[int, int]]) -> list[Pairs]:
    ids = tuple(f"p{i}" for i in range(len(ratings)))
    reference, treatment = zip(*ratings, strict=True)
    return [Pairs("s", "trust", (1, 5), ("baseline", "apg"), ids, reference, treatment, ())]


def test_01_identical_ratings_leave_t_undefined_and_the_permutation_at_one() -> None:
    # scipy #20179: NaN, and d = 0 with power .05 beside it
    test = paired_t([0, 0, 0, 0, 0])
    assert (test.mean, test.t, test.p, test.reason) == (0, None, None, Reason.ZERO_VARIANCE)
    assert sign_flip([0, 0, 0, 0, 0]).p == 1
    assert d_z(test).value is None
    assert (jzs(test).bf10, jzs(test).reason) == (None, Reason.ZERO_VARIANCE)


@pytest.mark.parametrize("shift", [[1, 1, 1, 1, 1], [-2, -2, -2, -2, -2]])
def test_02_a_constant_shift_has_no_t_but_exact_tests(shift: list[int]) -> None:
    # scipy #14418: t infinite and p = 0
    test = paired_t(shift)
    assert (test.t, test.p, test.ci) == (None, None, None)
    assert sign_flip(shift).p == wilcoxon(shift).p == sign_test(shift).p == 0.0625


def test_03_a_constant_shift_in_decimals_is_constant_too() -> None:
    differences = [0.3 - 0.2, 0.2 - 0.1, 0.4 - 0.3]
    assert len(set(differences)) > 1
    assert paired_t(differences).reason is Reason.ZERO_VARIANCE


def test_04_one_constant_condition_is_computed_normally() -> None:
    # JASP #1199: refused although only the SD of the differences matters
    test = paired_t([y - 3 for y in (2, 3, 1, 4, 2)])
    assert test.t == pytest.approx(-1.177, abs=5e-4)


def test_05_equivalence_is_undefined_without_variance() -> None:
    # TOSTER #89: a crash; by hand p = 0
    found = tost([1, 1, 1, 1], bound=0.5)
    assert (found.p, found.smallest_bound, found.reason) == (None, None, Reason.ZERO_VARIANCE)


@pytest.mark.parametrize("sign", [1, -1])
def test_06_every_estimate_lies_inside_its_interval_and_has_one_sign(sign: int) -> None:
    # JASP #2970: the sign of TOST's estimate was turned
    d = [sign * x for x in (1, 2, 0, 1, -1, 2, 3, 1)]
    test = paired_t(d)
    half, effect, ranks, boot = tost(d, bound=1), d_z(test), rank_biserial(d), bootstrap_mean(d)
    assert test.mean is not None
    for value, interval in (
        (test.mean, test.ci), (test.mean, half.ci), (effect.value, effect.ci),
        (ranks.value, ranks.ci), (test.mean, boot.bca),
    ):  # fmt: skip
        assert value is not None
        assert interval is not None
        assert interval.low <= value <= interval.high
        assert math.copysign(1, value) == sign


def test_07_all_zeros_leave_wilcoxon_undefined() -> None:
    # scipy #6805, #6398: p = 1 and a division 0/0
    found = wilcoxon([0, 0, 0, 0])
    assert (found.p, found.n_zero, found.reason) == (None, 4, Reason.NO_NONZERO)


def test_08_zeros_are_counted_and_pratt_is_symmetric() -> None:
    # scipy #10223: p = .015 for a symmetric sample
    d = [1] * 15 + [0] * 40 + [-1] * 15
    found = wilcoxon(d, pratt=True)
    assert (found.p, found.n_positive, found.n_negative, found.n_zero) == (1, 15, 15, 40)


def test_09_ties_are_exact_and_the_method_is_named() -> None:
    # scipy #13689
    found = wilcoxon([1, 1, 2, 3, 4])
    assert (found.p, found.method) == (0.0625, "exact")


def test_10_one_sided_tests_mirror_each_other() -> None:
    # scipy #19872: ties broke the symmetry of less and greater
    one = [62, 66, 61, 68, 74, 62, 68, 62, 55, 59]
    two = [71, 71, 69, 61, 75, 71, 77, 72, 62, 65]
    there = wilcoxon([b - a for a, b in zip(one, two, strict=True)])
    back = wilcoxon([a - b for a, b in zip(one, two, strict=True)])
    assert there.p_greater == pytest.approx(0.0078125)
    assert there.p == back.p


def test_11_decimals_tie_at_their_declared_precision() -> None:
    # scipy #17667: 0.825 - 0.775 and 0.375 - 0.325 differ as floats
    d = [x - y for x, y in zip((0.5, 0.825, 0.375, 0.5), (0.525, 0.775, 0.325, 0.55), strict=True)]
    assert d[1] != d[2]
    assert integers_from(d, decimals=3) == (-25, 50, 50, -50)


def test_12_an_extreme_p_is_small_but_never_zero() -> None:
    # scipy #26026: wilcoxon(arange(1, 101)) gives 0
    p = wilcoxon(list(range(1, 101))).p
    assert p == pytest.approx(float(Fraction(2, 2**100)), rel=1e-12)


def test_13_no_p_exceeds_one() -> None:
    # scipy #26028
    found = wilcoxon([-1] + [0] * 99, pratt=True)
    assert found.p_greater == 1
    assert found.p == 1


def test_14_the_method_does_not_change_with_n() -> None:
    # scipy #17530: at n = 14 ties switch to a normal form
    d = [1, 2, 2, 3, -1, 1, 2, 1, -2, 1, 2, 3, 1]
    assert [wilcoxon([*d, *more]).method for more in ([], [2], [2, 2])] == ["exact"] * 3


def test_20_tiny_samples_are_described_and_two_pairs_are_tested() -> None:
    assert (paired_t([]).mean, paired_t([]).reason) == (None, Reason.TOO_FEW)
    assert (paired_t([1]).mean, paired_t([1]).t) == (1, None)
    assert sign_flip([]).p is None
    two = paired_t([1, 3])
    assert (two.df, two.t) == (1, 2)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([1, 2], Reason.TOO_FEW),
        ([2, 2, 2, 2], Reason.ZERO_VARIANCE),
        (list(range(5001)), Reason.TOO_MANY),
    ],
)
def test_21_shapiro_is_undefined_outside_its_range(values: list[int], reason: Reason) -> None:
    # scipy #18322, #14462; pingouin calls constants normal
    assert (shapiro(values).w, shapiro(values).reason) == (None, reason)


def test_22_the_bootstrap_of_a_constant_is_a_point_that_says_so() -> None:
    # scipy #14804
    found = bootstrap_mean([2, 2, 2])
    assert found.bca is not None
    assert (found.bca.low, found.bca.high, found.reason) == (2, 2, Reason.DEGENERATE)
    assert bootstrap_mean([1]).bca is None


def test_23_a_huge_bayes_factor_is_a_logarithm() -> None:
    # pingouin #412: ZeroDivisionError at t = 60, n = 1000
    d = [10 if i % 2 else 11 for i in range(1000)]
    found = jzs(paired_t(d))
    assert found.log10_bf10 is not None
    assert found.log10_bf10 > 1000
    assert found.bf10 is None


def test_24_the_one_sided_bayes_factor_cuts_the_prior() -> None:
    # pingouin #427: a wrong number, then none
    up, down = (jzs(paired_t(d)) for d in ([1, 2, 1, 3, 0, 2], [-1, -2, -1, -3, 0, -2]))
    assert up.log10_bf10 == pytest.approx(down.log10_bf10)
    assert up.log10_bf_plus0 is not None
    assert up.log10_bf10 is not None
    assert down.log10_bf_plus0 is not None
    both = (10**up.log10_bf_plus0 + 10**down.log10_bf_plus0) / 2
    assert both == pytest.approx(10**up.log10_bf10)


def test_25_the_rank_correlation_has_the_sign_of_the_difference() -> None:
    # pingouin #456: it depended on the alternative
    assert rank_biserial([1, 2, 3]).value == 1
    assert rank_biserial([-1, -2, -3]).value == -1
    assert rank_biserial([1, 2, 3]).reason is Reason.DEGENERATE


def test_26_every_standardised_difference_has_its_own_name() -> None:
    # pingouin #450: d_av under the name of cohen_d
    x, y = [1, 2, 3, 2, 4], [2, 4, 3, 3, 5]
    test = paired_t([b - a for a, b in zip(x, y, strict=True)])
    found = [d_z(test), d_av(x, y, test), g_av(x, y, test)]
    assert [effect.name for effect in found] == ["d_z", "d_av", "g_av"]
    assert len({effect.value for effect in found}) == 3


def test_27_power_answers_for_n_and_for_d() -> None:
    # pingouin #477: NaN
    assert sensitivity(33) == pytest.approx(0.50297, abs=1e-4)
    assert pairs_needed(0.3) == 90


def test_28_intervals_of_effects_have_two_ends() -> None:
    # JASP #2178: the other end went to infinity
    ci = d_z(paired_t([1, 2, 0, 1, 3])).ci
    assert ci is not None
    assert math.isfinite(ci.low)
    assert math.isfinite(ci.high)


def test_29_neither_and_both_count_as_not_chosen_in_mcnemar() -> None:
    # statsmodels #9485: a 3 x 3 table was accepted
    first = {"a": True, "b": False, "c": True}
    found = mcnemar(first, {"a": False, "b": False, "d": True})
    assert (found.first_only, found.second_only, found.neither, found.both) == (1, 0, 1, 0)


def test_30_the_order_of_answers_does_not_change_the_table() -> None:
    # jamovi #1633
    first = {"a": True, "b": False, "c": True, "d": True}
    second = {"a": False, "b": True, "c": True, "d": False}
    turned = dict(reversed(first.items())), dict(reversed(second.items()))
    assert mcnemar(first, second) == mcnemar(*turned)


def test_31_mcnemar_without_disagreement_has_p_one() -> None:
    # statsmodels: chi-square infinite, p = 0
    assert mcnemar({"a": True, "b": False}, {"a": True, "b": False}).p == 1


def test_32_undefined_tests_leave_the_family() -> None:
    # statsmodels #2899: NaN counts; R p.adjust(c(.01, NA, .03)) gives .02, NA, .03
    found = family_adjust({"a": 0.01, "b": None, "c": 0.03})
    assert [member.holm for member in found] == [0.02, None, 0.03]
    assert holm([]) == []


def test_33_shares_at_the_ends() -> None:
    none, never, always = share(0, 0), share(0, 5), share(5, 5)
    assert (none.share, none.p, none.reason) == (None, None, Reason.NO_ANSWERS)
    assert never.wilson is not None
    assert never.wilson.low == 0
    assert never.wilson.high == pytest.approx(0.434482, abs=1e-6)
    assert always.clopper_pearson is not None
    assert always.clopper_pearson.high == 1
    assert binomial_p_half(0, 5) == 0.0625


def test_34_an_unused_rating_has_no_threshold_and_it_is_said() -> None:
    # statsmodels #7353: one category for each NaN; brms #1780: a lost one
    data = long_data(pairs_with([(1, 2), (2, 4), (1, 1), (4, 5), (2, 2), (5, 4)]))
    fit = ordinal_mixed(data)
    assert fit.levels == (1, 2, 4, 5)
    assert [threshold.name for threshold in fit.thresholds] == ["1|2", "2|4", "4|5"]


def test_35a_a_variance_at_zero_falls_back_and_says_so() -> None:
    # ordinal #4 to #9: NA standard errors
    data = long_data(pairs_with([(1, 5), (5, 1), (2, 4), (4, 2), (3, 3), (2, 5), (4, 1), (1, 4)]))
    fit = ordinal_mixed(data)
    assert (fit.reason, fit.sd) == (Reason.BOUNDARY, 0)
    assert fit.of(ARM).se is not None


def test_35b_full_separation_has_no_estimate() -> None:
    # statsmodels #7051
    fit = ordinal_mixed(long_data(pairs_with([(1, 5)] * 6 + [(2, 4)] * 4)))
    assert (fit.coefficients, fit.loglik, fit.reason) == ((), None, Reason.SEPARATION)
