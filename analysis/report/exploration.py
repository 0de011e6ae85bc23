"""The report's section on subgroups, calibration, agreement and reading: nothing in it confirms."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.report.document import Block, Heading, Listing, Notice, Paragraph, Table
from analysis.report.numbers import UNDEFINED
from analysis.report.words import Words
from analysis.results.full import Full
from analysis.results.group_models import GroupModels
from analysis.results.subgroups import FidelityTrend, Moderation, Subgroup


def exploratory(full: Full, words: Words) -> list[Block]:
    """Cohorts, moderators, calibration, agreement and reading time: none of it confirms."""
    blocks: list[Block] = [
        Heading(2, f"12. {words('exploratory')}"),
        Notice(words("exploratory_notice")),
    ]
    blocks += _compared(full.cohorts, full.group_models, words, title="cohorts")
    blocks += _compared(full.pressure, full.group_models, words, title="pressure")
    if full.moderations:
        blocks += [Heading(3, words("moderators")), *_moderation_tables(full.moderations, words)]
    blocks += [*_calibration(full, words), *_fidelity(full, words)]
    blocks += _agreement(full, words)
    return [*blocks, *_reading(full, words)]


def _compared(
    found: Sequence[Moderation], models: Sequence[GroupModels], words: Words, *, title: str
) -> list[Block]:
    """Groups of people by the F test of the differences first, then by both models."""
    if not found:
        return []
    fitted = [model for model in models if model.grouping == found[0].grouping]
    rows = tuple(
        (
            f"{model.scenario}: {model.measure}",
            words.effect(row.source),
            f"{words.fixed(row.f)} ({row.df[0]}, {row.df[1]})",
            words.p_only(row.p),
        )
        for model in fitted
        for row in model.anova
    )
    head = (words("measure"), words("effect"), "F (df)", "p")
    blocks: list[Block] = [Heading(3, words(title)), *_moderation_tables(found, words)]
    blocks += [Table(words("group_anova"), head, rows, 2)] if rows else []
    lines = tuple(
        words(
            "group_ordinal",
            name=f"{model.scenario}: {model.measure}",
            effect=words.effect(f"{model.grouping}:arm"),
            chi2=words.fixed(model.ordinal.chi2),
            df=model.ordinal.df,
            p=words.p_equals(model.ordinal.p),
        )
        for model in fitted
        if model.ordinal is not None
    )
    return [*blocks, Listing(lines)] if lines else blocks


def _moderation_tables(found: Sequence[Moderation], words: Words) -> list[Block]:
    rows = []
    for m in found:
        name, f = f"{m.scenario}: {m.measure}", m.interaction
        text = UNDEFINED if f.f is None else f"{words.fixed(f.f)} ({f.df[0]}, {f.df[1]})"
        trend = (
            UNDEFINED
            if m.trend is None
            else f"{words.fixed(m.trend.rho)}, p {words.p_only(m.trend.p)}"
        )
        rows.append(
            (
                name,
                words.effect(m.grouping),
                text,
                words.p_only(f.p),
                words.p_only(f.kruskal_p),
                trend,
            )
        )
    head = (words("measure"), words("grouping"), "F (df)", "p", "Kruskal p", "Spearman")
    groups = tuple(
        (f"{m.scenario}: {m.measure}", words.effect(m.grouping), *_group(group, words))
        for m in found
        for group in m.groups
    )
    inside = (words("measure"), words("grouping"), words("level"), "n", "M", "SD", "t", "p")
    return [
        Table(words("moderation_caption"), head, tuple(rows), 2),
        Table(words("groups_caption"), inside, groups, 3),
    ]


def _group(group: Subgroup, words: Words) -> tuple[str, ...]:
    test = group.test
    figures = (
        words.fixed(test.mean, sign=True),
        words.fixed(test.sd),
        words.fixed(test.t),
        words.p_only(test.p),
    )
    return (words.answer(group.level), str(test.n), *figures)


def _calibration(full: Full, words: Words) -> list[Block]:
    if not full.calibrations:
        return []
    rows = tuple(
        (f"{c.scenario}: {c.measure}", *_group(group, words))
        for c in full.calibrations
        for group in c.groups
    )
    head = (words("measure"), words("found_faithful"), "n", "M", "SD", "t", "p")
    lines = [
        f"{c.scenario}: F({c.interaction.df[0]}, {c.interaction.df[1]}) = "
        f"{words.fixed(c.interaction.f)}, {words.p_equals(c.interaction.p)}"
        for c in full.calibrations
        if c.interaction.f is not None
    ]
    return [
        Heading(3, words("calibration")),
        Table(words("calibration_caption"), head, rows, 2),
        *([Listing(tuple(lines))] if lines else []),
    ]


def _fidelity(full: Full, words: Words) -> list[Block]:
    """Trust against PF over the scenarios, or the sentence why there is no such trend."""
    lines = [_fidelity_line(found, words) for found in full.fidelity]
    if not lines:
        return []
    return [Heading(3, words("fidelity_title")), Listing(tuple(lines))]


def _fidelity_line(found: FidelityTrend, words: Words) -> str:
    trend = found.trend
    if trend is None:
        return words("fidelity_none", measure=found.measure, n=found.scenarios)
    if trend.rho is None:
        why = words.say(trend.reason.text)
        return words("fidelity_undefined", measure=found.measure, n=trend.n, why=why)
    return words(
        "fidelity",
        measure=found.measure,
        n=trend.n,
        rho=words.fixed(trend.rho),
        p=words.p_equals(trend.p),
        method=words(f"orders_{trend.method}"),
    )


def _agreement(full: Full, words: Words) -> list[Block]:
    rows = tuple(
        (
            a.measure,
            str(a.icc.items),
            str(a.icc.raters),
            words.fixed(a.icc.value),
            words.bracket(a.icc.ci),
            words.fixed(a.alpha.value),
        )
        for a in full.agreement
    )
    if not rows:
        return []
    head = (
        words("measure"),
        words("items"),
        words("raters"),
        "ICC(2,1)",
        words.level(0.95),
        "alpha",
    )
    table = Table(words("agreement_caption"), head, rows)
    return [Heading(3, words("agreement")), table, Paragraph(words("agreement_note"))]


def _reading(full: Full, words: Words) -> list[Block]:
    heading: list[Block] = [Heading(3, words("reading"))]
    if not full.reading:
        return [*heading, Paragraph(words("no_times"))]
    rows = tuple(
        (
            f"{r.scenario}: {r.measure}",
            words(f"kept_{r.basis}", seconds=r.seconds),
            str(r.removed),
            str(r.test.n),
            words.fixed(r.test.mean, sign=True),
            words.bracket(r.test.ci),
            words.p_only(r.test.p),
        )
        for r in full.reading
    )
    head = (
        words("measure"), words("kept"), words("removed"), "n", "M", words.level(0.95), "p",
    )  # fmt: skip
    return [*heading, Table(words("reading_caption"), head, rows, 2)]
