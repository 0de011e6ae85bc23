"""A participant's own data as files to take along, for programs: times are ISO 8601 in UTC."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, fields
from datetime import UTC

from studyapp.seams.analysis import text_escape
from studyapp.selectors.own_data import OwnData, OwnRow


def own_json(data: OwnData) -> bytes:
    """Return the data as JSON, UTF-8."""
    content = {
        "format": "own-data",
        "version": 1,
        "study": data.study,
        "language": data.language,
        "rows": [_as_stored(row) for row in data.rows],
    }
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def own_csv(data: OwnData) -> bytes:
    """Return the data as CSV, UTF-8 with a byte order mark, safe to open in a spreadsheet."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(field.name for field in fields(OwnRow))
    for row in data.rows:
        writer.writerow(_cell(part) for part in _as_stored(row).values())
    return buffer.getvalue().encode("utf-8-sig")


def _as_stored(row: OwnRow) -> dict[str, str | int]:
    moment = row.at.astimezone(UTC).isoformat(timespec="seconds") if row.at else ""
    return {**asdict(row), "at": moment}


def _cell(value: str | int) -> str:
    return text_escape(value) if isinstance(value, str) else str(value)
