"""The report's sections on the data: what they are, what was asked, how it was shown, counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from analysis.dataset import Dataset, Pairs, pairs_of, trials_of
from analysis.report import design_figures, figures
from analysis.report.document import Block, Figure, Heading, Listing, Notice, Paragraph, Table
from analysis.report.figures import MOST_COUNTED
from analysis.report.numbers import UNDEFINED, whole
from analysis.report.words import Words
from analysis.results.core import ChoiceRow, RatingRow
from analysis.results.crossover import Crossover, Estimate
from analysis.results.design import DesignCheck
from analysis.results.full import Full
from analysis.stats.describe import Description

_CODEBOOK_ROWS: Final = 200
# Steps before the first answer, with the sign of their numbers; some are told only if not 0.
_COUNTED: Final = (
    ("recruited", ""),
    ("screened_out", "-"),
    ("consented", ""),
    ("background", ""),
    ("complete", ""),
    ("withdrawn", "-"),
)
_UNUSUAL: Final = ("screened_out", "withdrawn")


def opening(full: Full, words: Words) -> list[Block]:
    """What this is, what must be known first, and the results in a sentence each."""
    data = full.core.dataset
    blocks: list[Block] = [Heading(1, words.say(data.title or data.study or words("untitled")))]
    if data.kind:
        blocks.append(Paragraph(f"{words('what')}: {words.say(data.kind)}."))
    blocks += [Notice(f"{words.say(notice)}.") for notice in data.notices]
    blocks.append(Heading(2, words("in_short")))
    lines = [_short_rating(row, data.arms, words) for row in full.core.ratings]
    lines += [_short_choice(row, data.arms, words) for row in full.core.choices]
    blocks.append(Listing(tuple(lines) or (words("no_ratings"),)))
    blocks.append(Paragraph(words("sign", treatment=data.arms[1], reference=data.arms[0])))
    return blocks


def data_line(data: Dataset, words: Words) -> list[Block]:
    """File, hashes and the flow of participants down to each test."""
    every = pairs_of(data)
    flow = [*_flow(data, words), *_flow_pairs(every, words)]
    facts = [
        (words("file"), data.source.file),
        ("SHA-256", data.source.sha256),
        (words("design_hash"), data.design_hash or UNDEFINED),
    ]
    if data.blind:
        facts.append((words("arms"), words("sealed")))
    else:
        facts.append((words("arms"), f"{data.arms[0]}, {data.arms[1]}"))
        facts.append((words("difference"), f"{data.arms[1]} - {data.arms[0]}"))
    blocks: list[Block] = [
        Heading(2, f"1. {words('data')}"),
        Table(words("data_caption"), (words("what"), words("value")), tuple(facts), 2),
        Table(words("flow_caption"), (words("step"), "n"), tuple(flow)),
    ]
    listed = [
        words("left_out_ids", rule=words.say(out.rule), ids=", ".join(out.ids))
        for out in data.left_out
        if out.ids
    ]
    listed += [
        words("incomplete_ids", scenario=p.scenario, measure=p.measure, ids=", ".join(p.incomplete))
        for p in every
        if p.incomplete
    ]
    return [*blocks, Listing(tuple(listed))] if listed else blocks


def _flow(data: Dataset, words: Words) -> list[tuple[str, str]]:
    """From everyone who came to everyone analysed; steps that nobody counted are left out."""
    told = data.manifest.get("participants", {})
    gone = {row.tombstone for row in data.records.withdrawn}
    counts = {**told, **({"withdrawn": len(gone)} if gone else {})}
    flow = [
        (words(f"flow_{key}"), f"{sign}{counts[key]}")
        for key, sign in _COUNTED
        if key in counts and (counts[key] or key not in _UNUSUAL)
    ]
    analysed = len(data.participants)
    everyone = analysed + sum(len(out.ids) for out in data.left_out)
    flow.append((words("flow_answered"), str(everyone)))
    flow += [
        (words("flow_out", rule=words.say(out.rule)), _minus(len(out.ids))) for out in data.left_out
    ]
    return [*flow, (words("flow_analysed"), str(analysed))]


def _minus(count: int) -> str:
    return f"-{count}" if count else "0"


def _flow_pairs(every: Sequence[Pairs], words: Words) -> list[tuple[str, str]]:
    return [
        (
            words("flow_pairs", scenario=pairs.scenario, measure=pairs.measure),
            whole(len(pairs.ids), len(pairs.incomplete), words("incomplete")),
        )
        for pairs in every
    ]


def codebook(full: Full, words: Words) -> list[Block]:
    """What was asked, by scenario where it differs."""
    answers: dict[tuple[str, str, str], list[str]] = {}
    for row in full.core.dataset.codebook:
        if row.measure and row.file == "long.csv":
            asked = (row.scenario or words("all"), row.measure, words.say(row.question))
            label = words.say(row.label)
            told = f"{row.value} = {label}" if label else row.value
            answers.setdefault(asked, []).append(told)
    rows = [(*asked, "; ".join(filter(None, told))) for asked, told in answers.items()]
    head = (words("scenario"), words("measure"), words("question"), words("answers"))
    blocks: list[Block] = [Heading(2, f"2. {words('codebook')}")]
    if not rows:
        return [*blocks, Paragraph(words("no_codebook"))]
    blocks.append(Table(words("codebook_caption"), head, tuple(rows[:_CODEBOOK_ROWS]), 4))
    if len(rows) > _CODEBOOK_ROWS:
        blocks.append(Paragraph(words("codebook_more", count=len(rows) - _CODEBOOK_ROWS)))
    # A choice of the more fluent report is easily taken for a rating of its fluency.
    if {"fluent", "fluency"} & {measure.key for measure in full.core.dataset.measures} == {
        "fluent"
    }:
        blocks.append(Paragraph(words("no_fluency")))
    return blocks


def design(data: Dataset, check: DesignCheck, words: Words) -> list[Block]:
    """Balance of positions and orders, and times; no outcome by arm."""
    blocks: list[Block] = [Heading(2, f"3. {words('design')}")]
    blocks += [Notice(sentence) for sentence in design_sentences(check, words)]
    if any(sum(shown.left.values()) or shown.order for shown in check.scenarios):
        drawing = design_figures.balance(check, words)
        blocks.append(Figure("balance", words("balance_caption"), drawing))
    times = _times(data)
    if times:
        drawing = design_figures.reading_times(times, words)
        blocks.append(Figure("times", words("times_caption"), drawing))
    return blocks


def crossover(full: Full, words: Words) -> list[Block]:
    """What position, carry-over and order did, where the design can tell."""
    usable = [c for c in full.crossovers if c.position.value is not None]
    if not usable:
        return []
    rows = tuple(line for cross in usable for line in _crossover_lines(cross, words))
    head = (words("measure"), words("effect"), words("estimate"), words.level(0.95), "t", "p")
    return [Table(words("crossover_caption"), head, rows, 2), Paragraph(words("crossover"))]


def design_sentences(design_check: DesignCheck, words: Words) -> list[str]:
    """The design's confounds in the report's language."""
    return [words.say(sentence) for sentence in design_check.sentences]


def descriptives(full: Full, words: Words) -> list[Block]:
    """Means, counts and differences of exactly the analysed pairs."""
    data = full.core.dataset
    rows = tuple(
        line for row in full.core.ratings for line in _description_lines(row, data.arms, words)
    )
    head = (words("measure"), words("arm"), "n", "M", "SD", words("median"), words("counts"))
    blocks: list[Block] = [Heading(2, f"4. {words('descriptives')}")]
    blocks.append(Table(words("descriptives_caption"), head, rows, 2))
    if any(len(row.reference.counts) > MOST_COUNTED for row in full.core.ratings):
        blocks.append(Paragraph(words("counts_wide", most=MOST_COUNTED)))
    scales = list(dict.fromkeys(row.scale for row in full.core.ratings))
    for scale in scales:
        alike = [row for row in full.core.ratings if row.scale == scale]
        drawing = figures.likert(alike, data.arms, words)
        name = "likert" if len(scales) == 1 else f"likert-{scale[0]}-{scale[1]}"
        blocks.append(Figure(name, words("likert_caption"), drawing))
    for row in full.core.ratings:
        name = f"differences-{row.scenario}-{row.measure}"
        drawing = figures.differences(row, words)
        blocks.append(Figure(name, words("differences_caption"), drawing))
    return blocks


def _description_lines(
    row: RatingRow, arms: tuple[str, str], words: Words
) -> list[tuple[str, ...]]:
    name = f"{row.scenario}: {row.measure}"
    lines = []
    for arm, d in ((arms[1], row.treatment), (arms[0], row.reference)):
        figures_of = (
            str(d.n),
            words.fixed(d.mean),
            words.fixed(d.sd),
            words.fixed(d.median, 1),
            _counts(d, words),
        )
        lines.append((name, arm, *figures_of))
    d, r = row.difference, UNDEFINED if row.r is None else f"r = {words.bare(row.r, 2)}"
    moments = (words.fixed(d.mean, sign=True), words.fixed(d.sd), words.fixed(d.median, 1))
    return [*lines, (name, words("difference"), str(d.n), *moments, r)]


def _counts(described: Description, words: Words) -> str:
    """Counts of a short scale; of a long one the lowest and the highest rating that was given."""
    if len(described.counts) <= MOST_COUNTED:
        return " ".join(str(count) for count in described.counts.values())
    given = [rating for rating, count in described.counts.items() if count]
    return words("from_to", low=given[0], high=given[-1]) if given else UNDEFINED


def _short_rating(row: RatingRow, arms: tuple[str, str], words: Words) -> str:
    test, mean = row.t_test, words.fixed(row.t_test.mean, sign=True)
    about = {"scenario": row.scenario, "measure": row.measure, "n": row.n, "mean": mean}
    about |= {"treatment": arms[1], "reference": arms[0]}
    if test.t is None:
        return words("short_undefined", **about, why=words.say(test.reason.text))
    p = words.p_equals(test.p, 3)
    return words("short_rating", **about, ci=words.bracket(test.ci), p=p)


def _short_choice(row: ChoiceRow, arms: tuple[str, str], words: Words) -> str:
    deciders = row.treatment_of_deciders
    return words(
        "short_choice",
        scenario=row.scenario,
        measure=row.measure,
        treatment=arms[1],
        count=row.treatment.count,
        n=row.n,
        share=words.percent(row.treatment.share),
        decided=words.percent(deciders.share),
        p=words.p_equals(deciders.p, 3),
    )


def _crossover_lines(cross: Crossover, words: Words) -> list[tuple[str, ...]]:
    name = f"{cross.scenario}: {cross.measure}"
    effects = (
        ("effect_arm", cross.arm),
        ("effect_position", cross.position),
        ("effect_carry", cross.carry_over),
        ("effect_order", cross.order),
    )
    return [(name, words(key), *_estimate(found, words)) for key, found in effects]


def _estimate(found: Estimate, words: Words) -> tuple[str, str, str, str]:
    t = UNDEFINED if found.t is None else f"t({found.df}) = {words.fixed(found.t)}"
    return words.fixed(found.value, sign=True), words.bracket(found.ci), t, words.p_only(found.p)


def _times(data: Dataset) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    for trial in trials_of(data).values():
        if trial.seconds is not None and trial.seconds >= 0:
            times.setdefault(trial.scenario, []).append(trial.seconds)
    return dict(sorted(times.items()))
