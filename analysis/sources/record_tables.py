"""Read the tables beside the answers, and refuse what contradicts another table of the bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final, TypeVar

from analysis import records, schema
from analysis.errors import BundleError
from analysis.records import (
    AssignmentRow,
    ExclusionRow,
    ParadataRow,
    ParticipantRow,
    Records,
    WithdrawnRow,
)
from analysis.schema import LongRow
from analysis.sources.cells import Line
from analysis.sources.containers import BundleFiles
from analysis.sources.pressure import pressure_read
from analysis.sources.tables import Table, table_read

_LAST_PLACE: Final = 10_000
_MOST_SECONDS: Final = 10_000_000.0
_Row = TypeVar("_Row")


def records_read(files: BundleFiles, *, arms: tuple[str, ...]) -> Records:
    """Read every table of records that the bundle has.

    Args:
        files: The bundle's files.
        arms: What `left_arm` may name; nothing in a blind bundle.

    Raises:
        BundleError: A required column or cell is missing, a value is not allowed, or a line
            stands twice.
    """
    return Records(
        participants=_rows(files, records.PARTICIPANTS_FILE, _participant, ("participant_id",)),
        assignments=_rows(
            files,
            records.ASSIGNMENTS_FILE,
            lambda line: _assignment(line, arms),
            ("participant_id", "scenario"),
        ),
        paradata=_rows(
            files,
            records.PARADATA_FILE,
            _paradata,
            ("participant_id", "scenario", "item_kind", "item"),
        ),
        withdrawn=_rows(
            files,
            records.WITHDRAWN_FILE,
            lambda line: _withdrawn(line, arms),
            ("tombstone", "scenario"),
        ),
        exclusions=_rows(
            files, records.EXCLUSIONS_FILE, _exclusion, ("participant_id", "rule")
        ),
    )  # fmt: skip


def records_check(
    found: Records, rows: Iterable[LongRow], manifest: Mapping[str, Any], *, file: str
) -> None:
    """Compare the tables with the answers and with the manifest's counts.

    Raises:
        BundleError: Someone is in another table but not among the participants, a withdrawn
            participant left something, a trial was shown otherwise than assigned, or the count of
            withdrawals differs.
    """
    answers = tuple(rows)
    named = {row.participant_id for row in answers}
    named |= {row.participant_id for table in _about_people(found) for row in table}
    _known_check(found, named, file=file)
    tombstones = {row.tombstone for row in found.withdrawn}
    back = sorted(tombstones & (named | {row.participant_id for row in found.participants}))
    if back:
        raise BundleError(
            file=f"{file}/{records.WITHDRAWN_FILE}",
            place="column tombstone",
            found="the codes of participants",
            allowed="marks of their own: a withdrawn participant stands in no other table",
            ids=tuple(back),
        )
    _shown_check(found, answers, file=file)
    told = manifest.get("participants", {}).get("withdrawn")
    if told is not None and found.withdrawn and told != len(tombstones):
        raise BundleError(
            file=f"{file}/{records.WITHDRAWN_FILE}",
            place="column tombstone",
            found=f"{len(tombstones)} withdrawn participants",
            allowed=f"{told}, as the manifest counts",
        )


def _about_people(found: Records) -> tuple[tuple[Any, ...], ...]:
    return found.assignments, found.paradata, found.exclusions


def _known_check(found: Records, named: set[str], *, file: str) -> None:
    known = {row.participant_id for row in found.participants}
    strangers = tuple(sorted(named - known))
    if known and strangers:
        raise BundleError(
            file=f"{file}/{records.PARTICIPANTS_FILE}",
            place="column participant_id",
            found=f"{len(strangers)} missing that stand in another table",
            allowed="a line for everyone who consented and did not withdraw",
            ids=strangers,
        )


def _shown_check(found: Records, answers: tuple[LongRow, ...], *, file: str) -> None:
    assigned = {(row.participant_id, row.scenario): row for row in found.assignments}
    for row in answers:
        given = assigned.get((row.participant_id, row.scenario))
        if given is None:
            continue
        for column in ("left_arm", "trial_order"):
            ours, theirs = getattr(given, column), getattr(row, column)
            if ours and theirs and ours != theirs:
                raise BundleError(
                    file=f"{file}/{records.ASSIGNMENTS_FILE}",
                    place=f"column {column}, scenario {row.scenario}",
                    found=f"{ours}, but {theirs} in {schema.LONG_FILE}",
                    allowed="the same in both",
                    ids=(row.participant_id,),
                )


def _rows(
    files: BundleFiles, name: str, read: Callable[[Line], _Row], key: tuple[str, ...]
) -> tuple[_Row, ...]:
    if not files.has(name):
        return ()
    table = table_read(files.read(name), file=f"{files.name}/{name}")
    _columns_check(table, name)
    found = []
    earlier: dict[tuple[str, ...], int] = {}
    for number, cells in table.rows:
        values = {column: cell.strip() for column, cell in zip(table.head, cells, strict=True)}
        row = read(Line(table.file, number, values))
        mark = tuple(str(getattr(row, column)) for column in key)
        first = earlier.setdefault(mark, number)
        if first != number:
            raise BundleError(
                file=table.file,
                place=f"rows {first} and {number}",
                found=f"{' '.join(mark).strip()} twice",
                allowed=f"one line for each {', '.join(key)}",
            )
        found.append(row)
    return tuple(found)


def _columns_check(table: Table, name: str) -> None:
    row_type, required = records.RECORD_FILES[name]
    missing = [column for column in required if column not in table.head]
    if missing:
        raise BundleError(
            file=table.file,
            place="row 1",
            found=f"no column {', '.join(missing)}",
            allowed=", ".join(field.name for field in fields(row_type)),
        )


def _participant(line: Line) -> ParticipantRow:
    return ParticipantRow(
        study=line.text("study"),
        participant_id=line.filled("participant_id"),
        cohort=line.name("cohort"),
        language=line.text("language"),
        source=line.text("source"),
        time_pressure=pressure_read(line),
        status=line.one_of("status", records.PARTICIPANT_STATUSES),
        is_test=line.flag("is_test"),
        is_bot=line.flag("is_bot"),
    )


def _assignment(line: Line, arms: tuple[str, ...]) -> AssignmentRow:
    return AssignmentRow(
        study=line.text("study"),
        participant_id=line.filled("participant_id"),
        cohort=line.name("cohort"),
        scenario=line.filled("scenario"),
        block=line.text("block"),
        trial_order=line.whole("trial_order", lowest=1, highest=_LAST_PLACE),
        left_arm=line.arm("left_arm", arms, required=False),
        time_pressure=pressure_read(line),
        presented_at=line.text("presented_at"),
        answered_at=line.text("answered_at"),
    )


def _paradata(line: Line) -> ParadataRow:
    kind = line.one_of("item_kind", records.ITEM_KINDS)
    sides = schema.POSITIONS if kind == records.REPORT else None
    return ParadataRow(
        study=line.text("study"),
        participant_id=line.filled("participant_id"),
        scenario=line.filled("scenario"),
        trial_order=line.whole("trial_order", lowest=1, highest=_LAST_PLACE),
        item_kind=kind,
        item=line.one_of("item", sides) if sides else line.name("item"),
        visible_seconds=line.decimal("visible_seconds", highest=_MOST_SECONDS),
        scroll_coverage=line.decimal("scroll_coverage", highest=1.0),
        changes=line.whole("changes", lowest=0),
    )


def _withdrawn(line: Line, arms: tuple[str, ...]) -> WithdrawnRow:
    return WithdrawnRow(
        study=line.text("study"),
        tombstone=line.filled("tombstone"),
        cohort=line.name("cohort"),
        scenario=line.name("scenario"),
        block=line.text("block"),
        left_arm=line.arm("left_arm", arms, required=False),
        trial_order=line.whole("trial_order", lowest=1, highest=_LAST_PLACE),
        status=line.one_of("status", ("", *schema.STATUSES)),
    )


def _exclusion(line: Line) -> ExclusionRow:
    return ExclusionRow(
        study=line.text("study"),
        participant_id=line.filled("participant_id"),
        rule=line.filled("rule"),
        reason=line.text("reason"),
    )
