"""One row for each claim, system and seed, on disk as soon as it is there."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from apg_engine.debates.courtroom.confidence import Parts
from apg_engine.disk import file_write, lines_append, lines_cut, lines_read
from apg_engine.errors import InputError
from apg_engine.evaluating.claims import Label
from apg_engine.evaluating.opinions import Opinion, Vote
from apg_engine.field_types import misfits_find
from apg_engine.json_data import json_load
from apg_engine.kept_folder import LockedFolder
from apg_engine.spending.spent import Spent
from apg_engine.spreadsheet import csv_bytes

ROWS: Final = "rows.jsonl"
TABLE: Final = "rows.csv"
COLUMNS: Final = (
    "item",
    "system",
    "seed",
    "label",
    "found",
    "correct",
    "ending",
    "confidence",
    "rounds",
    "documents",
    "chunks",
    "votes_cast",
    "calls",
    "prompt_tokens",
    "completion_tokens",
    "cost",
    "model_seconds",
)
Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Row:
    """What one system said about one claim with one seed, and what that took."""

    item: str
    system: str
    seed: int
    label: Label
    opinion: Opinion
    spent: Spent

    @property
    def key(self) -> Key:
        """Item, system and seed: each combination has one row."""
        return self.item, self.system, self.seed

    @property
    def is_correct(self) -> bool:
        """True where it found what is known; a claim left open is not found."""
        return self.opinion.label is self.label

    @property
    def tokens(self) -> int | None:
        """Sent and received; None if a server did not count them."""
        sent, received = self.spent.prompt_tokens, self.spent.completion_tokens
        return None if sent is None or received is None else sent + received


class EvaluationRows(LockedFolder):
    """The rows of a folder, JSON Lines and CSV; what a kill left half written is cut off.

    Used as a context: meanwhile no other process writes in the folder. Safe for threads.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._writing = threading.Lock()
        self._rows: dict[Key, Row] = {}

    def __enter__(self) -> Self:
        """Take the folder and read what is there.

        Raises:
            InputError: another process works in it, or a row cannot be read or stands twice.
        """
        super().__enter__()
        self._mend()
        return self

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every row, in the order it was written."""
        with self._writing:
            return tuple(self._rows.values())

    def find(self, key: Key) -> Row | None:
        """Give the row of an item, a system and a seed, if it is there."""
        with self._writing:
            return self._rows.get(key)

    def append(self, row: Row) -> None:
        """Write a row and force it to disk.

        Raises:
            InputError: there is one for this item, system and seed.
        """
        with self._writing:
            if row.key in self._rows:
                raise InputError(str(self.path / ROWS), str(row.key), "a second row", "one row")
            lines_append(self.path / ROWS, _line(row))
            lines_append(self.path / TABLE, csv_bytes([_cells(row)]))
            self._rows[row.key] = row

    def _mend(self) -> None:
        path = self.path / ROWS
        lines = lines_read(path)
        for row in rows_parsed(lines, file_name=str(path)):
            self._rows[row.key] = row
        lines_cut(path, lines)
        file_write(self.path / TABLE, csv_bytes([COLUMNS, *map(_cells, self._rows.values())]))


def rows_load(folder: Path) -> tuple[Row, ...]:
    """Read the rows of a folder without taking it; a half-written last row is left out.

    Raises:
        InputError: there are none, or one cannot be read or stands twice.
    """
    path = folder / ROWS
    if not path.is_file():
        raise InputError(str(path), "file", "nothing", "rows of an evaluation")
    return rows_parsed(lines_read(path), file_name=str(path))


def rows_parsed(data: bytes, *, file_name: str) -> tuple[Row, ...]:
    """Read rows.

    Raises:
        InputError: names the line.
    """
    found: dict[Key, Row] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        place = f"line {number}"
        try:
            row = _checked(_row(json_load(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            told = f"{type(error).__name__}: {error}"
            raise InputError(file_name, place, told[:80], "a row of an evaluation") from error
        if row.key in found:
            raise InputError(file_name, place, f"a second row for {row.key}", "one row")
        found[row.key] = row
    return tuple(found.values())


def _checked(row: Row) -> Row:
    """Give a row back whose fields can be reckoned with."""
    shares = (row.opinion.confidence, *(vote.score for vote in row.opinion.votes))
    wrong = [*misfits_find(row), *(f"{one}: no share" for one in shares if not _is_share(one))]
    if wrong:
        raise ValueError(wrong[0])
    return row


def _is_share(value: float | None) -> bool:
    return not isinstance(value, int | float) or 0.0 <= value <= 1.0


def _line(row: Row) -> bytes:
    data = {**asdict(row), "correct": row.is_correct}
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode("utf-8", "replace")


def _row(data: Mapping[str, Any]) -> Row:
    opinion = data["opinion"]
    return Row(
        item=data["item"],
        system=data["system"],
        seed=data["seed"],
        label=Label(data["label"]),
        opinion=Opinion(
            **{
                **opinion,
                "label": _label(opinion["label"]),
                "votes": tuple(
                    Vote(**{**vote, "label": _label(vote["label"])}) for vote in opinion["votes"]
                ),
                "parts": Parts(**opinion["parts"]) if opinion["parts"] else None,
                "premises": tuple(opinion["premises"]),
            }
        ),
        spent=Spent(**data["spent"]),
    )


def _label(value: str | None) -> Label | None:
    return None if value is None else Label(value)


def _cells(row: Row) -> list[object]:
    opinion, spent = row.opinion, row.spent
    return [
        row.item,
        row.system,
        row.seed,
        row.label.value,
        opinion.label.value if opinion.label else "",
        int(row.is_correct),
        opinion.ending,
        opinion.confidence,
        opinion.rounds,
        opinion.documents,
        opinion.chunks,
        sum(vote.label is not None for vote in opinion.votes),
        spent.calls,
        spent.prompt_tokens,
        spent.completion_tokens,
        spent.cost,
        spent.seconds,
    ]
