"""The report's sections on tests, equivalence, Bayes factors and choices."""

from __future__ import annotations

from analysis.dataset import pairs_of
from analysis.report import design_figures, figures
from analysis.report.apa import apa_line
from analysis.report.document import Block, Figure, Heading, Listing, Notice, Paragraph, Table
from analysis.report.numbers import UNDEFINED
from analysis.report.words import Words
from analysis.results.core import ChoiceRow, RatingRow, row_warnings
from analysis.results.full import Full, RatingDetail
from analysis.stats.bayes import DEFAULT_SCALE
from analysis.stats.undefined import Reason


def tests(full: Full, words: Words) -> list[Block]:
    """The APA lines and every test of the mean or of the order, side by side."""
    lines = tuple(apa_line(row, full.core.dataset.arms, words) for row in full.core.ratings)
    rows = [
        line
        for row, detail in zip(full.core.ratings, full.details, strict=True)
        for line in _test_lines(row, detail, words)
    ]
    head = (words("measure"), words("test"), words("statistic"), "p", words("estimate_ci"))
    notes = tuple(_shapiro_line(detail, words) for detail in full.details)
    warnings = [
        f"{row.scenario}: {row.measure}. {words.say(warning)}."
        for row in full.core.ratings
        for warning in row_warnings(row)
    ]
    return [
        Heading(2, f"5. {words('results')}"),
        Listing(lines),
        *map(Notice, warnings),
        Heading(2, f"6. {words('assumptions')}"),
        Listing(notes),
        Paragraph(words("shapiro_note")),
        Table(words("tests_caption"), head, tuple(rows), 2),
    ]


def equivalence(full: Full, words: Words) -> list[Block]:
    """TOST with the bound stated beforehand, and the smallest bound that would pass."""
    plan = full.core.dataset.plan
    rows = tuple(
        (
            f"{row.scenario}: {row.measure}",
            f"{words.short(row.tost.bound)}",
            words.fixed(row.tost.t_lower),
            words.fixed(row.tost.t_upper),
            words.p_only(row.tost.p),
            words.bracket(row.tost.ci),
            words.fixed(row.tost.smallest_bound, 3),
        )
        for row in full.core.ratings
    )
    head = (
        words("measure"),
        words("bound"),
        words("t_lower"),
        words("t_upper"),
        "p",
        words.level(0.9),
        words("smallest"),
    )
    said = "bound_stated" if "equivalence_bound" in plan else "bound_default"
    return [
        Heading(2, f"7. {words('equivalence')}"),
        Paragraph(words(said, bound=f"{words.short(full.core.dataset.bound)}")),
        Table(words("equivalence_caption"), head, rows),
        Paragraph(words("equivalence_note")),
    ]


def bayes(full: Full, words: Words) -> list[Block]:
    """Bayes factors over three scales of the prior."""
    rows = []
    for detail in full.details:
        for factor in detail.bayes:
            mark = words("default_scale") if factor.scale == DEFAULT_SCALE else ""
            rows.append(
                (
                    f"{detail.scenario}: {detail.measure}",
                    f"{words.fixed(factor.scale, 3)} {mark}".strip(),
                    words.log10_text(factor.log10_bf10),
                    words.log10_text(None if factor.log10_bf10 is None else -factor.log10_bf10),
                    words.log10_text(factor.log10_bf_plus0),
                )
            )
    head = (words("measure"), words("prior_scale"), "BF10", "BF01", "BF+0")
    return [
        Heading(2, f"8. {words('bayes')}"),
        Table(words("bayes_caption"), head, tuple(rows), 2),
        Paragraph(words("bayes_note")),
    ]


def choice_section(full: Full, words: Words) -> list[Block]:
    """Counts, shares with both denominators, and McNemar's test of pairs of choices."""
    data = full.core.dataset
    rows = tuple(line for row in full.core.choices for line in _choice_lines(row, words))
    head = (
        words("question"), words("denominator"), words("count"), words("share"), "Wilson",
        "Clopper-Pearson", "p",
    )  # fmt: skip
    blocks: list[Block] = [Heading(2, f"9. {words('choices')}")]
    if not rows:
        return [*blocks, Paragraph(words("no_choices"))]
    drawing = design_figures.choices(full.core.choices, data.arms, words)
    blocks.append(Figure("choices", words("choices_caption"), drawing))
    caption = words("choices_table", treatment=data.arms[1])
    blocks.append(Table(caption, head, rows, 2))
    pairs = tuple(
        (
            *(pair.first, pair.second),
            *(str(pair.test.first_only), str(pair.test.second_only), words.p_only(pair.test.p)),
        )
        for pair in full.choice_pairs
    )
    if pairs:
        names = (words("first"), words("second"), words("first_only"), words("second_only"), "p")
        blocks.append(Table(words("mcnemar_caption", treatment=data.arms[1]), names, pairs, 2))
    return blocks


