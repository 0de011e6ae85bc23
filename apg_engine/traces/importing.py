"""The one way in: a file's bytes, of whichever known format, become a trace."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from apg_engine.errors import TraceError
from apg_engine.records import Source, Trace
from apg_engine.traces import (
    autogen,
    chat,
    inspect_log,
    mallm,
    own_format,
    trajectory,
    transcript,
    ucl_dark,
)
from apg_engine.traces.conflict import ConflictRule
from apg_engine.traces.decoding import (
    Decoded,
    clean_document,
    json_from_text,
    json_lines_from_text,
    text_from_bytes,
)
from apg_engine.traces.json_field import Field, described
from apg_engine.traces.request import ImportRequest

MAX_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Importer:
    """One format of JSON: its name, how a document of it looks, how it is read."""

    format: str
    recognises: Callable[[object], bool]
    read: Callable[[Field, ImportRequest], Trace]


# Asked in this order: the first that recognises the document reads it.
IMPORTERS = (
    Importer(own_format.FORMAT, own_format.recognises, own_format.trace_from_field),
    Importer(trajectory.FORMAT, trajectory.recognises, trajectory.trace_from_field),
    Importer(mallm.FORMAT, mallm.recognises, mallm.trace_from_field),
    Importer(ucl_dark.FORMAT, ucl_dark.recognises, ucl_dark.trace_from_field),
    Importer(inspect_log.FORMAT, inspect_log.recognises, inspect_log.trace_from_field),
    Importer(autogen.FORMAT, autogen.recognises, autogen.trace_from_field),
    Importer(chat.FORMAT, chat.recognises, chat.trace_from_field),
)
FORMATS = (*(importer.format for importer in IMPORTERS), transcript.FORMAT)


def import_trace(
    data: bytes,
    *,
    file_name: str,
    max_bytes: int = MAX_BYTES,
    conflict_rule: ConflictRule = "zero_sum",
    entry: int | None = None,
) -> Trace:
    """Read a debate trace; the format is detected by the document's structure.

    Args:
        data: the file's bytes.
        file_name: its name, for errors and for the trace's source.
        max_bytes: size limit.
        conflict_rule: decides the conflict level where the file does not state one.
        entry: which debate to read of a file that holds several, from 1.

    Raises:
        TraceError: with file, place, what was found and what is allowed.
    """
    text = text_from_bytes(data, file_name=file_name, max_bytes=max_bytes)
    if text.lstrip()[:1] in ("{", "["):
        return _from_json(text, data, file_name, conflict_rule, entry)
    decoded = clean_document(text, file_name=file_name)
    source = _source(transcript.FORMAT, data, file_name)
    request = ImportRequest(source, decoded.warnings, conflict_rule, entry)
    return transcript.trace_from_text(str(decoded.document), request, file_name=file_name)


def _from_json(
    text: str, data: bytes, file_name: str, conflict_rule: ConflictRule, entry: int | None
) -> Trace:
    decoded = _decoded(text, file_name)
    importer = _importer_for(decoded.document, file_name)
    source = _source(importer.format, data, file_name)
    request = ImportRequest(source, decoded.warnings, conflict_rule, entry)
    return importer.read(Field(file_name, "", decoded.document), request)


def _decoded(text: str, file_name: str) -> Decoded:
    lines = json_lines_from_text(text, file_name=file_name)
    return json_from_text(text, file_name=file_name) if lines is None else lines


def _importer_for(document: object, file_name: str) -> Importer:
    for importer in IMPORTERS:
        if importer.recognises(document):
            return importer
    raise TraceError(
        file_name,
        "the document",
        f"{described(document)} of no known format",
        " | ".join(FORMATS),
    )


def _source(format_name: str, data: bytes, file_name: str) -> Source:
    # The name only: a path would carry a machine's folders into records and exports.
    name = PurePath(file_name).name[-own_format.FILE_NAME_CHARACTERS :] or "unnamed"
    return Source(format_name, name, hashlib.sha256(data).hexdigest())
