"""Plain tables for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def table_print(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a head, columns as wide as what they hold."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    for row in (head, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        line_print("  ".join(cells).rstrip())


def line_print(text: str = "") -> None:
    """Print one line."""
    sys.stdout.write(f"{text}\n")


def progress_print(text: str) -> None:
    """Show a person how far a measurement is; nothing where the error stream is a file."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()