def slope_figures(full: Full, words: Words) -> list[Block]:
    """The forest of effect sizes and one slope chart for each measure."""
    blocks: list[Block] = [Heading(2, f"14. {words('figures')}")]
    if any(row.d_z.value is not None for row in full.core.ratings):
        drawing = figures.forest(full.core.ratings, words)
        blocks.append(Figure("forest", words("forest_caption"), drawing))
    for pairs in pairs_of(full.core.dataset):
        name = f"slopes-{pairs.scenario}-{pairs.measure}"
        blocks.append(Figure(name, words("slopes_caption"), figures.slopes(pairs, words)))
    return blocks


def _test_lines(row: RatingRow, detail: RatingDetail, words: Words) -> list[tuple[str, ...]]:
    """Test, statistic, p, estimate with interval: first the tests, then the effect sizes."""
    test, ranks, pratt = row.t_test, row.wilcoxon, detail.wilcoxon_pratt
    mean = words.fixed(test.mean, sign=True)
    t = UNDEFINED if test.t is None else f"t({test.df}) = {words.fixed(test.t)}"
    signs = f"{ranks.n_positive} / {ranks.n_negative} / {ranks.n_zero}"
    sums = f"W+ = {words.short(ranks.w_plus)}, W- = {words.short(ranks.w_minus)}"
    sums = f"{sums}, {words.say(ranks.method)}" if ranks.p is not None else sums
    effects = (row.d_z, detail.g_z, detail.d_av, detail.g_av)
    superior = f"{words('superiority')} {words.fixed(detail.superiority)}"
    shift = f"{words('shift')} {words.fixed(detail.hodges_lehmann)}"
    lines = [
        (words("t_test"), t, words.p_only(test.p), f"{mean} {words.bracket(test.ci)}"),
        (words("bootstrap"), "", "", f"{mean} {_bootstrap(detail, words)}"),
        (words("sign_flip"), words.say(row.sign_flip.method), words.p_only(row.sign_flip.p), ""),
        (words("wilcoxon"), sums, words.p_only(ranks.p), _biserial(detail, words)),
        (words("wilcoxon_pratt"), words.say(pratt.method), words.p_only(pratt.p), shift),
        (words("sign_test"), signs, words.p_only(row.sign_test.p), superior),
        *((e.name, "", "", f"{words.fixed(e.value)} {words.bracket(e.ci)}") for e in effects),
    ]
    return [(f"{row.scenario}: {row.measure}", *line) for line in lines]


def _bootstrap(detail: RatingDetail, words: Words) -> str:
    found = detail.bootstrap
    return words.bracket(found.bca) if found.reason is Reason.NONE else words.say(found.reason.text)


def _biserial(detail: RatingDetail, words: Words) -> str:
    found = detail.rank_biserial
    if found.value is None:
        return UNDEFINED
    value = f"r_rb {words.bare(found.value, 2)}"
    if found.reason is not Reason.NONE:
        return f"{value} ({words.say(found.reason.text)})"
    return f"{value} {words.bracket(found.ci, bare=True)}"


def _shapiro_line(detail: RatingDetail, words: Words) -> str:
    found = detail.shapiro
    name = f"{detail.scenario}: {detail.measure}"
    if found.w is None:
        return f"{name}: {words('shapiro_undefined')} ({words.say(found.reason.text)})"
    return f"{name}: Shapiro-Wilk W = {words.bare(found.w, 3)}, {words.p_equals(found.p, 3)}"


def _choice_lines(row: ChoiceRow, words: Words) -> list[tuple[str, ...]]:
    shares = ((words("of_all"), row.treatment), (words("of_deciders"), row.treatment_of_deciders))
    return [
        (
            f"{row.scenario}: {row.measure}",
            name,
            f"{share.count}/{share.n}",
            words.percent(share.share),
            words.bracket(share.wilson, bare=True),
            words.bracket(share.clopper_pearson, bare=True),
            words.p_only(share.p),
        )
        for name, share in shares
    ]
