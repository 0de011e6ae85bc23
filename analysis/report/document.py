"""A report as blocks, so that HTML, Markdown and PDF show one and the same content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from analysis.report.drawing import Drawing


@dataclass(frozen=True, slots=True)
class Heading:
    """A section's title; level 1 is the report's own."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence that must not be overlooked."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Sentences one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A command to be copied."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first `text_columns` columns are text, the others figures set to the right."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with a caption; its alt text stands in the drawing."""

    name: str
    caption: str
    drawing: Drawing


Prose = Heading | Paragraph | Notice | Listing | Code
Block = Prose | Table | Figure


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report in one language; `created` is when its data were, not when it was written.

    `contents` is the name of the list of its sections.
    """

    title: str
    created: datetime
    language: str
    contents: str
    blocks: tuple[Block, ...]
