"""A list of people to invite, pasted or uploaded: one line each, as a spreadsheet writes them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studyapp.errors import InvitationsRefusedError

COLUMNS: Final = ("name", "role", "experience_years", "credential")
_SEPARATORS: Final = ("\t", ";", ",")
_PEOPLE_LIMIT: Final = 1000
_YEARS_LIMIT: Final = 80
_TEXT_LIMIT: Final = 200


@dataclass(frozen=True, slots=True)
class InvitationPlan:
    """One person to invite, with what is known of them beforehand."""

    name: str
    role: str = ""
    experience_years: int | None = None
    credential: str = ""


def invitations_read(text: str, *, file_name: str) -> tuple[InvitationPlan, ...]:
    """Read a list: columns in the order of COLUMNS, or in that of a first line which names them.

    Args:
        text: lines with commas, semicolons or tabs between columns; empty lines do not matter.
        file_name: what errors call the list.

    Raises:
        InvitationsRefusedError: nobody is named, or a line holds something that is not allowed.
    """
    try:
        rows = _rows(text)
    except csv.Error as error:
        raise _refuse(file_name, "the list", str(error), "lines as a spreadsheet writes") from error
    columns: Sequence[str] = COLUMNS
    if rows and "name" in _heading(rows[0][1]):
        columns = _columns(_heading(rows.pop(0)[1]), file_name)
    plans = tuple(_plan(columns, cells, number, file_name) for number, cells in rows)
    if not 0 < len(plans) <= _PEOPLE_LIMIT:
        raise _refuse(file_name, "the list", f"{len(plans)} people", f"1 to {_PEOPLE_LIMIT}")
    return plans


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Split into numbered lines of cells, without the empty ones."""
    lines = text.replace("\x00", "").removeprefix("\ufeff")
    first = next((line for line in lines.splitlines() if line.strip()), "")
    separator = next((mark for mark in _SEPARATORS if mark in first), ",")
    reader = csv.reader(io.StringIO(lines, newline=""), delimiter=separator, skipinitialspace=True)
    rows = ((reader.line_num, [cell.strip() for cell in cells]) for cells in reader)
    return [(number, cells) for number, cells in rows if any(cells)]


def _heading(cells: Sequence[str]) -> list[str]:
    return [cell.lower().replace(" ", "_") for cell in cells]


def _columns(heading: Sequence[str], file_name: str) -> Sequence[str]:
    unknown = [cell for cell in heading if cell not in COLUMNS]
    if unknown:
        raise _refuse(file_name, "line 1", repr(unknown[0]), ", ".join(COLUMNS))
    return heading


def _plan(
    columns: Sequence[str], cells: Sequence[str], number: int, file_name: str
) -> InvitationPlan:
    place = f"line {number}"
    if len(cells) > len(columns):
        allowed = f"{len(columns)}: {', '.join(columns)}; quote a text that holds the separator"
        raise _refuse(file_name, place, f"{len(cells)} columns", allowed)
    row = dict(zip(columns, cells, strict=False))
    for key in ("name", "role"):
        if len(row.get(key, "")) > _TEXT_LIMIT:
            found = f"{len(row[key])} characters"
            raise _refuse(file_name, f"{place}: {key}", found, f"at most {_TEXT_LIMIT}")
    if not row.get("name"):
        raise _refuse(file_name, f"{place}: name", "nothing", "a name")
    return InvitationPlan(
        name=row["name"],
        role=row.get("role", ""),
        experience_years=_years(row, place, file_name),
        credential=row.get("credential", ""),
    )


def _years(row: Mapping[str, str], place: str, file_name: str) -> int | None:
    text = row.get("experience_years", "")
    if not text:
        return None
    # isdecimal lets digits of other scripts through, which int() reads as well.
    if not text.isdecimal() or int(text) > _YEARS_LIMIT:
        allowed = f"a whole number from 0 to {_YEARS_LIMIT}, or nothing"
        raise _refuse(file_name, f"{place}: experience_years", repr(text), allowed)
    return int(text)


def _refuse(file_name: str, place: str, found: str, allowed: str) -> InvitationsRefusedError:
    return InvitationsRefusedError(file=file_name, place=place, found=found, allowed=allowed)
