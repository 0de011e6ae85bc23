"""The journal of one run as a file: a line a call, each chained to the lines before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container
from pathlib import Path

from apg_engine.disk import lines_append, lines_cut, lines_read
from apg_engine.errors import JournalError
from apg_engine.journal import CallRecord
from apg_engine.json_data import json_load

# The link before the first line.
CHAIN_START = "0" * 64


class FileJournal:
    """A JSON Lines file, one call a line, written to disk before the call is used.

    A last line without its end is what a kill leaves behind; that call was never used, so the
    line is cut off. Any other line that cannot be read, or that was changed, is an error.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = lines_read(path)
        records, self._head = journal_read(lines, file_name=str(path))
        self._records = {record.sequence: record for record in records}
        lines_cut(path, lines)

    @property
    def records(self) -> tuple[CallRecord, ...]:
        """Every recorded call, in the order of the file."""
        return tuple(self._records.values())

    def find(self, sequence: int) -> CallRecord | None:
        """Give the record with this sequence number, or None."""
        return self._records.get(sequence)

    def append(self, record: CallRecord) -> None:
        """Write one line and force it to disk.

        Raises:
            JournalError: the sequence number is taken.
        """
        if record.sequence in self._records:
            raise JournalError(f"call {record.sequence} is already recorded in {self._path}")
        line, head = _line(record, self._head)
        lines_append(self._path, line)
        self._records[record.sequence] = record
        self._head = head


def journal_read(data: bytes, *, file_name: str) -> tuple[tuple[CallRecord, ...], str]:
    """Read a whole journal.

    Returns:
        The records, and the last link of the chain: it stands for every byte before it.

    Raises:
        JournalError: a line cannot be read, is not as it was written, or stands twice.
    """
    records: dict[int, CallRecord] = {}
    head = CHAIN_START
    for number, line in enumerate(data.splitlines(keepends=True) if data else (), start=1):
        try:
            record, head = _parsed(line, head, known=records)
        except (ValueError, TypeError, KeyError, AttributeError, JournalError) as error:
            raise JournalError(f"{file_name}: line {number}: {error}") from error
        records[record.sequence] = record
    return tuple(records.values()), head


def _parsed(line: bytes, head: str, known: Container[int]) -> tuple[CallRecord, str]:
    data = json_load(line.decode("utf-8", "surrogatepass"))
    if not isinstance(data, dict):
        raise JournalError(f"found {type(data).__name__}; allowed: a recorded call")
    record = CallRecord.from_dict({key: value for key, value in data.items() if key != "chain"})
    if record.sequence in known:
        raise JournalError(f"call {record.sequence} stands twice")
    written, link = _line(record, head)
    if written != line:
        raise JournalError("the chain is broken: a line was changed, moved or taken out")
    return record, link


def _line(record: CallRecord, head: str) -> tuple[bytes, str]:
    row = json.dumps(record.to_dict(), ensure_ascii=False)
    link = hashlib.sha256(f"{head}\n{row}".encode("utf-8", "surrogatepass")).hexdigest()
    # The link goes in by hand, so that the row before it is hashed as it stands in the file.
    return f'{row[:-1]}, "chain": "{link}"}}\n'.encode("utf-8", "surrogatepass"), link
