"""The report's sections on models, multiplicity, subgroups, power and what was published."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.report.document import Block, Heading, Listing, Notice, Paragraph, Table
from analysis.report.numbers import UNDEFINED, bracket, fixed, level_text, p_equals, p_only
from analysis.report.words import Words
from analysis.results.full import Full
from analysis.results.published import Claim
from analysis.results.subgroups import Moderation, Subgroup
from analysis.stats.power import pairs_needed
from analysis.stats.undefined import Reason


def ordinal(full: Full, words: Words) -> list[Block]:
    """The ordinal model by scenario and every test of the interaction, side by side."""
    blocks: list[Block] = [Heading(2, f"10. {words('ordinal')}")]
    rows, notes = [], []
    for row in full.ordinal:
        name = f"{row.scenario}: {row.measure}"
        if row.fit.loglik is None:
            rows.append((name, *(UNDEFINED,) * 5))
            notes.append(f"{name}: {row.fit.reason.text}")
            continue
        slope, lrt, odds = row.fit.of("arm"), row.arm_test, row.proportional_odds
        ratio = UNDEFINED if lrt is None else f"{fixed(lrt.chi2)}, p {p_only(lrt.p)}"
        proportional = (
            UNDEFINED if odds is None else f"{fixed(odds.chi2)} ({odds.df}), p {p_only(odds.p)}"
        )
        rows.append(
            (name, fixed(slope.estimate), fixed(slope.se), ratio, fixed(row.fit.sd), proportional)
        )
        if row.fit.reason is not Reason.NONE:
            notes.append(words("boundary", name=name))
    if rows:
        head = (
            words("measure"),
            words("log_odds"),
            "SE",
            "LR chi2",
            words("sd_people"),
            words("odds_test"),
        )
        blocks += [
            Table(words("ordinal_caption"), head, tuple(rows)),
            Paragraph(words("ordinal_note")),
        ]
    blocks += [Listing(tuple(notes))] if notes else []
    return [*blocks, *_interaction(full, words)]


def family(full: Full, words: Words) -> list[Block]:
    """Raw and adjusted p over the declared family."""
    rows = tuple((a.name, p_only(a.p), p_only(a.holm), p_only(a.bh)) for a in full.family)
    said = "family_declared" if full.family_declared else "family_default"
    blocks: list[Block] = [Heading(2, f"11. {words('multiplicity')}"), Paragraph(words(said))]
    blocks.append(Table(words("family_caption"), (words("test"), "p", "Holm", "BH"), rows))
    gone = [a.name for a in full.family if a.p is None]
    if gone:
        blocks.append(Paragraph(words("family_gone", names=", ".join(gone))))
    return blocks


def exploratory(full: Full, words: Words) -> list[Block]:
    """Cohorts, moderators, calibration, agreement and reading time: none of it confirms."""
    blocks: list[Block] = [
        Heading(2, f"12. {words('exploratory')}"),
        Notice(words("exploratory_notice")),
    ]
    if full.cohorts:
        blocks += [Heading(3, words("cohorts")), *_moderation_tables(full.cohorts, words)]
        rows = tuple(
            (
                c.measure,
                c.scenario,
                row.source,
                f"{fixed(row.f)} ({row.df[0]}, {row.df[1]})",
                p_only(row.p),
            )
            for c in full.cohort_models
            for row in c.anova
        )
        head = (words("measure"), words("scenario"), words("effect"), "F (df)", "p")
        blocks.append(Table(words("cohort_anova"), head, rows, 3))
        lines = tuple(
            words(
                "cohort_ordinal",
                measure=c.measure,
                scenario=c.scenario,
                chi2=fixed(c.ordinal.chi2),
                df=c.ordinal.df,
                p=p_equals(c.ordinal.p),
            )
            for c in full.cohort_models
            if c.ordinal is not None
        )
        blocks += [Listing(lines)] if lines else []
    if full.moderations:
        blocks += [Heading(3, words("moderators")), *_moderation_tables(full.moderations, words)]
    blocks += _calibration(full, words)
    blocks += _agreement(full, words)
    return [*blocks, *_reading(full, words)]


def power(full: Full, words: Words) -> list[Block]:
    """What this sample could detect; never the power of the effect it found."""
    rows = tuple(
        (f"{d.scenario}: {d.measure}", str(row.n), fixed(d.detectable_d_z, 3))
        for d, row in zip(full.details, full.core.ratings, strict=True)
    )
    needed = ", ".join(
        f"{size}: {pairs_needed(float(size))}" for size in ("0.2", "0.3", "0.5", "0.8")
    )
    return [
        Heading(2, f"13. {words('sensitivity')}"),
        Table(words("power_caption"), (words("measure"), "n", "d_z"), rows),
        Paragraph(words("power_needed", needed=needed)),
        Paragraph(words("power_note")),
    ]


def standing(full: Full, words: Words) -> list[Block]:
    """What was decided beforehand and what was not."""
    plan = full.core.dataset.plan
    key = "preregistered" if plan.get("preregistered") else "not_preregistered"
    blocks: list[Block] = [Heading(2, f"15. {words('standing')}"), Paragraph(words(key))]
    if plan.get("note"):
        blocks.append(Paragraph(str(plan["note"])))
    listed = full.family_declared and plan.get("preregistered")
    confirmed = {member.name for member in full.family} if listed else set()
    every = [f"{row.scenario}.{row.measure}" for row in full.core.ratings]
    every += [f"{row.scenario}.{row.measure}" for row in full.core.choices]
    primary = plan.get("primary", ())
    rows = tuple(
        (
            f"{name} ({words('primary')})" if name in primary else name,
            words("confirmatory" if name in confirmed else "exploratory_one"),
        )
        for name in every
    )
    return [*blocks, Table(words("standing_caption"), (words("test"), words("standing")), rows, 2)]


def published(claims: Sequence[Claim], forensic: Sequence[str], words: Words) -> list[Block]:
    """Printed figures beside recomputed ones, and what the printed ones allow."""
    if not claims:
        return []
    rows = tuple((c.claim, c.printed, c.shown, words(c.verdict), c.note) for c in claims)
    head = (
        words("figure"), words("printed"), words("recomputed"), words("verdict"), words("note"),
    )  # fmt: skip
    return [
        Heading(2, f"16. {words('published')}"),
        Table(words("published_caption"), head, rows, 5),
        Heading(3, words("forensics")),
        Listing(tuple(forensic)),
    ]


def _interaction(full: Full, words: Words) -> list[Block]:
    blocks: list[Block] = []
    for found in full.interactions:
        test = found.double_difference
        rows = tuple(
            (
                words(f"method_{method.name}"),
                words(method.scale),
                fixed(method.estimate, 3),
                p_only(method.p),
                words.of(method.note),
            )
            for method in found.methods
        )
        head = (words("method"), words("scale"), words("estimate"), "p", words("note"))
        names = {"measure": found.measure, "first": found.first, "second": found.second}
        if test.t is not None:
            figures = (
                f"{fixed(test.mean, sign=True)}, {level_text(test.ci)} {bracket(test.ci)}, "
                f"t({test.df}) = {fixed(test.t)}, {p_equals(test.p)}"
            )
            blocks.append(Paragraph(words("interaction", figures=figures, **names)))
        blocks.append(Table(words("interaction_caption", n=found.n, **names), head, rows, 2))
        ps = [method.p for method in found.methods if method.p is not None]
        if ps and min(ps) < 0.05 <= max(ps):
            blocks.append(Notice(words("interaction_split")))
    for overall in full.overall:
        if overall.row is not None:
            f = f"F({overall.row.df[0]}, {overall.row.df[1]}) = {fixed(overall.row.f)}"
            text = words(
                "overall", measure=overall.measure, figures=f"{f}, {p_equals(overall.row.p)}"
            )
            blocks.append(Paragraph(text))
    return blocks


def _moderation_tables(found: Sequence[Moderation], words: Words) -> list[Block]:
    rows = []
    for m in found:
        name, f = f"{m.scenario}: {m.measure}", m.interaction
        text = UNDEFINED if f.f is None else f"{fixed(f.f)} ({f.df[0]}, {f.df[1]})"
        trend = UNDEFINED if m.trend is None else f"{fixed(m.trend.rho)}, p {p_only(m.trend.p)}"
        rows.append((name, m.grouping, text, p_only(f.p), p_only(f.kruskal_p), trend))
    head = (words("measure"), words("grouping"), "F (df)", "p", "Kruskal p", "Spearman")
    groups = tuple(
        (f"{m.scenario}: {m.measure}", m.grouping, *_group(group))
        for m in found
        for group in m.groups
    )
    inside = (words("measure"), words("grouping"), words("level"), "n", "M", "SD", "t", "p")
    return [
        Table(words("moderation_caption"), head, tuple(rows), 2),
        Table(words("groups_caption"), inside, groups, 3),
    ]


def _group(group: Subgroup) -> tuple[str, ...]:
    test = group.test
    figures = (fixed(test.mean, sign=True), fixed(test.sd), fixed(test.t), p_only(test.p))
    return (group.level, str(test.n), *figures)


def _calibration(full: Full, words: Words) -> list[Block]:
    if not full.calibrations:
        return []
    rows = tuple(
        (f"{c.scenario}: {c.measure}", *_group(group))
        for c in full.calibrations
        for group in c.groups
    )
    head = (words("measure"), words("found_faithful"), "n", "M", "SD", "t", "p")
    lines = [
        f"{c.scenario}: F({c.interaction.df[0]}, {c.interaction.df[1]}) = "
        f"{fixed(c.interaction.f)}, {p_equals(c.interaction.p)}"
        for c in full.calibrations
        if c.interaction.f is not None
    ]
    lines += [
        words(
            "fidelity",
            measure=t.measure,
            n=t.trend.n,
            rho=fixed(t.trend.rho),
            p=p_equals(t.trend.p),
        )
        for t in full.fidelity
    ]
    return [
        Heading(3, words("calibration")),
        Table(words("calibration_caption"), head, rows, 2),
        *([Listing(tuple(lines))] if lines else []),
    ]


def _agreement(full: Full, words: Words) -> list[Block]:
    rows = tuple(
        (
            a.measure,
            str(a.icc.items),
            str(a.icc.raters),
            fixed(a.icc.value),
            bracket(a.icc.ci),
            fixed(a.alpha.value),
        )
        for a in full.agreement
    )
    if not rows:
        return []
    head = (words("measure"), words("items"), words("raters"), "ICC(2,1)", "95 % CI", "alpha")
    table = Table(words("agreement_caption"), head, rows)
    return [Heading(3, words("agreement")), table, Paragraph(words("agreement_note"))]


def _reading(full: Full, words: Words) -> list[Block]:
    heading: list[Block] = [Heading(3, words("reading"))]
    if not full.reading:
        return [*heading, Paragraph(words("no_times"))]
    rows = tuple(
        (
            f"{r.scenario}: {r.measure}",
            f">= {r.seconds} s",
            str(r.removed),
            str(r.test.n),
            fixed(r.test.mean, sign=True),
            bracket(r.test.ci),
            p_only(r.test.p),
        )
        for r in full.reading
    )
    head = (words("measure"), words("kept"), words("removed"), "n", "M", "95 % CI", "p")
    return [*heading, Table(words("reading_caption"), head, rows, 2)]
