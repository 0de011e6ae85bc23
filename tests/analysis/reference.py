"""The reference values of the N=33 study: which of our numbers answers which id."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from analysis.dataset import Dataset, Pairs, choices_of, pairs_of
from analysis.load import load
from analysis.results.core import RatingRow, core
from analysis.stats.bayes import jzs
from analysis.stats.binomial import share
from analysis.stats.bootstrap import bootstrap_mean
from analysis.stats.consistency import Printed, nearest, sums_possible, t_possible
from analysis.stats.effects import d_av, d_av_normal_ci, d_z, g_av, g_z, hedges_factor
from analysis.stats.equivalence import tost
from analysis.stats.exact import wilcoxon
from analysis.stats.mcnemar import mcnemar
from analysis.stats.multiplicity import benjamini_hochberg, family_adjust, holm
from analysis.stats.normality import shapiro
from analysis.stats.paired import Interval, paired_t
from analysis.stats.power import pairs_needed, pairs_needed_exact, power, sensitivity
from analysis.stats.ranks import hodges_lehmann, rank_biserial, superiority
from tests.analysis.reference_models import model_values
from tests.analysis.studies import N33

Values = dict[str, Callable[[], Any]]


def constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def both(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def dataset() -> Dataset:
    return load(N33)


def ours() -> Values:
    """Every id we can answer, as a function, so that one failure hides no other."""
    data = dataset()
    values: Values = {}
    for pairs, row in zip(pairs_of(data), core(data).ratings, strict=True):
        values |= {f"{pairs.scenario}.trust.{k}": v for k, v in trust(pairs, row).items()}
    s026 = pairs_of(data)[1].differences
    values |= {
        "s026.trust.bf10_r0.707_pingouin_jamovi": lambda: jzs(paired_t(s026), scale=0.707).bf10,
        "s026.trust.loo_p_range": lambda: leave_one_out(s026),
        "s026.trust.drop_abs4_t_p_n": lambda: without_extremes(s026),
    }
    values |= {**choices(data), **mcnemars(data), **families(data), **powers(), **forensics()}
    return values | demographics(data) | model_values(data)


def demographics(data: Dataset) -> Values:
    found = core(data).background

    def listed(measure: str, *answers: str) -> Callable[[], Any]:
        return constant([found[measure][answer] for answer in answers])

    return {
        "demographics.age_lt26_26to35_36to50_gt50": listed(
            "background.age_group", "under_26", "26_35", "36_50", "over_50"
        ),
        "demographics.nontechnical_techstudent_itpro": listed(
            "background.field", "non_technical", "technical_student", "it_professional"
        ),
        "demographics.literacy_low_medium_high": listed(
            "background.llm_literacy", "low", "medium", "high"
        ),
    }


def trust(pairs: Pairs, row: RatingRow) -> Values:
    d, t = pairs.differences, row.t_test
    x, y = pairs.reference, pairs.treatment
    apg, base = row.treatment, row.reference
    half, z = tost(d, bound=0.5), d_z(t)
    ranks = row.wilcoxon
    return {
        "n": lambda: row.n,
        "mean_apg": lambda: apg.mean,
        "sd_apg": lambda: apg.sd,
        "mean_base": lambda: base.mean,
        "sd_base": lambda: base.sd,
        "median_apg": lambda: apg.median,
        "median_base": lambda: base.median,
        "sum_apg": lambda: apg.total,
        "sum_base": lambda: base.total,
        "sumsq_apg": lambda: apg.total_squares,
        "sumsq_base": lambda: base.total_squares,
        "sum_d": lambda: row.difference.total,
        "sumsq_d": lambda: row.difference.total_squares,
        "counts_apg_1to5": lambda: list(apg.counts.values()),
        "counts_base_1to5": lambda: list(base.counts.values()),
        "counts_diff_m4to4": lambda: list(row.difference.counts.values()),
        "n_pos": lambda: ranks.n_positive,
        "n_neg": lambda: ranks.n_negative,
        "n_zero": lambda: ranks.n_zero,
        "pearson_r": lambda: row.r,
        "t": lambda: t.t,
        "df": lambda: t.df,
        "t_p_two_sided": lambda: t.p,
        "t_p_greater": lambda: t.p_greater,
        "mean_diff": lambda: t.mean,
        "sd_diff": lambda: t.sd,
        "se_diff": lambda: t.se,
        "mean_diff_ci95": lambda: both(t.ci),
        "dz": lambda: z.value,
        "dz_ci95_ncp": lambda: both(z.ci),
        "dz_ci95_ncp_uniroot": lambda: both(z.ci),
        "gz": lambda: g_z(t).value,
        "gz_ci95_ncp": lambda: both(g_z(t).ci),
        "hedges_J_df32": lambda: hedges_factor(32),
        "dav": lambda: d_av(x, y, t).value,
        "dav_ci95_ncp": lambda: both(d_av(x, y, t).ci),
        "dav_ci95_normal": lambda: both(d_av_normal_ci(x, y)),
        "gav_df32": lambda: g_av(x, y, t).value,
        "gav_df32_ci95_normal": lambda: [
            end * (hedges_factor(32) or 0.0) for end in both(d_av_normal_ci(x, y)) or ()
        ],
        "drm": lambda: (z.value or 0) * math.sqrt(2 * (1 - (row.r or 0))),
        "gav_df32_ci95_ncp": lambda: both(g_av(x, y, t).ci),
        "W_plus": lambda: ranks.w_plus,
        "W_minus": lambda: ranks.w_minus,
        "W_min": lambda: min(ranks.w_plus, ranks.w_minus),
        "wilcoxon_V": lambda: ranks.w_plus,
        "wilcoxon_p_exact_zeros_dropped": lambda: ranks.p,
        "wilcoxon_p_exact_coin_wilcoxon": lambda: ranks.p,
        "wilcoxon_p_exact_coin_pratt": lambda: wilcoxon(d, pratt=True).p,
        "rank_biserial": lambda: rank_biserial(d).value,
        "rank_biserial_effectsize": lambda: rank_biserial(d).value,
        "rank_biserial_ci95_effectsize": lambda: both(rank_biserial(d).ci),
        "hodges_lehmann": lambda: hodges_lehmann(d),
        "hodges_lehmann_exact": lambda: hodges_lehmann(d),
        "prob_superiority": lambda: superiority(d),
        "sign_test_p": lambda: row.sign_test.p,
        "sign_prop_apg_higher": lambda: signs(row).share,
        "sign_ci95_cp": lambda: both(signs(row).clopper_pearson),
        "tost05.t_lower": lambda: half.t_lower,
        "tost05.p_lower": lambda: half.p_lower,
        "tost05.t_upper": lambda: half.t_upper,
        "tost05.p_upper": lambda: half.p_upper,
        "tost05.p": lambda: half.p,
        "tost05.ci90": lambda: both(half.ci),
        "tost_smallest_symmetric_bound_p05": lambda: half.smallest_bound,
        "bf10_jzs_r0707": lambda: jzs(t).bf10,
        "bf01_jzs_r0707": lambda: 1 / (jzs(t).bf10 or 0),
        "bf10_jzs_r1.000": lambda: jzs(t, scale=1.0).bf10,
        "bf10_jzs_r1.414": lambda: jzs(t, scale=2**0.5).bf10,
        "bf_plus0_r0707": lambda: 10 ** (jzs(t).log10_bf_plus0 or 0),
        "shapiro_W_diff": lambda: shapiro(d).w,
        "shapiro_p_diff": lambda: shapiro(d).p,
        "perm_signflip_p_exact": lambda: row.sign_flip.p,
        "mean_diff_ci95_bca": lambda: both(bootstrap_mean(d, strict=True).bca),
        "mean_diff_ci95_pctboot": lambda: both(bootstrap_mean(d).percentile),
        "mean_diff_ci95_bca_exact": lambda: both(bootstrap_mean(d).bca),
        "mean_diff_ci95_bca_exact_strict": lambda: both(bootstrap_mean(d, strict=True).bca),
        "mean_diff_ci95_pctboot_exact": lambda: both(bootstrap_mean(d).percentile),
        "scipy_bootstrap_BCa_ci95": lambda: both(bootstrap_mean(d).bca),
        "scipy_bootstrap_percentile_ci95": lambda: both(bootstrap_mean(d).percentile),
        "bca_a": lambda: bootstrap_mean(d).acceleration,
        "bca_z0_half": lambda: bootstrap_mean(d).z0,
        "achieved_power": lambda: power(abs(z.value or 0), row.n),
    }


def signs(row: RatingRow) -> Any:
    positive, negative = row.sign_test.n_positive, row.sign_test.n_negative
    return share(positive, positive + negative)


def leave_one_out(d: tuple[int, ...]) -> list[float]:
    found = [paired_t(d[:i] + d[i + 1 :]).p or 0.0 for i in range(len(d))]
    return [min(found), max(found)]


def without_extremes(d: tuple[int, ...]) -> list[float | int | None]:
    test = paired_t([x for x in d if abs(x) < 4])
    return [test.t, test.p, test.n]


def answers(data: Dataset) -> Mapping[tuple[str, str], dict[str, str]]:
    return {(c.scenario, c.measure): c.answers for c in choices_of(data)}


def choices(data: Dataset) -> Values:
    rows = {(row.scenario, row.measure): row for row in core(data).choices}
    asked = {
        "s026.faithful_apg": (rows["s026", "faithful"], True),
        "s026.ready_baseline": (rows["s026", "ready_made"], False),
        "s009.faithful_apg": (rows["s009", "faithful"], True),
        "s009.fluent_baseline": (rows["s009", "fluent"], False),
    }
    values: Values = {}
    for name, (row, treatment) in asked.items():
        everyone = row.treatment if treatment else row.reference
        decided = row.treatment_of_deciders if treatment else row.reference_of_deciders
        values |= {
            f"{name}.count": constant(everyone.count),
            f"{name}.n": constant(everyone.n),
            f"{name}.share": constant(everyone.share),
            f"{name}.ci95_wilson": constant(both(everyone.wilson)),
            f"{name}.ci95_clopper_pearson": constant(both(everyone.clopper_pearson)),
            f"{name}.binom_p_half_all33": constant(everyone.p),
            f"{name}.decided_n": constant(decided.n),
            f"{name}.decided_share": constant(decided.share),
            f"{name}.decided_binom_p": constant(decided.p),
            f"{name}.decided_ci95_wilson": constant(both(decided.wilson)),
            f"{name}.decided_ci95_clopper_pearson": constant(both(decided.clopper_pearson)),
        }
    return values


def mcnemars(data: Dataset) -> Values:
    found = answers(data)

    def chose(scenario: str, measure: str, arm: str) -> dict[str, bool]:
        return {who: value == arm for who, value in found[scenario, measure].items()}

    tables = {
        "faithful_apg_s026_vs_s009": mcnemar(
            chose("s026", "faithful", "apg"), chose("s009", "faithful", "apg")
        ),
        "s026_faithful_apg_vs_ready_apg": mcnemar(
            chose("s026", "faithful", "apg"), chose("s026", "ready_made", "apg")
        ),
        "s009_faithful_apg_vs_fluent_apg": mcnemar(
            chose("s009", "faithful", "apg"), chose("s009", "fluent", "apg")
        ),
        "baseline_style_s026ready_vs_s009fluent": mcnemar(
            chose("s026", "ready_made", "baseline"), chose("s009", "fluent", "baseline")
        ),
    }
    values: Values = {}
    for name, t in tables.items():
        cells = [t.neither, t.second_only, t.first_only, t.both]
        values[f"mcnemar.{name}.table_rowmajor_FF_FT_TF_TT"] = constant(cells)
        values[f"mcnemar.{name}.exact_p"] = constant(t.p)
    return values


def families(data: Dataset) -> Values:
    rows = core(data)
    trusts = {row.scenario: row.t_test.p for row in rows.ratings}
    decided = {(row.scenario, row.measure): row.treatment_of_deciders.p for row in rows.choices}
    six = [
        trusts["s026"], trusts["s009"], decided["s026", "faithful"], decided["s026", "ready_made"],
        decided["s009", "faithful"], decided["s009", "fluent"],
    ]  # fmt: skip
    raw = [p for p in six if p is not None]
    gap = family_adjust({"a": 0.01, "b": None, "c": 0.03})
    return {
        "multiplicity6.raw": lambda: raw,
        "multiplicity6.holm": lambda: holm(raw),
        "multiplicity6.BH": lambda: benjamini_hochberg(raw),
        "multiplicity2_trust.holm": lambda: holm(raw[:2]),
        "multiplicity2_trust.BH": lambda: benjamini_hochberg(raw[:2]),
        "padjust_na.holm(.01,NA,.03)": lambda: [member.holm for member in gap],
    }


def powers() -> Values:
    values: Values = {
        "power.sensitivity_dz_n33_80": lambda: sensitivity(33),
        "power.sensitivity_dz_n33_90": lambda: sensitivity(33, wanted=0.9),
    }
    for text in ("0.2", "0.3", "0.4", "0.5", "0.542"):
        for wanted in (80, 90):
            d_z, share = float(text), wanted / 100
            values[f"power.n_for_dz{text}_power{wanted}"] = constant(
                [pairs_needed_exact(d_z, wanted=share), pairs_needed(d_z, wanted=share)]
            )
    return values


def forensics() -> Values:
    apg = sums_possible(Printed("3.27", "1.21"), n=33, scale=(1, 5))
    base = sums_possible(Printed("2.45", "0.90"), n=33, scale=(1, 5))
    possible = t_possible(base, apg, n=33, lowest=1)
    return {
        "published_forensics.unique_sum_sumsq_apg": lambda: [
            part for sums in apg for part in (sums.total, sums.squares)
        ],
        "published_forensics.unique_sum_sumsq_base": lambda: [
            part for sums in base for part in (sums.total, sums.squares)
        ],
        "published_forensics.sumsq_d_feasible_range": lambda: [
            min(p.squares for p in possible),
            max(p.squares for p in possible),
        ],
        "published_forensics.possible_t_near": lambda: [p.t for p in nearest(possible, "3.12")],
    }
