"""Put a report's document together and write its files."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from typing import Any, Final

from analysis.dataset import Dataset
from analysis.report import (
    data_sections,
    exploration,
    model_sections,
    result_sections,
    standing_sections,
)
from analysis.report.document import (
    Block,
    Code,
    Document,
    Figure,
    Heading,
    Listing,
    Notice,
    Paragraph,
    Table,
)
from analysis.report.drawing import svg
from analysis.report.html import html
from analysis.report.markdown import markdown
from analysis.report.words import Words
from analysis.results.design import design_check
from analysis.results.full import Full
from analysis.results.plain import core_plain, plain
from analysis.results.published import Claim

FIGURES: Final = "figures"
_UNDATED: Final = datetime(2000, 1, 1, tzinfo=UTC)
_PACKAGES: Final = ("numpy", "scipy", "statsmodels", "pingouin", "pandas", "fpdf2")


@dataclass(frozen=True, slots=True)
class Extras:
    """What a report says besides results: the reference's claims and the command to repeat it."""

    claims: tuple[Claim, ...] = ()
    forensic: tuple[str, ...] = ()
    command: str = ""


def document(full: Full, words: Words, extras: Extras) -> Document:
    """All sections, in the order of a report."""
    blocks: list[Block] = [
        *data_sections.opening(full, words),
        *data_sections.data_line(full.core.dataset, words),
        *data_sections.codebook(full, words),
        *data_sections.design(full.core.dataset, full.design, words),
        *data_sections.crossover(full, words),
        *data_sections.descriptives(full, words),
        *result_sections.tests(full, words),
        *result_sections.equivalence(full, words),
        *result_sections.bayes(full, words),
        *result_sections.choice_section(full, words),
        *model_sections.ordinal(full, words),
        *model_sections.family(full, words),
        *exploration.exploratory(full, words),
        *standing_sections.power(full, words),
        *result_sections.slope_figures(full, words),
        *standing_sections.standing(full, words),
        *standing_sections.published(extras.claims, extras.forensic, words),
        *_closing(full, words, extras),
    ]
    data = full.core.dataset
    title = words("made_from", title=words.say(data.title or data.study or words("untitled")))
    return _document(title, data, blocks, words)


def design_document(dataset: Dataset, words: Words) -> Document:
    """What may be seen while a study runs: the flow, the balance and the times, no outcome."""
    title = words("made_from", title=dataset.title or dataset.study or words("untitled"))
    blocks: list[Block] = [
        Heading(1, title),
        *(Notice(f"{words.say(notice)}.") for notice in dataset.notices),
        Paragraph(words("blinded")),
        *data_sections.data_line(dataset, words),
        *data_sections.design(dataset, design_check(dataset), words),
    ]
    return _document(title, dataset, blocks, words)


def _document(title: str, data: Dataset, blocks: Sequence[Block], words: Words) -> Document:
    created, named = _created(data.manifest), tuple(_named(_numbered(blocks, words)))
    return Document(title, created, words.language, words("contents"), named)


def report_write(
    full: Full, *, out: Path, language: str, extras: Extras, with_pdf: bool = True
) -> tuple[Path, ...]:
    """Write `report.html`, `report.md`, `report.json`, `figures/*.svg` and `report.pdf`.

    Args:
        full: The results.
        out: A folder; it is made if need be, files of the same names are replaced.
        language: `en` or `pl`.
        extras: What the report says besides results.
        with_pdf: Write the PDF too.

    Raises:
        OptionError: There are no texts in this language.
    """
    study = full.core.dataset.manifest.get("translations", {}).get(language)
    built = document(full, Words(language, study), extras)
    files = {
        "report.html": html(built).encode(),
        "report.md": markdown(built, figures=FIGURES).encode(),
        "report.json": report_json(full, extras).encode(),
    }
    for block in built.blocks:
        if isinstance(block, Figure):
            name = f"{FIGURES}/{block.name}.svg"
            files[name] = svg(block.drawing, name=f"fig-{block.name}").encode()
    if with_pdf:
        # fpdf2 and its fonts take a moment to import; the other forms do not need them.
        from analysis.report.pdf import pdf

        files["report.pdf"] = pdf(built)
    return tuple(_write(out, files))


def report_json(full: Full, extras: Extras) -> str:
    """All results with full precision; undefined is null with a reason beside it."""
    results: dict[str, Any] = {
        **core_plain(full.core),
        **{
            part.name: plain(getattr(full, part.name))
            for part in fields(full)
            if part.name != "core"
        },
        "published": plain(extras.claims),
        "forensic": list(extras.forensic),
        "software": versions(),
        "command": extras.command,
    }
    return json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def versions() -> dict[str, str]:
    """Versions of everything that computed something."""
    found = {"Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "-"
    return found


def _closing(full: Full, words: Words, extras: Extras) -> Sequence[Block]:
    said = data_sections.design_sentences(full.design, words)
    said += [words.say(limit) for limit in full.core.dataset.plan.get("limits", ())]
    rows = tuple(versions().items())
    blocks: list[Block] = []
    if said:
        blocks += [Heading(2, words("limits")), Listing(tuple(said))]
    blocks.append(Heading(2, words("software")))
    head = (words("program"), words("version"))
    blocks.append(Table(words("software_caption"), head, rows, 2))
    if extras.command:
        blocks += [Listing((words("reproduce"),)), Code(extras.command)]
    return blocks


def _numbered(blocks: Sequence[Block], words: Words) -> Iterator[Block]:
    """Number tables and figures; a figure's caption opens with what it shows."""
    tables, figures = count(1), count(1)
    for block in blocks:
        if isinstance(block, Table):
            caption = words("table_number", n=next(tables), caption=block.caption)
            yield replace(block, caption=caption)
        elif isinstance(block, Figure):
            caption = f"{block.drawing.title}. {block.caption}"
            yield replace(block, caption=words("figure_number", n=next(figures), caption=caption))
        else:
            yield block


def _named(blocks: Iterable[Block]) -> Iterator[Block]:
    """Give every figure a name of its own that is safe as an id and as a file name.

    Names hold scenarios and measures, which a CSV may spell in any way.
    """
    taken: set[str] = set()
    for block in blocks:
        if isinstance(block, Figure):
            plain_name = re.sub(r"[^A-Za-z0-9_]+", "-", block.name).strip("-")
            name, count = plain_name, 1
            while name in taken:
                count += 1
                name = f"{plain_name}-{count}"
            taken.add(name)
            yield replace(block, name=name)
        else:
            yield block


def _created(manifest: Mapping[str, Any]) -> datetime:
    try:
        return datetime.fromisoformat(str(manifest.get("created_at", "")))
    except ValueError:  # a plain CSV has no manifest
        return _UNDATED


def _write(out: Path, files: Mapping[str, bytes]) -> Iterator[Path]:
    for name, content in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        yield path
