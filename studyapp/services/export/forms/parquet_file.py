"""Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from studyapp.errors import ExportError
from studyapp.services.export.forms.source import ColumnType, TableSource, Value

_PORTION: Final = 50_000


def parquet_write(source: TableSource, target: Path) -> None:
    """Write typed columns; times are UTC with milliseconds.

    Raises:
        ExportError: the package pyarrow is not installed.
    """
    try:
        # 170 MB that only who wants this form installs.
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ExportError(
            "Parquet needs the package pyarrow: pip install -r requirements-export.txt. CSV and "
            "JSON Lines hold the same rows without it."
        ) from error
    kinds = {
        ColumnType.TEXT: pa.string(),
        ColumnType.WHOLE: pa.int64(),
        ColumnType.DECIMAL: pa.float64(),
        ColumnType.FLAG: pa.bool_(),
        ColumnType.TIME: pa.timestamp("ms", tz="UTC"),
    }
    named = zip(source.headings, source.types, strict=True)
    schema = pa.schema([(name, kinds[kind]) for name, kind in named])
    with pq.ParquetWriter(target, schema) as writer:
        for lines in source.portions(_PORTION):
            columns = [
                pa.array(column, type=field.type)
                for column, field in zip(_turned(lines), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _turned(lines: Sequence[Sequence[Value]]) -> list[tuple[Any, ...]]:
    return list(zip(*lines, strict=True))
