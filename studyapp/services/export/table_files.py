"""Tables on disk, written portion by portion, so that another worker can go on with them.

After each portion the folder's marks say how far every table is. Whoever goes on cuts off what was
written after the last mark; marks of another state of the data count for nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from studyapp.seams import analysis

MARKS: Final = "marks.json"
_LINES: Final = 2000
Pieces = Iterable[tuple[bytes, int]]


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a table is: rows and bytes on disk, and the last primary key that is in."""

    rows: int
    size: int
    after: int
    done: bool


@dataclass(frozen=True, slots=True)
class Portioned:
    """One portion of a table: the last primary key in it, and what writes its lines."""

    upto: int
    pieces: Callable[[], Pieces]


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table to be written: its file, its head, and its portions in order."""

    name: str
    columns: tuple[str, ...]
    portions: Iterable[Portioned]


class TableFolder:
    """The tables of one export and their marks.

    Args:
        path: the folder; it exists.
        state: digest of the state of the data that is written.
    """

    def __init__(self, path: Path, *, state: str) -> None:
        self._path, self._state = path, state
        self._marks = self._marks_read()

    @property
    def rows(self) -> int:
        """How many rows are on disk in all tables."""
        return sum(mark.rows for mark in self._marks.values())

    def file(self, name: str) -> Path:
        """Return where a table stands."""
        return self._path / name

    def rows_of(self, name: str) -> int:
        """Return how many rows a table has on disk."""
        return self._marks[name].rows

    def entry(self, name: str) -> dict[str, Any]:
        """Return rows and SHA-256 of a finished table, as a manifest holds them."""
        with self.file(name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"rows": self._marks[name].rows, "sha256": digest}

    def write(self, plan: TablePlan, *, progress: Callable[[str, int], None]) -> None:
        """Write a table, or what is missing of it; `progress` gets its name and all rows so far.

        Whatever `progress` raises ends it, and what is marked by then stays.
        """
        mark = self._marked(plan.name) or self._begin(plan)
        if mark.done:
            return
        with self.file(plan.name).open("r+b") as file:
            file.truncate(mark.size)
            file.seek(mark.size)
            for portion in plan.portions:
                if portion.upto <= mark.after:
                    continue
                rows = mark.rows
                for data, lines in portion.pieces():
                    file.write(data)
                    rows += lines
                mark = Mark(rows, file.tell(), portion.upto, done=False)
                file.flush()
                os.fsync(file.fileno())
                self._mark(plan.name, mark)
                progress(plan.name, self.rows)
            file.flush()
            self._mark(plan.name, Mark(mark.rows, file.tell(), mark.after, done=True))

    def _marked(self, name: str) -> Mark | None:
        """Believe a mark only if the file has what it says."""
        mark, path = self._marks.get(name), self.file(name)
        if mark is None or not path.exists() or path.stat().st_size < mark.size:
            return None
        return mark

    def _begin(self, plan: TablePlan) -> Mark:
        head = analysis.csv_lines([[analysis.cell(name) for name in plan.columns]])
        self.file(plan.name).write_bytes(head)
        return Mark(rows=0, size=len(head), after=-1, done=False)

    def _mark(self, name: str, mark: Mark) -> None:
        self._marks[name] = mark
        marks = {name: asdict(mark) for name, mark in self._marks.items()}
        draft = self._path / f".{MARKS}"
        draft.write_text(json.dumps({"state": self._state, "tables": marks}), encoding="utf-8")
        draft.replace(self._path / MARKS)

    def _marks_read(self) -> dict[str, Mark]:
        path = self._path / MARKS
        stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if stored.get("state") != self._state:
            return {}
        return {name: Mark(**mark) for name, mark in stored["tables"].items()}


def pieces_of(lines: Iterable[Sequence[str]]) -> Iterator[tuple[bytes, int]]:
    """Turn lines of cells into pieces of a file, some thousand lines at a time."""
    kept: list[Sequence[str]] = []
    for line in lines:
        kept.append(line)
        if len(kept) == _LINES:
            yield analysis.csv_lines(kept), len(kept)
            kept = []
    if kept:
        yield analysis.csv_lines(kept), len(kept)
