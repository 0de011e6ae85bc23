"""Forks: the same debate from one row on, with something taken out of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

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
    return _first(shown, withheld)


def _first(shown: list[tuple[int, str]], withheld: Withheld) -> int:
    for missing in sorted(withheld.ids - {name for _, name in shown}):
        known = ", ".join(sorted({name for _, name in shown})) or "nothing"
        raise InputError("fork", "taken out", missing, known)
    return min(row for row, name in shown if name in withheld.ids)


def shown_first(record: Mapping[str, Any], withheld: Withheld) -> int:
    """Give the first row that was shown something, from a debate's record.

    Raises:
        InputError: no call was ever shown one of the ids.
    """
    shown = [
        (call["row"], exposure["id"])
        for call in record["calls"]
        for exposure in call["exposures"]
        if exposure["shown"]
    ]
    return _first(shown, withheld)


def row_checked(row: int | None, *, first: int) -> int:
    """Give the row back that a fork makes anew first; without one, the first that must be.

    Args:
        row: the one that was asked for, if any.
        first: the first row that was shown what is taken out: no later one can be kept.

    Raises:
        InputError: it is below 1, or later.
    """
    if row is None:
        return first
    if not 1 <= row <= first:
        allowed = f"1 to {first}, the first row that was shown what is taken out"
        raise InputError("fork", "row", str(row), allowed)
    return row


def rows_copy(records: Iterable[CallRecord], journal: CallJournal) -> None:
    """Copy rows into a fork's journal; those it has already are left as they are.

    Raises:
        JournalError: the journal cannot be written.
    """
    for record in records:
        if journal.find(record.sequence) is None:
            journal.append(record)


def influence_tell(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Compare the records of a debate and of its fork: what did the thing taken out change?

    Args:
        before: `debate.json` of the debate.
        after: `debate.json` of the fork.
    """
    withheld = set(after["withheld"])
    turns = {turn["number"]: turn["text"] for turn in before["turns"]}
    changed = [
        turn["number"]
        for turn in after["turns"]
        if turn["number"] in turns and turn["text"] != turns[turn["number"]]
    ]
    pairs = {
        key: {"before": before.get(key), "after": after.get(key)}
        for key in ("stop", "verdict", "gate")
    }
    return {
        "schema": "apg-influence",
        "version": 1,
        "withheld": sorted(withheld),
        "turns_changed": changed,
        "turns_said": {"before": len(before["turns"]), "after": len(after["turns"])},
        "is_verdict_changed": _decided(before) != _decided(after),
        **pairs,
    }


def _decided(record: Mapping[str, Any]) -> tuple[Any, ...]:
    return record.get("verdict"), (record.get("gate") or {}).get("outcome")
