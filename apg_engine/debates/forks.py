"""Forks: the same debate from one row on, with something taken out of it."""

from __future__ import annotations

from collections.abc import Iterable

from apg_engine.debates.records import Answer, Withheld
from apg_engine.errors import InputError
from apg_engine.journal import CallJournal, CallRecord


def fork_row(answers: Iterable[Answer], withheld: Withheld) -> int:
    """Give the first row whose prompt held something that is taken out now.

    Up to it a fork makes the same calls, so their records can be copied.

    Raises:
        InputError: no call was ever shown one of the ids.
    """
    shown = [
        (answer.row, exposure.id)
        for answer in answers
        for exposure in answer.exposures
        if exposure.shown
    ]
    for missing in sorted(withheld.ids - {name for _, name in shown}):
        known = ", ".join(sorted({name for _, name in shown})) or "nothing"
        raise InputError("fork", "taken out", missing, known)
    return min(row for row, name in shown if name in withheld.ids)


def rows_copy(records: Iterable[CallRecord], journal: CallJournal, *, before: int) -> int:
    """Copy the rows before a fork into its journal, once; tell how many there are.

    Raises:
        InputError: the row is below 1.
        JournalError: the journal cannot be written.
    """
    if before < 1:
        raise InputError("fork", "row", str(before), "1 or more")
    copied = [record for record in records if record.sequence < before]
    for record in copied:
        if journal.find(record.sequence) is None:
            journal.append(record)
    return len(copied)
