"""Reference values of the N=33 study that models, groups and interactions answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from scipy.special import ndtr

from analysis.dataset import Dataset, Pairs, pairs_of
from analysis.results.interaction import interactions
from analysis.results.models import ARM, long_data
from analysis.results.subgroups import Moderation, calibrations, moderations
from analysis.stats.anova import within_anova
from analysis.stats.exact import doubled_ranks
from analysis.stats.likelihood import OrdinalData
from analysis.stats.mixed import linear_mixed, ordinal_clustered, ordinal_gee
from analysis.stats.ordinal import (
    Coefficient,
    OrdinalFit,
    likelihood_ratio,
    ordinal_fixed,
    ordinal_mixed,
    proportional_odds,
)

Values = dict[str, Callable[[], Any]]

BOTH = f"{ARM}:s026"


def constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def model_values(data: Dataset) -> Values:
    s009, s026 = pairs_of(data)
    values: Values = {}
    for pairs in (s009, s026):
        values |= {f"{pairs.scenario}.trust.{k}": v for k, v in single(pairs).items()}
    for nodes, name in ((1, "clmm_pooled_laplace"), (10, "clmm_pooled_agq10")):
        values |= pooled(long_data([s009, s026]), nodes, name)
    values |= {**linear(long_data([s009, s026])), **averaged(long_data([s009, s026]))}
    return values | anovas(s009, s026) | doubles(data) | groups(data) | calibration(data)


def normal_p(pairs: Pairs, *, pratt: bool) -> float:
    """The uncorrected normal form of the signed-rank test, from our ranks."""
    ranks = doubled_ranks(pairs.differences, pratt=pratt)
    z = sum(ranks) / math.sqrt(sum(rank * rank for rank in ranks))
    return 2 * float(ndtr(-abs(z)))


def corrected_p(pairs: Pairs) -> float:
    """R's continuity correction: half a unit of W, which is one of our doubled ranks' sums."""
    ranks = doubled_ranks(pairs.differences)
    z = (abs(sum(ranks)) - 2) / math.sqrt(sum(rank * rank for rank in ranks))
    return 2 * float(ndtr(-z))


def single(pairs: Pairs) -> Values:
    data = long_data([pairs])
    plain = ordinal_fixed(data)
    values: Values = {
        "clm_nocluster.beta_apg": lambda: plain.of(ARM).estimate,
        "clm_nocluster.se": lambda: plain.of(ARM).se,
        "clm_nocluster.logLik": lambda: plain.loglik,
        "wilcoxon_p_normal_nocc": lambda: normal_p(pairs, pratt=False),
        "wilcoxon_p_normal_cc": lambda: corrected_p(pairs),
        "wilcoxon_p_asym_coin_pratt": lambda: normal_p(pairs, pratt=True),
    }
    for nodes, name in ((1, "clmm_laplace"), (10, "clmm_agq10")):
        fit = ordinal_mixed(data, nodes=nodes)
        test = likelihood_ratio(fit, ordinal_mixed(data.without(ARM), nodes=nodes))
        values |= {
            f"{name}.beta_apg": constant(fit.of(ARM).estimate),
            f"{name}.logLik": constant(fit.loglik),
            f"{name}.sd_pid": constant(fit.sd),
            f"{name}.lrt_chisq": constant(test and test.chi2),
            f"{name}.lrt_p": constant(test and test.p),
        }
    return values


def row(found: Coefficient) -> list[float | None]:
    return [found.estimate, found.se, found.z, found.p]


def pooled(data: OrdinalData, nodes: int, name: str) -> Values:
    fit = ordinal_mixed(data, nodes=nodes)
    test = likelihood_ratio(fit, ordinal_mixed(data.without(BOTH), nodes=nodes))
    names = {"condapg": ARM, "scens026": "scenario:s026", "condapg:scens026": BOTH}
    values: Values = {
        f"{name}.{theirs}.est_se_z_p": constant(row(fit.of(ours))) for theirs, ours in names.items()
    }
    for threshold in fit.thresholds:
        values[f"{name}.{threshold.name}.est_se_z_p"] = constant(row(threshold))
    values |= {
        f"{name}.logLik": constant(fit.loglik),
        f"{name}.sd_pid": constant(fit.sd),
        f"{name}.interaction_lrt_chisq": constant(test and test.chi2),
        f"{name}.interaction_lrt_p": constant(test and test.p),
    }
    if nodes == 1:
        simple = simple_effects(data)
        for scenario in ("s009", "s026"):
            found = row(simple.of(f"{ARM}@{scenario}"))
            values[f"{name}.simple_effect_{scenario}.est_se_z_p"] = constant(found)
    return values


def simple_effects(data: OrdinalData) -> OrdinalFit:
    """The same model with one slope of the arm for each scenario."""
    arm, both = data.predictors[ARM], data.predictors[BOTH]
    predictors = {
        "scenario:s026": data.predictors["scenario:s026"],
        f"{ARM}@s009": tuple(a - b for a, b in zip(arm, both, strict=True)),
        f"{ARM}@s026": both,
    }
    return ordinal_mixed(OrdinalData(data.ratings, predictors, data.participants), nodes=1)


def linear(data: OrdinalData) -> Values:
    fit = linear_mixed(data)
    names = {"condapg": ARM, "scens026": "scenario:s026", "condapg:scens026": BOTH}
    values: Values = {
        "lmm_ri.sd_pid": lambda: fit.sd_participant,
        "lmm_ri.sigma": lambda: fit.sd_residual,
        "lmm_ri.logLik_REML": lambda: fit.loglik,
        "lmm_ri.singular": lambda: bool(fit.reason),
    }
    for theirs, ours in names.items():
        term = fit.of(ours)
        assert term is not None
        found = [term.estimate, term.se, term.df, term.t, term.p]
        values[f"lmm_ri.{theirs}.est_se_df_t_p"] = constant(found)
    return values


def averaged(data: OrdinalData) -> Values:
    clustered, gee = ordinal_clustered(data, BOTH), ordinal_gee(data, BOTH)
    odds = proportional_odds(data, ARM)
    assert clustered is not None
    assert gee is not None
    assert odds is not None
    return {
        "order_model_cluster.interaction_b_se_p": lambda: [
            clustered.estimate,
            clustered.se,
            clustered.p,
        ],
        "ordinal_gee_independence.interaction_b_se_p": lambda: [gee.estimate, gee.se, gee.p],
        "clm_nominal_test.cond_LRT_df_p": lambda: [odds.chi2, odds.df, odds.p],
    }


def anovas(s009: Pairs, s026: Pairs) -> Values:
    table: dict[str, list[object]] = {"y": [], "cond": [], "scen": [], "pid": []}
    for pairs in (s009, s026):
        for person, *both in zip(pairs.ids, pairs.reference, pairs.treatment, strict=True):
            for arm, rating in zip(pairs.arms, both, strict=True):
                for key, cell in zip(table, (rating, arm, pairs.scenario, person), strict=True):
                    table[key].append(cell)
    rows = within_anova(table, rating="y", within=("cond", "scen"), subject="pid")
    return {f"rm_anova.{r.source}.F_ges_p": constant([r.f, r.eta2, r.p]) for r in rows}


def doubles(data: Dataset) -> Values:
    (found,) = interactions(data, models=False)
    test = found.double_difference
    assert test.ci is not None
    ends = [test.ci.low, test.ci.high]
    return {
        "scenario_x_condition.t_on_double_difference": lambda: test.t,
        "scenario_x_condition.p": lambda: test.p,
        "scenario_x_condition.mean_ci95": lambda: [test.mean, *ends],
        "scenario_x_condition.perm_signflip_p_exact": lambda: found.sign_flip.p,
        "scenario_x_condition.wilcoxon_p_exact_zeros_dropped": lambda: found.wilcoxon.p,
    }


def groups(data: Dataset) -> Values:
    values: Values = {}
    for found in moderations(data):
        head = f"{found.scenario}.{found.measure}"
        if found.grouping == "background.llm_literacy":
            values |= {f"{head}.{key}": value for key, value in literacy(found).items()}
        if found.grouping == "technical":
            values |= {f"{head}.{key}": value for key, value in technical(found).items()}
    return values


def literacy(found: Moderation) -> Values:
    trend, interaction = found.trend, found.interaction
    assert trend is not None
    values: Values = {
        "literacy_interaction_F": lambda: interaction.f,
        "literacy_interaction_p": lambda: interaction.p,
        "literacy_kruskal_H": lambda: interaction.kruskal_h,
        "literacy_kruskal_p": lambda: interaction.kruskal_p,
        "literacy_spearman_rho": lambda: trend.rho,
        "literacy_spearman_p": lambda: trend.p,
    }
    for group in found.groups:
        test, name = group.test, f"lit_{group.level}"
        for key, value in (
            ("n", test.n), ("mean_diff", test.mean), ("sd_diff", test.sd), ("t", test.t),
            ("p", test.p),
        ):  # fmt: skip
            values[f"{name}.{key}"] = constant(value)
    return values


def technical(found: Moderation) -> Values:
    test = found.two_groups
    assert test is not None
    values: Values = {
        "tech_interaction_t": lambda: test.t,
        "tech_interaction_p": lambda: test.p,
    }
    for group, name in zip(found.groups, ("tech", "nontech"), strict=True):
        values |= {
            f"{name}.n": constant(group.test.n),
            f"{name}.mean_diff": constant(group.test.mean),
            f"{name}.p": constant(group.test.p),
        }
    return values


def calibration(data: Dataset) -> Values:
    arms = {"apg": "apg", "baseline": "base"}
    return {
        f"{found.scenario}.trust_diff_given_faithful_{arms[group.level]}.n_mean": constant(
            [group.test.n, group.test.mean]
        )
        for found in calibrations(data)
        for group in found.groups
        if group.level in arms
    }
