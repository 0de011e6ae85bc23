"""Excel workbooks."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from studyapp.errors import ExportError
from studyapp.seams import analysis
from studyapp.services.export.forms.source import TableSource, Value

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

# A sheet has 1,048,576 rows, and the head takes one.
ROW_LIMIT: Final = 1_048_575
_CREATED: Final = datetime(1980, 1, 1, tzinfo=UTC)
# A text stays a text, whatever it looks like.
_OPTIONS: Final = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def xlsx_write(source: TableSource, target: Path) -> None:
    """Write a sheet; texts are text cells, and those that look like formulas are marked as text.

    Raises:
        ExportError: the table has more rows than a sheet.
    """
    if source.rows > ROW_LIMIT:
        raise ExportError(
            f"The table has {source.rows} rows; an Excel sheet holds {ROW_LIMIT}. Take CSV or "
            "Parquet, which have no such limit."
        )
    # Only an export needs it.
    from xlsxwriter import Workbook

    with Workbook(target, _OPTIONS) as book:
        book.set_properties({"created": _CREATED.replace(tzinfo=None)})
        sheet = book.add_worksheet("data")
        quoted = book.add_format({"quote_prefix": True})
        for column, name in enumerate(source.headings):
            _put(sheet, 0, column, name, quoted)
        for row, line in enumerate(source.lines(), start=1):
            for column, value in enumerate(line):
                _put(sheet, row, column, value, quoted)


def _put(sheet: Worksheet, row: int, column: int, value: Value, quoted: Format) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, column, value)
    else:
        text = value if isinstance(value, str) else value.isoformat(timespec="milliseconds")
        more: list[Any] = [quoted] if analysis.text_escape(text) != text else []
        sheet.write_string(row, column, text, *more)
