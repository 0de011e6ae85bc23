"""Read a wide table, one line a participant or a participant and scenario, into answers."""

from __future__ import annotations

from typing import Final

from analysis import schema
from analysis.errors import BundleError
from analysis.schema import LongRow
from analysis.sources.long import Design, is_choice, long_rows
from analysis.sources.tables import Table

_IDS: Final = frozenset((*schema.WIDE_ID_COLUMNS, schema.PRESSURE_COLUMN))
_LONG_HEAD: Final = (*schema.WIDE_ID_COLUMNS, "measure", "kind", "arm", "position", "value")


def is_wide(head: tuple[str, ...], arms: tuple[str, str]) -> bool:
    """Tell a wide table by a participant id and one measure rated for both arms."""
    return "participant_id" in head and bool(rated_measures(head, arms))


def rated_measures(head: tuple[str, ...], arms: tuple[str, str]) -> tuple[str, ...]:
    """Measures with a column `<measure>_<arm>` for each of the two arms."""
    reference, treatment = arms
    endings = (name.removesuffix(f"_{reference}") for name in head if name.endswith(reference))
    return tuple(m for m in endings if f"{m}_{reference}" in head and f"{m}_{treatment}" in head)


def wide_rows(table: Table, design: Design) -> tuple[LongRow, ...]:
    """Unfold a wide table: an empty cell is a missing answer.

    A column that is no id and no rating is background if its name says so, a choice if its answers
    are arms, `neither` or `both`, and else text.

    Raises:
        BundleError: As `analysis.sources.long.long_rows`, with the column of the wide file named.
    """
    plan = _plan(table, design.arms)
    lines: list[tuple[int, tuple[str, ...]]] = []
    backgrounds: dict[tuple[str, str], str] = {}
    for number, cells in table.rows:
        values = dict(zip(table.head, cells, strict=True))
        for column, measure, kind, arm in plan:
            if kind == schema.BACKGROUND and not _first_background(
                backgrounds, values, column, file=table.file, number=number
            ):
                continue
            lines.append((number, _line(values, measure, kind, arm, values[column])))
    return long_rows(Table(table.file, _LONG_HEAD, tuple(lines)), design, unfolded=True)


def _plan(table: Table, arms: tuple[str, str]) -> list[tuple[str, str, str, str]]:
    """What each column becomes: (column, measure, kind, arm)."""
    rated = {
        f"{measure}_{arm}": (measure, arm)
        for measure in rated_measures(table.head, arms)
        for arm in arms
    }
    plan: list[tuple[str, str, str, str]] = []
    for place, column in enumerate(table.head):
        if column in rated:
            measure, arm = rated[column]
            plan.append((column, measure, schema.RATING, arm))
        elif column not in _IDS:
            plan.append((column, column, _other_kind(table, place, column, arms), ""))
    return plan


def _other_kind(table: Table, place: int, column: str, arms: tuple[str, str]) -> str:
    if column.startswith(schema.BACKGROUND_PREFIX):
        return schema.BACKGROUND
    answers = {cells[place].strip() for _, cells in table.rows}
    return schema.CHOICE if is_choice(answers, arms) else schema.TEXT


def _line(values: dict[str, str], measure: str, kind: str, arm: str, value: str) -> tuple[str, ...]:
    ids = dict(values)
    if kind == schema.BACKGROUND:
        ids |= dict.fromkeys(("scenario", "trial_order", "left_arm"), "")
    left = ids.get("left_arm", "").strip()
    position = (schema.LEFT if arm == left else schema.RIGHT) if arm and left else ""
    answer = {**ids, "measure": measure, "kind": kind, "arm": arm}
    answer |= {"position": position, "value": value}
    return tuple(answer.get(name, "") for name in _LONG_HEAD)


def _first_background(
    known: dict[tuple[str, str], str],
    values: dict[str, str],
    column: str,
    *,
    file: str,
    number: int,
) -> bool:
    """Background repeats on every line of a participant: keep the first, refuse another."""
    key = (values["participant_id"].strip(), column)
    if key not in known:
        known[key] = values[column]
        return True
    if known[key] != values[column]:
        raise BundleError(
            file=file,
            place=f"row {number}, column {column}",
            found=f"{values[column]!r}, but {known[key]!r} in an earlier row",
            allowed="one background answer for each participant",
            ids=(key[0],),
        )
    return False
