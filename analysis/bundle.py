"""Write a bundle: from answers, codebook and the head of a manifest to its five files."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from analysis import schema
from analysis.records import RECORD_FILES, RecordRow, columns_of
from analysis.schema import CodebookRow, LongRow

# Zip stores a time per file; a fixed one makes equal bundles equal bytes.
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)


def bundle_files(
    *,
    rows: Sequence[LongRow],
    codebook: Sequence[CodebookRow],
    manifest: Mapping[str, Any],
    readme: str,
    records: Mapping[str, Sequence[RecordRow]] | None = None,
) -> dict[str, bytes]:
    """Build the files of a bundle.

    Args:
        rows: Every stored answer.
        codebook: What each column and value means.
        manifest: Every required key of `schema.MANIFEST_REQUIRED` but `schema`, `difference`
            and `files`, which are filled in here.
        readme: What a reader of the zip should know first.
        records: Tables beside the answers, by names of `records.RECORD_FILES`.

    Returns:
        File name to content, in the order of `schema.FILES`, then the tables.
    """
    wide_head, wide = wide_table(rows, arms=tuple(manifest["arms"]))
    tables = {
        schema.LONG_FILE: csv_bytes(schema.LONG_COLUMNS, map(schema.long_cells, rows)),
        schema.WIDE_FILE: csv_bytes(wide_head, wide),
        schema.CODEBOOK_FILE: csv_bytes(
            schema.CODEBOOK_COLUMNS, map(schema.codebook_cells, codebook)
        ),
        schema.README_FILE: readme.encode(schema.ENCODING),
    }
    counts = {schema.LONG_FILE: len(rows), schema.WIDE_FILE: len(wide)}
    counts[schema.CODEBOOK_FILE] = len(codebook)
    for name, lines in (records or {}).items():
        head = columns_of(RECORD_FILES[name][0])
        tables[name] = csv_bytes(head, map(schema.table_cells, lines))
        counts[name] = len(lines)
    full = _manifest_full(manifest, tables, counts)
    tables[schema.MANIFEST_FILE] = json.dumps(full, indent=2, ensure_ascii=False).encode() + b"\n"
    return {name: tables[name] for name in (*schema.FILES, *(records or ()))}


def bundle_zip(files: Mapping[str, bytes]) -> bytes:
    """Pack the files; equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, date_time=_ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def wide_table(
    rows: Sequence[LongRow], *, arms: Sequence[str]
) -> tuple[tuple[str, ...], list[list[str]]]:
    """One line per participant and scenario: ids, background answers, then the measures.

    Ratings stand in `<measure>_<arm>`, choices and texts in `<measure>`. Participants with
    background answers only have no line.

    Returns:
        The column names and the lines as formula-safe cells.
    """
    background = _first_seen(row.measure for row in rows if row.kind == schema.BACKGROUND)
    about = [row for row in rows if row.kind != schema.BACKGROUND]
    columns = _measure_columns(about, arms)
    head = (*schema.WIDE_ID_COLUMNS, *background, *columns)
    people = {(row.participant_id, row.measure): row for row in rows if not row.scenario}
    lines: dict[tuple[str, str], dict[str, str]] = {}
    for row in about:
        line = lines.setdefault((row.participant_id, row.scenario), _wide_ids(row))
        line[_column(row)] = schema.cell(row.value)
        line["answered_at"] = max(line["answered_at"], row.answered_at)
    for (participant, _), line in lines.items():
        for key in background:
            answer = people.get((participant, key))
            line[key] = schema.cell(answer.value) if answer else ""
    return head, [[line.get(name, "") for name in head] for line in lines.values()]


def csv_bytes(head: Sequence[str], lines: Iterable[Sequence[str]]) -> bytes:
    """Write a table as UTF-8 CSV with CRLF, quoting only where RFC 4180 asks for it."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator=schema.LINE_END)
    writer.writerow(head)
    writer.writerows(lines)
    return buffer.getvalue().encode(schema.ENCODING)


def _manifest_full(
    manifest: Mapping[str, Any], tables: Mapping[str, bytes], counts: Mapping[str, int]
) -> dict[str, Any]:
    reference, treatment = manifest["arms"]
    head = {"schema": {"name": schema.SCHEMA_NAME, "version": schema.SCHEMA_VERSION}}
    files = {
        name: {"rows": counts.get(name), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in tables.items()
    }
    difference = schema.difference_text((reference, treatment))
    return {**head, **manifest, "difference": difference, "files": files}


def _wide_ids(row: LongRow) -> dict[str, str]:
    return {name: schema.cell(getattr(row, name)) for name in schema.WIDE_ID_COLUMNS}


def _column(row: LongRow) -> str:
    return f"{row.measure}_{row.arm}" if row.kind == schema.RATING else row.measure


def _measure_columns(rows: Sequence[LongRow], arms: Sequence[str]) -> tuple[str, ...]:
    kinds: dict[str, str] = {}
    for row in rows:
        kinds.setdefault(row.measure, row.kind)
    columns: list[str] = []
    for measure, kind in kinds.items():
        columns += [f"{measure}_{arm}" for arm in arms] if kind == schema.RATING else [measure]
    return tuple(columns)


def _first_seen(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
