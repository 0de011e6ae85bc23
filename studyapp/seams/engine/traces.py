"""Debates: read in any known format, stored in the project's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import apg_engine
from apg_engine import Trace
from studyapp.errors import TraceRefusedError


@dataclass(frozen=True, slots=True)
class ImportedTrace:
    """A debate as it is stored; `content` is in the project's own trace format."""

    title: str
    language: str
    conflict_level: str
    content: dict[str, Any]
    sha256: str
    source_format: str
    source_file: str
    source_sha256: str
    warnings: tuple[str, ...]


def trace_read(data: bytes, *, file_name: str, max_bytes: int) -> ImportedTrace:
    """Read a debate in any known format.

    Raises:
        TraceRefusedError: names the file, the place, what was found and what is allowed.
    """
    try:
        trace = apg_engine.import_trace(data, file_name=file_name, max_bytes=max_bytes)
    except apg_engine.TraceError as error:
        raise TraceRefusedError(
            file=error.file, place=error.place, found=error.found, allowed=error.allowed
        ) from error
    return ImportedTrace(
        title=trace.title,
        language=trace.language,
        conflict_level=trace.conflict_level,
        content=apg_engine.trace_to_dict(trace),
        sha256=apg_engine.trace_sha256(trace),
        source_format=trace.source.format,
        source_file=trace.source.file_name,
        source_sha256=trace.source.sha256,
        warnings=trace.warnings,
    )


def trace_load(content: Mapping[str, Any], *, file_name: str) -> Trace:
    """Turn a stored trace back into the engine's record."""
    return apg_engine.trace_from_dict(content, file_name=file_name)
