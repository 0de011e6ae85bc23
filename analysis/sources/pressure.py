"""Read time pressure: the countdown under which a trial stood, from any table that tells it."""

from __future__ import annotations

from typing import Final

from analysis import schema
from analysis.errors import BundleError
from analysis.records import AssignmentRow
from analysis.sources.cells import Line
from analysis.sources.long import DEFAULT_SCENARIO
from analysis.sources.tables import Table

_COLUMN: Final = schema.PRESSURE_COLUMN


def pressure_read(line: Line) -> str:
    """The level of one line: empty, `none`, whole seconds above 0, or a short name.

    Raises:
        BundleError: A number that is no whole number of seconds, or a longer name.
    """
    level = line.name(_COLUMN)
    if level and level[0] in "+-.0123456789":
        return str(line.whole(_COLUMN, lowest=1))
    if len(level) > schema.PRESSURE_LENGTH:
        raise BundleError(
            file=line.file,
            place=f"row {line.number}, column {_COLUMN}",
            found=repr(level),
            allowed=f"none, whole seconds, or a name of at most {schema.PRESSURE_LENGTH} letters",
        )
    return level


def pressure_rows(table: Table) -> tuple[AssignmentRow, ...]:
    """Take the column `time_pressure` out of a long or wide table of answers.

    Raises:
        BundleError: Two levels for one participant and scenario.
    """
    if _COLUMN not in table.head:
        return ()
    found: dict[tuple[str, str], tuple[str, int]] = {}
    for number, cells in table.rows:
        values = {column: cell.strip() for column, cell in zip(table.head, cells, strict=True)}
        line = Line(table.file, number, values)
        level = pressure_read(line)
        if not level:
            continue
        key = (line.filled("participant_id"), line.name("scenario") or DEFAULT_SCENARIO)
        known, earlier = found.setdefault(key, (level, number))
        if known != level:
            raise BundleError(
                file=table.file,
                place=f"row {number}, column {_COLUMN}",
                found=f"{level}, but {known} in row {earlier} of the same trial",
                allowed="one value for each participant and scenario",
                ids=(key[0],),
            )
    return tuple(
        AssignmentRow("", person, "", scenario, "", None, "", level, "", "")
        for (person, scenario), (level, _) in found.items()
    )
