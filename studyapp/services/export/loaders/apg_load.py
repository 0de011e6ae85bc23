"""Read a study's bundle (its zip, or the unpacked folder) with pandas.

    from apg_load import apg_load
    study = apg_load("study.zip")     # or the folder
    study["long"]                     # one DataFrame for each table

Texts come back exactly as they were given: the apostrophe before what a spreadsheet would run as a
formula is taken off. Empty cells are missing values, the answer "NA" is a text. Every table is
compared with the row count and SHA-256 in manifest.json first.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

ESCAPED = re.compile("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
WHOLE = {
    "trial_order", "dwell_visible_ms", "n_changes", "changes", "screening_attempts", "event",
    "sequence", "after_ms",
}  # fmt: skip
DECIMAL = {"visible_seconds", "scroll_coverage"}
FLAGS = {"is_test", "is_bot", "attention_pass", "is_erased"}
TIMES = {
    "presented_at", "answered_at", "consented_at", "background_at", "completed_at", "marked_at",
    "at",
}  # fmt: skip


def apg_load(place: str | Path) -> dict[str, Any]:
    """Return a DataFrame for each table by its name, and the manifest under "manifest".

    Raises ValueError where a file is not the one that the manifest describes.
    """
    path = Path(place)
    manifest = json.loads(_bytes(path, "manifest.json"))
    tables: dict[str, Any] = {"manifest": manifest}
    for name, entry in manifest["files"].items():
        data = _bytes(path, name)
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise ValueError(f"{name} is not the file that manifest.json describes")
        if name.endswith(".csv"):
            tables[name[:-4]] = _table(name, data, entry["rows"], manifest)
    return tables


def _bytes(path: Path, name: str) -> bytes:
    if path.is_dir():
        return (path / name).read_bytes()
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def _table(name: str, data: bytes, rows: int, manifest: dict[str, Any]) -> Any:
    csv.field_size_limit(sys.maxsize)
    lines = csv.reader(io.StringIO(data.decode("utf-8"), newline=""))
    head = [_plain(cell) for cell in next(lines)]
    cells = [[_plain(cell) or None for cell in line] for line in lines]
    if len(cells) != rows:
        raise ValueError(f"{name} has {len(cells)} rows; manifest.json counts {rows}")
    # An object column keeps every text as it is, whatever pandas makes of strings.
    frame = pd.DataFrame(cells, columns=head, dtype=object)
    numbers = _wide_numbers(manifest) if name == "wide.csv" else set()
    for column in head:
        frame[column] = _typed(frame[column], column, whole=WHOLE | numbers)
    return frame


def _plain(cell: str) -> str:
    return cell[1:] if ESCAPED.match(cell) else cell


def _wide_numbers(manifest: dict[str, Any]) -> set[str]:
    """Ratings and confidence are numbers in the wide table; in the long one value is a text."""
    names: set[str] = set()
    for measure in manifest["measures"]:
        if measure["kind"] == "rating":
            names |= {f"{measure['key']}_{arm}" for arm in manifest["arms"]}
        elif measure["kind"] == "confidence":
            names.add(measure["key"])
    return names


def _typed(column: Any, name: str, *, whole: set[str]) -> Any:
    if name in whole:
        return pd.to_numeric(column).astype("Int64")
    if name in DECIMAL:
        return pd.to_numeric(column).astype("Float64")
    if name in FLAGS:
        return column.map({"true": True, "false": False}).astype("boolean")
    if name in TIMES:
        return pd.to_datetime(column, utc=True, format="ISO8601")
    return column
