"""One table of a study as one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from studyapp.domain.export_options import ExportOptions
from studyapp.domain.measures import MeasureKind
from studyapp.domain.permissions import Action
from studyapp.seams import analysis
from studyapp.selectors.arm_key import key_check
from studyapp.services.export.bundle import Written, export_log, tables_write
from studyapp.services.export.codebook import column_labels
from studyapp.services.export.forms.parquet_file import parquet_write
from studyapp.services.export.forms.sav_file import sav_write
from studyapp.services.export.forms.source import TableSource, column_type, headings_of
from studyapp.services.export.forms.text_files import csv_excel_write, csv_write, jsonl_write
from studyapp.services.export.forms.xlsx_file import xlsx_write
from studyapp.services.export.head import StudyHead
from studyapp.services.export.tables import FILE_OF_TABLE
from studyapp.services.study.record import study_read

WRITERS: Final[Mapping[str, Callable[[TableSource, Path], None]]] = {
    "csv": csv_write,
    "csv_excel": csv_excel_write,
    "xlsx": xlsx_write,
    "sav": sav_write,
    "parquet": parquet_write,
    "jsonl": jsonl_write,
}


def file_export(
    *,
    study_id: int,
    target: Path,
    folder: Path,
    actor_id: int | None,
    now: datetime,
    options: ExportOptions,
) -> int:
    """Write one table as one file, log that it was taken out, and return its rows.

    Args:
        study_id: the study.
        target: the file to write.
        folder: an empty folder to work in.
        actor_id: who asks, for the log.
        now: when, for the log.
        options: which table, as what, of whom.

    Raises:
        RoleRefusedError: the actor may not take answers out.
        ArmKeySealedError: the file would tell which arm stood where, and that is sealed.
        ExportError: the form cannot hold the table, or its library is not installed.
    """
    study = study_read(study_id, actor_id=actor_id, action=Action.ANALYSE)
    if options.shows_arms:
        key_check(study)
    written = tables_write(study_id=study_id, options=options, folder=folder)
    file_write(written, target)
    export_log(study, "export.built", actor_id=actor_id, options=options, now=now)
    return table_source(written).rows


def file_write(written: Written, target: Path) -> None:
    """Write the table that was asked for in the form that was asked for.

    Raises:
        ExportError: the form cannot hold the table, or its library is not installed.
    """
    WRITERS[written.asked.options.form](table_source(written), target)


def table_source(written: Written) -> TableSource:
    """Return the table that was asked for as its writer reads it."""
    options = written.asked.options
    name = FILE_OF_TABLE[options.table]
    columns = written.asked.columns[name]
    labels = column_labels(written.codebook, file=name)
    numbers = _numbers(written.asked.head) if name == analysis.WIDE_FILE else frozenset()
    return TableSource(
        path=written.folder.file(name),
        rows=written.folder.rows_of(name),
        columns=columns,
        headings=headings_of(columns, labels) if options.headings == "labels" else columns,
        labels=tuple(labels[column] for column in columns),
        types=tuple(column_type(column, numbers=numbers) for column in columns),
        value_labels=_value_labels(written, name),
    )


def _numbers(head: StudyHead) -> frozenset[str]:
    """Columns of the wide table that hold a point of a scale."""
    names: set[str] = set()
    for measure in head.measures.values():
        if measure.kind is MeasureKind.RATING:
            names |= {f"{measure.key}_{arm}" for arm in (head.reference_arm, head.treatment_arm)}
        elif measure.kind is MeasureKind.CONFIDENCE:
            names.add(measure.key)
    return frozenset(names)


def _value_labels(written: Written, name: str) -> dict[str, dict[str, str]]:
    """What values mean; in the long table `value` means another thing in each measure."""
    found: dict[str, dict[str, str]] = {}
    for row in written.codebook:
        if row.file == name and row.label and row.column != "value":
            found.setdefault(row.column, {})[row.value] = row.label
    return found
