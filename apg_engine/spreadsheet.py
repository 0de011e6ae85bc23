"""Rows as CSV that a spreadsheet opens without taking a text for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_bytes(rows: Iterable[Iterable[object]]) -> bytes:
    """Write rows, each in one line."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[_cell(one) for one in row] for row in rows])
    return out.getvalue().encode("utf-8", "replace")


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    plain = " ".join(value.split()) if "\n" in value or "\r" in value else value
    return f"'{plain}" if plain.startswith(_FORMULA) else plain
