"""Standardised differences of paired ratings, each by its own name.

d_z divides by the SD of the differences, d_av by the root of the mean of both variances. Libraries
call either one "Cohen's d" (pingouin's paired `cohen_d` is d_av); here the name is always said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scipy.special import gammaln, nctdtr, ndtri

from analysis.stats.describe import correlation, standard_deviation
from analysis.stats.paired import Interval, PairedT
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class Effect:
    """One standardised difference with its interval; null with a reason where undefined."""

    name: str
    value: float | None
    ci: Interval | None
    reason: Reason = Reason.NONE


def d_z(test: PairedT, *, level: float = 0.95) -> Effect:
    """Mean difference over the SD of differences; interval by inverting the noncentral t."""
    if test.t is None or test.df is None:
        return Effect("d_z", None, None, test.reason)
    scale = 1 / math.sqrt(test.n)
    low, high = noncentrality(test.t, test.df, level=level)
    return Effect("d_z", test.t * scale, Interval(low * scale, high * scale, level))


def g_z(test: PairedT, *, level: float = 0.95) -> Effect:
    """d_z with Hedges' exact small-sample factor, df = n - 1."""
    effect = d_z(test, level=level)
    if effect.value is None or effect.ci is None or test.df is None:
        return Effect("g_z", None, None, effect.reason)
    return _times("g_z", effect, hedges_factor(test.df))


def d_av(
    reference: Sequence[float], treatment: Sequence[float], test: PairedT, *, level: float = 0.95
) -> Effect:
    """Mean difference over the root of the mean variance; noncentral interval.

    The limits are those of d_z carried over by SD(d) / s_av (Algina and Keselman 2003).
    """
    return d_av_from(
        test, standard_deviation(reference), standard_deviation(treatment), level=level
    )


def d_av_from(
    test: PairedT, sd_reference: float | None, sd_treatment: float | None, *, level: float = 0.95
) -> Effect:
    """d_av from both SDs, where the ratings are not at hand."""
    standardiser = _average_sd(sd_reference, sd_treatment)
    if test.t is None or test.df is None or test.sd is None or test.mean is None:
        return Effect("d_av", None, None, test.reason)
    if not standardiser:
        return Effect("d_av", None, None, Reason.ZERO_VARIANCE)
    scale = test.sd / (standardiser * math.sqrt(test.n))
    low, high = noncentrality(test.t, test.df, level=level)
    return Effect("d_av", test.mean / standardiser, Interval(low * scale, high * scale, level))


def d_av_normal_ci(
    reference: Sequence[float], treatment: Sequence[float], *, level: float = 0.95
) -> Interval | None:
    """Normal-theory interval of d_av, as effectsize has it (Algina and Keselman 2003, eq. 4)."""
    s_ref, s_treat = standard_deviation(reference), standard_deviation(treatment)
    standardiser = _average_sd(s_ref, s_treat)
    if not standardiser or s_ref is None or s_treat is None:
        return None
    n = len(reference)
    r = correlation(reference, treatment) or 0.0
    covariance = r * s_ref * s_treat
    value = math.fsum(t - x for x, t in zip(reference, treatment, strict=True)) / n / standardiser
    spread = s_ref**2 + s_treat**2 - 2 * covariance
    variance = 2 * spread / (n * (s_ref**2 + s_treat**2))
    reach = float(ndtri((1 + level) / 2)) * math.sqrt(variance)
    return Interval(value - reach, value + reach, level)


def g_av(
    reference: Sequence[float], treatment: Sequence[float], test: PairedT, *, level: float = 0.95
) -> Effect:
    """d_av with Hedges' exact factor, df = n - 1 (effectsize's convention)."""
    return g_av_from(
        test, standard_deviation(reference), standard_deviation(treatment), level=level
    )


def g_av_from(
    test: PairedT, sd_reference: float | None, sd_treatment: float | None, *, level: float = 0.95
) -> Effect:
    """g_av from both SDs, where the ratings are not at hand."""
    effect = d_av_from(test, sd_reference, sd_treatment, level=level)
    if effect.value is None or test.df is None:
        return Effect("g_av", None, None, effect.reason)
    return _times("g_av", effect, hedges_factor(test.df))


def hedges_factor(df: float) -> float | None:
    """Hedges' exact J: Γ(df/2) / (√(df/2) Γ((df - 1)/2)).

    Null for df of 1, where d has no expectation whose bias could be taken off (R's formula: 0).
    """
    if df < 2:
        return None
    return math.exp(float(gammaln(df / 2) - gammaln((df - 1) / 2)) - math.log(df / 2) / 2)


def noncentrality(t: float, df: int, *, level: float = 0.95) -> tuple[float, float]:
    """The noncentralities that put t at the upper and the lower tail, by bisection."""
    tail = (1 - level) / 2
    low = _bisect(lambda nc: float(nctdtr(df, nc, t)) - (1 - tail), t, df)
    high = _bisect(lambda nc: float(nctdtr(df, nc, t)) - tail, t, df)
    return low, high


def _bisect(falling: Callable[[float], float], start: float, df: int) -> float:
    """Root of a function that falls with noncentrality, bracketed around t."""
    reach = 5.0 + 3.0 * abs(start) / math.sqrt(df)
    low, high = start - reach, start + reach
    while falling(low) < 0:
        low -= reach
    while falling(high) > 0:
        high += reach
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def _average_sd(first: float | None, second: float | None) -> float | None:
    if first is None or second is None:
        return None
    return math.sqrt((first**2 + second**2) / 2)


def _times(name: str, effect: Effect, factor: float | None) -> Effect:
    if factor is None:
        return Effect(name, None, None, Reason.TOO_FEW)
    if effect.value is None or effect.ci is None:
        return Effect(name, None, None, effect.reason)
    ci = Interval(effect.ci.low * factor, effect.ci.high * factor, effect.ci.level)
    return Effect(name, effect.value * factor, ci)
