"""CSV as it is, CSV as Excel opens it, and JSON Lines."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Final

from studyapp.seams import analysis
from studyapp.services.export.forms.source import TableSource, Value

_BLOCK: Final = 1_000_000
# Excel takes a CSV for UTF-8 only with this mark.
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def csv_write(source: TableSource, target: Path) -> None:
    """Write plain UTF-8; texts that a spreadsheet would run have an apostrophe before them."""
    _csv(source, target, start=b"")


def csv_excel_write(source: TableSource, target: Path) -> None:
    """Write the same with a byte order mark, so that a double click shows every letter."""
    _csv(source, target, start=_BYTE_ORDER_MARK)


def jsonl_write(source: TableSource, target: Path) -> None:
    """Write one object a line; numbers and flags are such, times texts, empty cells null."""
    with target.open("w", encoding="utf-8", newline="\n") as file:
        for line in source.lines():
            row = dict(zip(source.headings, map(_plain, line), strict=True))
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _csv(source: TableSource, target: Path, *, start: bytes) -> None:
    head = analysis.csv_lines([[analysis.cell(name) for name in source.headings]])
    codes = analysis.csv_lines([[analysis.cell(name) for name in source.columns]])
    with source.path.open("rb") as table, target.open("wb") as file:
        file.write(start + head)
        table.seek(len(codes))
        shutil.copyfileobj(table, file, _BLOCK)


def _plain(value: Value) -> str | int | float | bool | None:
    return value.isoformat(timespec="milliseconds") if isinstance(value, datetime) else value
