"""Read CSV bytes into a table that remembers its row numbers, and single cells into numbers."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from analysis.errors import BundleError

_DELIMITERS: Final = (",", ";", "\t")
# ASCII only: int() would also take Arabic-Indic digits and underscores.
# A comma may stand for the point, as Polish spreadsheets write it; zeros alone may follow either.
_INTEGER: Final = re.compile(r"(-?[0-9]{1,9})([.,]0+)?", re.ASCII)
_CELL_LIMIT: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV file as read: names without stray blanks, and rows with the number a person sees.

    Row numbers count as a spreadsheet does: the header is row 1.
    """

    file: str
    head: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def table_read(data: bytes, *, file: str) -> Table:
    """Parse CSV: UTF-8 with or without BOM, LF or CRLF, comma, semicolon or tab.

    Raises:
        BundleError: Not UTF-8, no header, a name twice, a row of another length, or broken
            quoting.
    """
    text = _decode(data, file)
    parsed = _parse(text, file)
    if not parsed:
        raise BundleError(file=file, place="", found="no rows", allowed="a header and rows")
    parsed = _without_blank_columns(parsed)
    head = tuple(name_clean(name) for name in parsed[0][1])
    _head_check(head, file)
    for number, cells in parsed[1:]:
        if len(cells) != len(head):
            raise BundleError(
                file=file,
                place=f"row {number}",
                found=f"{len(cells)} cells",
                allowed=f"{len(head)} cells, as in the header",
            )
    return Table(file, head, tuple(parsed[1:]))


def name_clean(name: str) -> str:
    """Fold blanks and bring letters to NFC, so that a header matches however it was saved."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def integer_from(text: str, *, file: str, place: str, lowest: int, highest: int) -> int:
    """Read an integer within bounds: `3`, ` 3 `, `3.0` and `3,0`, nothing else.

    Raises:
        BundleError: Anything else, `3,5`, `five`, `NaN` and `True` included; never coerced.
    """
    found = _INTEGER.fullmatch(text.strip())
    if found and lowest <= int(found[1]) <= highest:
        return int(found[1])
    raise BundleError(
        file=file,
        place=place,
        found=repr(text),
        allowed=f"a whole number from {lowest} to {highest}, or an empty cell",
    )


def _decode(data: bytes, file: str) -> str:
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte {data[error.start]:#04x} at offset {error.start}"
        raise BundleError(file=file, place="", found=found, allowed="text in UTF-8") from error
    if "\0" in text:
        found = f"a NUL at character {text.index(chr(0)) + 1}"
        raise BundleError(file=file, place="", found=found, allowed="text without NUL")
    return text


def _parse(text: str, file: str) -> list[tuple[int, tuple[str, ...]]]:
    csv.field_size_limit(_CELL_LIMIT)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        return [(number, tuple(row)) for number, row in enumerate(reader, start=1) if any(row)]
    except csv.Error as error:
        place = f"line {reader.line_num}"
        raise BundleError(
            file=file, place=place, found=str(error), allowed="CSV as in RFC 4180"
        ) from error


def _without_blank_columns(
    parsed: list[tuple[int, tuple[str, ...]]],
) -> list[tuple[int, tuple[str, ...]]]:
    """Drop columns at the end without a name and without a cell, as spreadsheets leave them."""
    width = len(parsed[0][1])
    filled = [
        next((place for place in range(len(cells), 0, -1) if cells[place - 1].strip()), 0)
        for _, cells in parsed
        if len(cells) == width
    ]
    last = max(filled)
    if last in (0, width):
        return parsed
    return [(number, cells[:last] if len(cells) == width else cells) for number, cells in parsed]


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(_DELIMITERS, key=first.count)


def _head_check(head: tuple[str, ...], file: str) -> None:
    seen: set[str] = set()
    for place, name in enumerate(head, start=1):
        if not name or name in seen:
            found = f"the name {name!r} twice" if name else "no name"
            raise BundleError(
                file=file,
                place=f"row 1, column {place}",
                found=found,
                allowed="a name of its own for every column",
            )
        seen.add(name)
