"""The two tables of a batch on disk, each complete up to the last run that has ended."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from apg_engine.batch.rows import COLUMNS, Cell
from apg_engine.disk import file_write, lines_append, lines_read
from apg_engine.errors import InputError
from apg_engine.spreadsheet import csv_bytes

RUNS, SENTENCES = "runs.csv", "sentences.jsonl"


class BatchTables:
    """Appends a run at a time; what a kill left half written is cut off when they are opened."""

    def __init__(self, folder: Path) -> None:
        self._runs, self._sentences = folder / RUNS, folder / SENTENCES
        self.names = self._mend()

    def append(self, row: Mapping[str, Cell], lines: Iterable[Mapping[str, Any]]) -> None:
        """Write a run's sentences and then its row: a run is told once its row is there."""
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        lines_append(self._sentences, text.encode("utf-8", "replace"))
        lines_append(self._runs, csv_bytes([[row[column] for column in COLUMNS]]))
        self.names.add(str(row["run"]))

    def _mend(self) -> set[str]:
        """Cut both files back to whole runs; give the names of these.

        Raises:
            InputError: a file was changed by something else.
        """
        rows = _table(self._runs)
        _rewrite(self._runs, csv_bytes(rows or [COLUMNS]))
        names = {row[0] for row in rows[1:]}
        kept = [line for name, line in _named_lines(self._sentences) if name in names]
        _rewrite(self._sentences, "".join(f"{line}\n" for line in kept).encode())
        return names


def _table(path: Path) -> list[list[str]]:
    try:
        rows = list(csv.reader(io.StringIO(_whole_lines(path)), strict=True))
    except csv.Error as error:
        raise _changed(path, "content", str(error)) from error
    if rows and rows[0] != list(COLUMNS):
        raise InputError(str(path), "line 1", "other columns", ", ".join(COLUMNS))
    for number, row in enumerate(rows, start=1):
        if len(row) != len(COLUMNS):
            raise _changed(path, f"line {number}", f"{len(row)} cells")
    return rows


def _named_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Give each line with the run it belongs to."""
    for number, line in enumerate(_whole_lines(path).split("\n")[:-1], start=1):
        try:
            yield str(json.loads(line)["run"]), line
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _changed(path, f"line {number}", "no sentence of a run") from error


def _whole_lines(path: Path) -> str:
    try:
        return lines_read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise _changed(path, f"byte {error.start}", "no UTF-8") from error


def _changed(path: Path, place: str, found: str) -> InputError:
    allowed = "what the batch wrote, or no such file: it is then written anew from the runs"
    return InputError(str(path), place, found, allowed)


def _rewrite(path: Path, data: bytes) -> None:
    if path.exists() and path.read_bytes() == data:
        return
    file_write(path, data)
