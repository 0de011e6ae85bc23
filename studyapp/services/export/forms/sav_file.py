"""SPSS files, with what columns and values mean inside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from studyapp.services.export.forms.source import ColumnType, TableSource, Value

_NAME_LENGTH: Final = 64  # bytes; our names are ASCII
_LABEL_LENGTH: Final = 255
_VALUE_LABEL_LENGTH: Final = 120
_NOT_ALLOWED: Final = re.compile(r"[^A-Za-z0-9_.]")
# Where the header of a system file says when it was written (PSPP, "System File Format").
_DATE_AT: Final = 92
_DATE: Final = b"01 Jan 8000:00:00"
_FLAG_LABELS: Final = {0: "no", 1: "yes"}


def sav_write(source: TableSource, target: Path) -> None:
    """Write a system file. The library wants the whole table, so memory grows with its rows.

    Names that SPSS does not take get underscores; flags are 0 and 1, times ISO 8601 texts.
    """
    # A second that only who exports pays for.
    import pandas as pd
    import pyreadstat

    names = sav_names(source.columns)
    lines = [list(map(_plain, line)) for line in source.lines()]
    frame = pd.DataFrame(lines, columns=pd.Index(names), dtype=object)
    for name, kind in zip(names, source.types, strict=True):
        if kind in (ColumnType.TEXT, ColumnType.TIME):
            frame[name] = frame[name].fillna("")
        else:
            frame[name] = pd.to_numeric(frame[name]).astype("float64")
    pyreadstat.write_sav(
        frame,
        str(target),
        column_labels=[label[:_LABEL_LENGTH] for label in source.labels],
        variable_value_labels=_value_labels(source, names),
    )
    _date_fix(target)


def sav_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Make names that SPSS takes: letters, digits, `_` and `.`, a letter first, no two equal."""
    found: list[str] = []
    for column in columns:
        name = _NOT_ALLOWED.sub("_", column)[:_NAME_LENGTH].rstrip(".")
        name = name if name[:1].isalpha() else f"v_{name}"[:_NAME_LENGTH]
        number = 1
        unique = name
        while unique.lower() in (taken.lower() for taken in found):
            number += 1
            unique = f"{name[: _NAME_LENGTH - 4]}_{number}"
        found.append(unique)
    return tuple(found)


def _value_labels(source: TableSource, names: Sequence[str]) -> dict[str, dict[Any, str]]:
    labels: dict[str, dict[Any, str]] = {}
    for name, column, kind in zip(names, source.columns, source.types, strict=True):
        known = source.value_labels.get(column, {})
        if kind is ColumnType.FLAG:
            labels[name] = dict(_FLAG_LABELS)
        elif known:
            labels[name] = {
                int(value) if kind is ColumnType.WHOLE else value: label[:_VALUE_LABEL_LENGTH]
                for value, label in known.items()
            }
    return labels


def _plain(value: Value) -> str | int | float | None:
    if isinstance(value, bool):
        return int(value)
    return value.isoformat(timespec="milliseconds") if isinstance(value, datetime) else value


def _date_fix(path: Path) -> None:
    """Put a fixed date into the header: equal tables give equal bytes."""
    with path.open("r+b") as file:
        file.seek(_DATE_AT)
        file.write(_DATE)
