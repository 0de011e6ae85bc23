"""A finished table as its file's writer reads it: typed, and without the apostrophes of a CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Final

from studyapp.seams import analysis

Value = str | int | float | bool | datetime | None


class ColumnType(StrEnum):
    """What a column holds."""

    TEXT = "text"
    WHOLE = "whole"
    DECIMAL = "decimal"
    FLAG = "flag"
    TIME = "time"


_TYPES: Final[Mapping[ColumnType, frozenset[str]]] = {
    ColumnType.WHOLE: frozenset(
        {"trial_order", "dwell_visible_ms", "n_changes", "changes", "screening_attempts"}
    ),
    ColumnType.DECIMAL: frozenset({"visible_seconds", "scroll_coverage"}),
    ColumnType.FLAG: frozenset({"is_test", "is_bot", "attention_pass"}),
    ColumnType.TIME: frozenset(
        {"presented_at", "answered_at", "consented_at", "background_at", "completed_at"}
    ),
}


@dataclass(frozen=True, slots=True)
class TableSource:
    """One table.

    Attributes:
        path: the table as a bundle has it.
        rows: how many.
        columns: the codes of its columns, in order.
        headings: what stands above each column, as plain text; no two are equal.
        labels: what each column means.
        types: what each column holds.
        value_labels: by column, what its values mean.
    """

    path: Path
    rows: int
    columns: tuple[str, ...]
    headings: tuple[str, ...]
    labels: tuple[str, ...]
    types: tuple[ColumnType, ...]
    value_labels: Mapping[str, Mapping[str, str]]

    def lines(self) -> Iterator[list[Value]]:
        """Yield the rows as values."""
        with analysis.csv_read(self.path) as lines:
            next(lines)
            for line in lines:
                yield [_value(cell, kind) for cell, kind in zip(line, self.types, strict=True)]

    def portions(self, size: int) -> Iterator[list[list[Value]]]:
        """Yield the rows, `size` at a time."""
        lines = self.lines()
        while portion := list(islice(lines, size)):
            yield portion


def column_type(column: str, *, numbers: frozenset[str]) -> ColumnType:
    """Say what a column holds; `numbers` are the measures that are answered with a number."""
    if column in numbers:
        return ColumnType.WHOLE
    return next((kind for kind, names in _TYPES.items() if column in names), ColumnType.TEXT)


def headings_of(columns: tuple[str, ...], labels: Mapping[str, str]) -> tuple[str, ...]:
    """Put what columns mean above them; where two mean the same, their codes tell them apart."""
    found = [labels.get(name) or name for name in columns]
    return tuple(
        f"{label} [{name}]" if found.count(label) > 1 else label
        for name, label in zip(columns, found, strict=True)
    )


def _value(cell: str, kind: ColumnType) -> Value:
    if cell == "":
        return None
    if kind is ColumnType.TEXT:
        return analysis.text_unescape(cell)
    return _READ[kind](cell)


_READ: Final[Mapping[ColumnType, Callable[[str], Value]]] = {
    ColumnType.WHOLE: int,
    ColumnType.DECIMAL: float,
    ColumnType.FLAG: lambda cell: cell == "true",
    ColumnType.TIME: datetime.fromisoformat,
}
