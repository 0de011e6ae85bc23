"""Numbers with their source that stand here, so that these tests need no other file.

Data: trust in s026 of the N=33 study unless named. Software: R 4.2.2 with stats, effectsize 0.8.3,
exactRankTests 0.8.35, coin 1.4.2, BayesFactor 0.9.12, ordinal 2022.11, pwr 1.3, boot 1.3.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from scipy import stats

from analysis.dataset import Pairs, pairs_of
from analysis.load import load
from analysis.results.interaction import interactions
from analysis.results.models import ARM, long_data
from analysis.stats.agreement import icc, krippendorff
from analysis.stats.anova import mixed_anova
from analysis.stats.bayes import jzs
from analysis.stats.binomial import share
from analysis.stats.bootstrap import bootstrap_mean
from analysis.stats.effects import d_z, g_av, hedges_factor
from analysis.stats.equivalence import tost
from analysis.stats.exact import sign_flip, wilcoxon
from analysis.stats.groups import one_way, rank_correlation, two_sample
from analysis.stats.mcnemar import mcnemar
from analysis.stats.mixed import linear_mixed
from analysis.stats.multiplicity import benjamini_hochberg, holm
from analysis.stats.ordinal import likelihood_ratio, ordinal_mixed
from analysis.stats.paired import paired_t
from analysis.stats.power import pairs_needed, power, sensitivity
from analysis.stats.ranks import rank_biserial
from tests.analysis.studies import N33

pytestmark = pytest.mark.reference


@pytest.fixture(scope="module")
def s009() -> Pairs:
    return pairs_of(load(N33))[0]


@pytest.fixture(scope="module")
def s026() -> Pairs:
    return pairs_of(load(N33))[1]


def test_the_paired_t_test(s026: Pairs) -> None:
    # R: t.test on B and A, paired
    found = paired_t(s026.differences)
    assert found.ci is not None
    assert found.t == pytest.approx(3.11380163120642, abs=1e-12)
    assert found.p == pytest.approx(0.00387631186435871, abs=1e-14)
    assert (found.ci.low, found.ci.high) == pytest.approx((0.282957669743803, 1.35340596661983))


def test_d_z_with_its_noncentral_interval(s026: Pairs) -> None:
    # uniroot on pt(t, df, ncp), tolerance 1e-12
    found = d_z(paired_t(s026.differences))
    assert found.ci is not None
    assert found.value == pytest.approx(0.542043289071441, abs=1e-12)
    assert (found.ci.low, found.ci.high) == pytest.approx(
        (0.172431032536, 0.904285412795), abs=1e-9
    )


def test_g_av_with_hedges_exact_factor(s026: Pairs) -> None:
    # effectsize's convention: df = n - 1
    assert hedges_factor(32) == pytest.approx(0.976346760379436, abs=1e-12)
    found = g_av(s026.reference, s026.treatment, paired_t(s026.differences))
    assert found.value == pytest.approx(0.749368183407751, abs=1e-12)


def test_wilcoxon_is_exact_with_ties_and_zeros(s026: Pairs) -> None:
    # exactRankTests::wilcox.exact and coin::wilcoxsign_test(zero.method = "Pratt")
    assert wilcoxon(s026.differences).p == pytest.approx(0.00410133600234985, abs=1e-14)
    assert wilcoxon(s026.differences, pratt=True).p == pytest.approx(0.00590938329696655, abs=1e-14)


def test_the_sign_flip_test_is_exact(s026: Pairs) -> None:
    # exactRankTests, perm.test
    assert sign_flip(s026.differences).p == pytest.approx(0.00513848662376404, abs=1e-14)


def test_the_rank_biserial_correlation(s026: Pairs) -> None:
    # effectsize::rank_biserial
    found = rank_biserial(s026.differences)
    assert found.ci is not None
    assert found.value == pytest.approx(0.615384615384615, abs=1e-12)
    assert (found.ci.low, found.ci.high) == pytest.approx((0.31535637, 0.80356777), abs=1e-7)


def test_equivalence_is_not_established_in_s009(s009: Pairs) -> None:
    # two one-sided t tests in R; TOSTER gives the same
    found = tost(s009.differences, bound=0.5)
    assert found.p == pytest.approx(0.0661495546481365, abs=1e-12)
    assert found.smallest_bound == pytest.approx(0.536636131008221, abs=1e-12)


@pytest.mark.parametrize(
    ("scale", "wanted"), [(math.sqrt(0.5), 9.8386721531158), (1.0, 8.39730615121069)]
)
def test_the_bayes_factor(s026: Pairs, scale: float, wanted: float) -> None:
    # BayesFactor, ttestBF
    assert jzs(paired_t(s026.differences), scale=scale).bf10 == pytest.approx(wanted, rel=1e-9)


def test_the_one_sided_bayes_factor(s026: Pairs) -> None:
    # BayesFactor with the null interval from zero up
    found = jzs(paired_t(s026.differences)).log10_bf_plus0
    assert found == pytest.approx(math.log10(19.6259961792143), abs=1e-7)


def test_the_bootstrap_interval_is_exact(s026: Pairs) -> None:
    # boot's 100 000 resamples lie within one step of the lattice, 1/33
    found = bootstrap_mean(s026.differences)
    assert found.bca is not None
    assert (found.bca.low, found.bca.high) == pytest.approx((11 / 33, 45 / 33), abs=1e-12)


def test_shares_with_both_intervals() -> None:
    # R: binom.test and prop.test (without correction) of 25 in 33
    found = share(25, 33)
    assert found.wilson is not None
    assert found.clopper_pearson is not None
    assert found.p == pytest.approx(0.00455138413235546, abs=1e-14)
    assert found.wilson.low == pytest.approx(0.589753801704426, abs=1e-12)
    assert found.clopper_pearson.high == pytest.approx(0.88907670044116, abs=1e-12)


def test_mcnemar_is_exact() -> None:
    # binom.test(17, 20): APG faithful against APG ready-made in s026
    first = dict.fromkeys(map(str, range(25)), True) | dict.fromkeys(map(str, range(25, 33)), False)
    second = {str(i): 17 <= i < 28 for i in range(33)}
    found = mcnemar(first, second)
    assert (found.first_only, found.second_only) == (17, 3)
    assert found.p == pytest.approx(0.00257682800292969, abs=1e-14)


def test_adjusted_p_values() -> None:
    # p.adjust
    raw = [0.00387631186435871, 0.624511470007546, 0.00210240157321096, 0.0801433124579489]
    assert holm(raw) == pytest.approx([0.0116289356, 0.62451147, 0.0084096063, 0.160286625])
    assert benjamini_hochberg(raw) == pytest.approx(
        [0.0077526237, 0.62451147, 0.0077526237, 0.1068577499]
    )


def test_power_and_what_a_sample_can_detect() -> None:
    # pwr::pwr.t.test(type = "paired")
    assert power(0.542043289071441, 33) == pytest.approx(0.855234201804759, abs=1e-6)
    assert sensitivity(33) == pytest.approx(0.50297, abs=1e-4)
    assert (pairs_needed(0.3), pairs_needed(0.5), pairs_needed(0.3, wanted=0.9)) == (90, 34, 119)


def test_the_ordinal_mixed_model(s009: Pairs, s026: Pairs) -> None:
    # ordinal::clmm(y ~ cond * scen + (1 | pid), nAGQ = 10)
    data = long_data([s009, s026])
    fit = ordinal_mixed(data)
    slope = fit.of(f"{ARM}:s026")
    test = likelihood_ratio(fit, ordinal_mixed(data.without(f"{ARM}:s026")))
    assert test is not None
    assert slope.estimate == pytest.approx(1.33984470226544, abs=1e-4)
    assert slope.se == pytest.approx(0.656393037126431, abs=1e-4)
    assert fit.loglik == pytest.approx(-182.067850730078, abs=1e-6)
    assert fit.sd == pytest.approx(0.84525530012613, abs=1e-4)
    assert test.p == pytest.approx(0.0396881431297749, abs=1e-6)


def test_the_linear_mixed_model(s009: Pairs, s026: Pairs) -> None:
    # lmerTest::lmer, Satterthwaite: t(96)
    term = linear_mixed(long_data([s009, s026])).of(f"{ARM}:s026")
    assert term is not None
    assert (term.estimate, term.se) == pytest.approx((0.696969696969696, 0.324079539976), abs=1e-6)
    assert term.df == 96
    assert term.p == pytest.approx(0.0340179522342813, abs=1e-5)


def test_the_methods_disagree_about_the_interaction() -> None:
    (found,) = interactions(load(N33))
    ps = {method.name: method.p for method in found.methods}
    assert ps["double_t"] == pytest.approx(0.0727338080201934, abs=1e-12)
    assert ps["double_flip"] == pytest.approx(0.08655405044555664, abs=1e-12)
    assert ps["double_wilcoxon"] == pytest.approx(0.10700756311416626, abs=1e-12)
    assert ps["ordinal_mixed_ratio"] == pytest.approx(0.0396881431297749, abs=1e-5)
    assert ps["ordinal_clustered"] == pytest.approx(0.09295, abs=1e-4)
    assert ps["ordinal_gee"] == pytest.approx(0.06239, abs=1e-4)


def test_groups_compared_as_scipy_does() -> None:
    a, b, c = [1, 2, 3, 4], [2, 4, 4, 5, 6], [5, 6, 7]
    found = one_way({"a": a, "b": b, "c": c})
    assert (found.f, found.p) == pytest.approx(tuple(stats.f_oneway(a, b, c)))
    assert (found.kruskal_h, found.kruskal_p) == pytest.approx(tuple(stats.kruskal(a, b, c)))
    pooled = stats.ttest_ind(a, b)
    assert (two_sample(a, b).t, two_sample(a, b).p) == pytest.approx(tuple(pooled))
    many = [2, 1, 4, 4, 5, 8, 6, 7]
    ranks = stats.spearmanr(range(8), many)
    found_ranks = rank_correlation(range(8), many)
    assert (found_ranks.rho, found_ranks.p) == pytest.approx((ranks.statistic, ranks.pvalue))
    # R 4.2.2: cor.test(1:5, c(2,1,3,5,4), method = "spearman", exact = TRUE); and c(5,1,2,4,3)
    assert rank_correlation(range(5), [2, 1, 3, 5, 4]).p == pytest.approx(0.1333333, abs=1e-7)
    assert rank_correlation(range(5), [5, 1, 2, 4, 3]).p == pytest.approx(0.95)
    assert rank_correlation(range(7), [2, 1, 3, 5, 4, 7, 6]).p == pytest.approx(
        0.01230159, abs=1e-8
    )


def test_agreement() -> None:
    # ICC(2,1) of Shrout and Fleiss (1979), table 2: .29
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    assert icc(table).value == pytest.approx(0.29, abs=0.005)
    # Krippendorff (2011), the worked example with missing ratings: ordinal alpha .815
    units = {
        "1": [1, 1, 1], "2": [2, 2, 3, 2], "3": [3, 3, 3, 3], "4": [3, 3, 3, 3], "5": [2, 2, 2, 2],
        "6": [1, 2, 3, 4], "7": [4, 4, 4, 4], "8": [1, 1, 2, 1], "9": [2, 2, 2, 2], "10": [5, 5, 5],
        "11": [1, 1], "12": [3],
    }  # fmt: skip
    assert krippendorff(units).value == pytest.approx(0.815, abs=0.0005)


def test_the_mixed_anova_reads_pingouin_by_its_present_names() -> None:
    table: dict[str, list[object]] = {"rating": [], "arm": [], "cohort": [], "person": []}
    ratings = {"a": (1, 3), "b": (2, 5), "c": (2, 4), "d": (3, 3), "e": (4, 3), "f": (3, 4)}
    for person, both in ratings.items():
        for arm, rating in zip(("baseline", "apg"), both, strict=True):
            cohort = "crowd" if person in "abc" else "expert"
            for column, cell in zip(table.values(), (rating, arm, cohort, person), strict=True):
                column.append(cell)
    rows = mixed_anova(table, rating="rating", within="arm", between="cohort", subject="person")
    found = next(row for row in rows if row.source == "cohort:arm")
    # With two arms the interaction's F is the square of the t of the differences.
    t = two_sample([2, 3, 2], [0, -1, 1]).t
    assert t is not None
    assert found.f == pytest.approx(t * t)
    assert found.df == (1, 4)


@pytest.mark.parametrize(("n", "top"), [(2, 3), (9, 4), (15, 40), (25, 300)])
def test_the_bootstrap_of_any_scale_is_what_counting_gives(n: int, top: int) -> None:
    dice = random.Random(n * top)
    differences = [0, top, *(dice.randint(-top, top) for _ in range(n - 2))]
    sums = Counter({0: 1})
    for _ in range(n):
        longer: Counter[int] = Counter()
        for total, ways in sums.items():
            for d in differences:
                longer[total + d] += ways
        sums = longer
    bounds = []
    for tail in (Fraction(1, 40), Fraction(39, 40)):
        reached = 0
        for total, ways in sorted(sums.items()):
            reached += ways
            if reached >= tail * n**n:
                bounds.append(total / n)
                break
    found = bootstrap_mean(differences).percentile
    assert found is not None
    assert [found.low, found.high] == pytest.approx(bounds)
