"""The sentence that can be pasted into a paper, from a core row alone."""

from __future__ import annotations

from typing import Final

from analysis.report.words import Words
from analysis.results.core import RatingRow
from analysis.stats.bayes import jzs
from analysis.stats.effects import g_av_from
from analysis.stats.exact import EXACT
from analysis.stats.ranks import rank_biserial
from analysis.stats.undefined import Reason

_ALPHA: Final = 0.05


def apa_line(row: RatingRow, arms: tuple[str, str], words: Words) -> str:
    """One sentence in APA style; from p = .05 on it speaks of no detected difference."""
    test, half = row.t_test, row.tost
    if test.t is None or test.mean is None:
        return _undefined(row, arms, words)
    verb = "same" if (test.p or 0.0) >= _ALPHA else "higher" if test.mean > 0 else "lower"
    return words(
        f"apa_{verb}",
        scenario=row.scenario,
        measure=row.measure,
        treatment=arms[1],
        reference=arms[0],
        one=f"M = {words.fixed(row.treatment.mean)}, SD = {words.fixed(row.treatment.sd)}",
        two=f"M = {words.fixed(row.reference.mean)}, SD = {words.fixed(row.reference.sd)}",
        figures=_figures(row, words),
        bound=f"{words.short(half.bound)}",
        equivalent=words("shown" if half.p is not None and half.p < half.alpha else "not_shown"),
        tost=words.p_equals(half.p, 3),
    )


def _undefined(row: RatingRow, arms: tuple[str, str], words: Words) -> str:
    test, flip = row.t_test, row.sign_flip
    about = {"scenario": row.scenario, "measure": row.measure, "n": row.n}
    if test.reason is not Reason.ZERO_VARIANCE or flip.p is None:
        return words("apa_undefined", **about, why=words.say(test.reason.text))
    return words(
        "apa_constant",
        **about,
        treatment=arms[1],
        reference=arms[0],
        mean=words.fixed(test.mean, sign=True),
        flip=words.p_equals(flip.p, 3),
    )


def _figures(row: RatingRow, words: Words) -> str:
    test, effect, ranks = row.t_test, row.d_z, row.wilcoxon
    average = g_av_from(test, row.reference.sd, row.treatment.sd)
    factor = jzs(test).log10_bf10
    name = words("exact_wilcoxon") if ranks.method == EXACT else "Wilcoxon"
    text = ", ".join(
        (
            f"{words('mean_difference')} {words.fixed(test.mean)}",
            words.with_ci(test.ci),
            f"t({test.df}) = {words.fixed(test.t)}",
            words.p_equals(test.p, 3),
            f"d_z = {words.fixed(effect.value)} {words.bracket(effect.ci)}",
            f"g_av = {words.fixed(average.value)}",
            f"BF10 = {words.log10_text(factor)}; {name} W+ = {words.short(ranks.w_plus)}",
            words.p_equals(ranks.p, 3),
        )
    )
    counts = row.difference.counts
    found = rank_biserial([d for d, count in counts.items() for _ in range(count)])
    if found.value is None or found.ci is None:
        return text
    if found.reason is not Reason.NONE:
        return f"{text}, r_rb = {words.bare(found.value, 2)}"
    interval = words.bracket(found.ci, bare=True)
    return f"{text}, r_rb = {words.bare(found.value, 2)} {interval}"
