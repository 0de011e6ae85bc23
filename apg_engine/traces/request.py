"""What an import was asked for, handed to every reader alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apg_engine.errors import TraceError
from apg_engine.records import Source
from apg_engine.traces.conflict import ConflictRule
from apg_engine.traces.json_field import Field


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The circumstances of one import.

    Attributes:
        source: names the file; stands in where the document names none.
        warnings: what decoding the file already found.
        conflict_rule: decides the conflict level where the document states none.
        entry: which debate to read of a file that holds several, from 1; None for the only one.
    """

    source: Source
    warnings: tuple[str, ...] = ()
    conflict_rule: ConflictRule = "zero_sum"
    entry: int | None = None


def chosen(debates: Sequence[Field], request: ImportRequest, *, file: str, place: str) -> Field:
    """The debate that was asked for, or the only one there is.

    Raises:
        TraceError: there are several and none was named, or the one named does not exist.
    """
    if request.entry is None and len(debates) == 1:
        return debates[0]
    if request.entry is not None and 1 <= request.entry <= len(debates):
        return debates[request.entry - 1]
    found = f"{len(debates)} debates"
    if request.entry is not None:
        found += f" and no number {request.entry}"
    allowed = "one debate, or an entry number that says which" if debates else "at least one debate"
    raise TraceError(file, place or "the document", found, allowed)
