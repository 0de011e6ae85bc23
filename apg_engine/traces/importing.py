"""The one way in: a file's bytes, of whichever known format, become a trace."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Protocol

from apg_engine.errors import TraceError
from apg_engine.records import Source, Trace
from apg_engine.traces import own_format, trajectory
from apg_engine.traces.conflict import ConflictRule
from apg_engine.traces.decoding import json_from_text, text_from_bytes
from apg_engine.traces.json_field import Field, described

MAX_BYTES = 20_000_000


class Reader(Protocol):
    """Turns a parsed document of one format into a trace."""

    def __call__(
        self,
        root: Field,
        *,
        source: Source,
        warnings: tuple[str, ...],
        conflict_rule: ConflictRule,
    ) -> Trace:
        """Read the document or raise a TraceError."""
        ...


@dataclass(frozen=True, slots=True)
class Importer:
    """One format: its name, how a document of it looks, how it is read."""

    format: str
    recognises: Callable[[object], bool]
    read: Reader


# Asked in this order: the first that recognises the document reads it.
IMPORTERS = (
    Importer(own_format.FORMAT, own_format.recognises, own_format.trace_from_field),
    Importer(trajectory.FORMAT, trajectory.recognises, trajectory.trace_from_field),
)


def import_trace(
    data: bytes,
    *,
    file_name: str,
    max_bytes: int = MAX_BYTES,
    conflict_rule: ConflictRule = "zero_sum",
) -> Trace:
    """Read a debate trace; the format is detected by the document's structure.

    Args:
        data: the file's bytes.
        file_name: its name, for errors and for the trace's source.
        max_bytes: size limit.
        conflict_rule: decides the conflict level where the file does not state one.

    Raises:
        TraceError: with file, place, what was found and what is allowed.
    """
    text = text_from_bytes(data, file_name=file_name, max_bytes=max_bytes)
    decoded = json_from_text(text, file_name=file_name)
    importer = _importer_for(decoded.document, file_name)
    return importer.read(
        Field(file_name, "", decoded.document),
        source=_source(importer.format, data, file_name),
        warnings=decoded.warnings,
        conflict_rule=conflict_rule,
    )


def _importer_for(document: object, file_name: str) -> Importer:
    for importer in IMPORTERS:
        if importer.recognises(document):
            return importer
    known = " | ".join(importer.format for importer in IMPORTERS)
    raise TraceError(
        file_name,
        "the document",
        f"{described(document)} of no known format",
        f"an object of format {known}",
    )


def _source(format_name: str, data: bytes, file_name: str) -> Source:
    # The name only: a path would carry a machine's folders into records and exports.
    name = PurePath(file_name).name[-own_format.FILE_NAME_CHARACTERS :] or "unnamed"
    return Source(format_name, name, hashlib.sha256(data).hexdigest())
