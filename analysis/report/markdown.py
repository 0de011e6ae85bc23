"""A report as Markdown, with its drawings as SVG files beside it."""

from __future__ import annotations

from analysis.report.document import (
    Block,
    Code,
    Document,
    Figure,
    Heading,
    Listing,
    Notice,
    Paragraph,
    Prose,
    Table,
)


def markdown(document: Document, *, figures: str) -> str:
    """Write the whole text; `figures` is the folder of the SVG files, relative to it."""
    return "\n\n".join(_block(block, figures) for block in document.blocks) + "\n"


def _block(block: Block, figures: str) -> str:
    match block:
        case Table():
            return _table(block)
        case Figure():
            alt, caption = _safe(block.drawing.alt), _safe(block.caption)
            return f"![{alt}]({figures}/{block.name}.svg)\n\n*{caption}*"
        case _:
            return _prose(block)


def _prose(block: Prose) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_safe(block.text)}"
        case Paragraph():
            return _safe(block.text)
        case Notice():
            return f"> **{_safe(block.text)}**"
        case Listing():
            return "\n".join(f"- {_safe(item)}" for item in block.items)
        case Code():
            return f"```sh\n{block.text}\n```"


def _table(table: Table) -> str:
    marks = ["---" if i < table.text_columns else "---:" for i in range(len(table.head))]
    lines = [table.head, tuple(marks), *table.rows]
    rows = "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)
    return f"{_safe(table.caption)}\n\n{rows}"


def _cell(text: str) -> str:
    return _safe(text).replace("|", "\\|") or " "


def _safe(text: str) -> str:
    """Keep signs and line breaks from being read as markup; measures are often called a_b."""
    for sign in ("\\", "*", "_", "<", "[", "]", "`"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
