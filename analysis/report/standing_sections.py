"""The report's sections on sensitivity, on what was decided beforehand and on what was printed."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.report.document import Block, Heading, Listing, Paragraph, Table
from analysis.report.words import Words
from analysis.results.full import Full
from analysis.results.published import Claim
from analysis.stats.power import pairs_needed


def power(full: Full, words: Words) -> list[Block]:
    """What this sample could detect; never the power of the effect it found."""
    rows = tuple(
        (f"{d.scenario}: {d.measure}", str(row.n), words.fixed(d.detectable_d_z, 3))
        for d, row in zip(full.details, full.core.ratings, strict=True)
    )
    needed = "; ".join(
        f"{words.short(size)}: {pairs_needed(size)}" for size in (0.2, 0.3, 0.5, 0.8)
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
        blocks.append(Paragraph(words.say(plan["note"])))
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
    rows = tuple(
        (
            c.claim,
            words.quoted(c.printed),
            words.quoted(c.shown),
            words(c.verdict),
            words.quoted(c.note),
        )
        for c in claims
    )
    head = (
        words("figure"), words("printed"), words("recomputed"), words("verdict"), words("note"),
    )  # fmt: skip
    return [
        Heading(2, f"16. {words('published')}"),
        Table(words("published_caption"), head, rows, 5),
        Heading(3, words("forensics")),
        Listing(tuple(map(words.say, forensic))),
    ]
