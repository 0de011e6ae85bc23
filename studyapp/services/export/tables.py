"""Which tables an export has, and how each is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import connection

from studyapp.domain.export_options import BUNDLE, ExportOptions
from studyapp.models import Study
from studyapp.seams import analysis
from studyapp.services.export import record_lines
from studyapp.services.export.codebook import wide_columns
from studyapp.services.export.event_lines import EVENTS_COLUMNS, EVENTS_FILE, event_lines
from studyapp.services.export.head import StudyHead
from studyapp.services.export.long_copy import long_copy
from studyapp.services.export.long_lines import long_lines
from studyapp.services.export.people import Portion, people_of, portions
from studyapp.services.export.table_files import (
    Pieces,
    Portioned,
    TableFolder,
    TablePlan,
    pieces_of,
)
from studyapp.services.export.wide_lines import wide_lines

FILE_OF_TABLE: Final = {
    "long": analysis.LONG_FILE,
    "wide": analysis.WIDE_FILE,
    "participants": analysis.PARTICIPANTS_FILE,
    "assignments": analysis.ASSIGNMENTS_FILE,
    "paradata": analysis.PARADATA_FILE,
}
Lines = Iterator[list[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One export as it is being written."""

    study: Study
    head: StudyHead
    options: ExportOptions

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The columns of each table of this export, by its file, in the order of the bundle."""
        known = _columns(self)
        if self.options.form != BUNDLE:
            return {name: known[name] for name in (FILE_OF_TABLE[self.options.table],)}
        return {
            name: columns
            for name, columns in known.items()
            if not (self.options.blind and name == analysis.WIDE_FILE)
        }


def plans_of(asked: Asked) -> Iterator[TablePlan]:
    """Yield the tables that are read from the database; the wide one is made of the long one."""
    wanted = dict(asked.columns)
    if wanted.pop(analysis.WIDE_FILE, None):
        wanted = {analysis.LONG_FILE: analysis.LONG_COLUMNS} | wanted
    writers = _by_portion(asked)
    for name, columns in wanted.items():
        if name in writers:
            yield TablePlan(name, columns, _portioned(asked, writers[name]))
        else:
            lines = _at_once(asked)[name]
            yield TablePlan(name, columns, [Portioned(0, _in_pieces(lines))])


def wide_plan(asked: Asked, folder: TableFolder) -> TablePlan:
    """Return the wide table, made of the long one that is finished on disk."""
    more = wide_columns(asked.study, asked.head)
    columns = (*analysis.WIDE_ID_COLUMNS, *more)
    long = folder.file(analysis.LONG_FILE)
    whole = Portioned(0, lambda: pieces_of(wide_lines(long, more)))
    return TablePlan(analysis.WIDE_FILE, columns, [whole])


def long_pieces(head: StudyHead, portion: Portion) -> Pieces:
    """Write a portion of the long table in the fastest way this database has."""
    if connection.vendor == "postgresql":
        return long_copy(head, portion)
    return pieces_of(long_lines(head, portion))


def _columns(asked: Asked) -> dict[str, tuple[str, ...]]:
    study = asked.study
    return {
        analysis.LONG_FILE: analysis.LONG_COLUMNS,
        analysis.WIDE_FILE: (*analysis.WIDE_ID_COLUMNS, *wide_columns(study, asked.head)),
        analysis.PARTICIPANTS_FILE: record_lines.participant_columns(study, asked.options),
        analysis.ASSIGNMENTS_FILE: analysis.columns_of(analysis.AssignmentRow),
        analysis.PARADATA_FILE: analysis.columns_of(analysis.ParadataRow),
        analysis.WITHDRAWN_FILE: analysis.columns_of(analysis.WithdrawnRow),
        analysis.EXCLUSIONS_FILE: analysis.columns_of(analysis.ExclusionRow),
        record_lines.EVIDENCE_FILE: record_lines.EVIDENCE_COLUMNS,
        record_lines.CHANGES_FILE: record_lines.CHANGES_COLUMNS,
        EVENTS_FILE: EVENTS_COLUMNS,
    }


def _by_portion(asked: Asked) -> dict[str, Callable[[Portion], Pieces]]:
    head = asked.head
    people = record_lines.participant_columns(asked.study, asked.options)
    lines: dict[str, Callable[[Portion], Lines]] = {
        analysis.PARTICIPANTS_FILE: lambda p: record_lines.participant_lines(head, p, people),
        analysis.ASSIGNMENTS_FILE: lambda p: record_lines.assignment_lines(head, p),
        analysis.PARADATA_FILE: lambda p: record_lines.paradata_lines(head, p),
        analysis.EXCLUSIONS_FILE: lambda p: record_lines.exclusion_lines(head, p),
        record_lines.EVIDENCE_FILE: lambda p: record_lines.evidence_lines(head, p),
        record_lines.CHANGES_FILE: lambda p: record_lines.change_lines(head, p),
    }
    return {
        analysis.LONG_FILE: lambda p: long_pieces(head, p),
        **{name: _piecewise(write) for name, write in lines.items()},
    }


def _at_once(asked: Asked) -> dict[str, Callable[[], Lines]]:
    study, options = asked.study, asked.options
    return {
        analysis.WITHDRAWN_FILE: lambda: record_lines.withdrawn_lines(study, asked.head, options),
        EVENTS_FILE: lambda: event_lines(study, options),
    }


def _portioned(asked: Asked, write: Callable[[Portion], Pieces]) -> Iterator[Portioned]:
    people = people_of(asked.study, asked.options)
    for portion in portions(people, size=settings.EXPORT_PORTION):
        yield Portioned(portion.upto, _bound(write, portion))


def _bound(write: Callable[[Portion], Pieces], portion: Portion) -> Callable[[], Pieces]:
    return lambda: write(portion)


def _piecewise(write: Callable[[Portion], Lines]) -> Callable[[Portion], Pieces]:
    return lambda portion: pieces_of(write(portion))


def _in_pieces(lines: Callable[[], Lines]) -> Callable[[], Pieces]:
    return lambda: pieces_of(lines())
