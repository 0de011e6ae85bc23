"""One table of a study as one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from studyapp.domain.measures import MeasureKind
from studyapp.seams import analysis
from studyapp.services.export.bundle import Written
from studyapp.services.export.codebook import column_labels
from studyapp.services.export.forms.parquet_file import parquet_write
from studyapp.services.export.forms.sav_file import sav_write
from studyapp.services.export.forms.source import TableSource, column_type, headings_of
from studyapp.services.export.forms.text_files import csv_excel_write, csv_write, jsonl_write
from studyapp.services.export.forms.xlsx_file import xlsx_write
from studyapp.services.export.head import StudyHead
from studyapp.services.export.tables import FILE_OF_TABLE

WRITERS: Final[Mapping[str, Callable[[TableSource, Path], None]]] = {
    "csv": csv_write,
    "csv_excel": csv_excel_write,
    "xlsx": xlsx_write,
    "sav": sav_write,
    "parquet": parquet_write,
    "jsonl": jsonl_write,
}


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
