"""Debate traces: the project's own format, importers for foreign ones, one door for all."""

from __future__ import annotations

from apg_engine.traces.conflict import CONFLICT_RULES, ConflictRule, conflict_level
from apg_engine.traces.importing import MAX_BYTES, import_trace
from apg_engine.traces.own_format import (
    trace_from_dict,
    trace_schema,
    trace_sha256,
    trace_to_bytes,
    trace_to_dict,
)

__all__ = [
    "CONFLICT_RULES",
    "MAX_BYTES",
    "ConflictRule",
    "conflict_level",
    "import_trace",
    "trace_from_dict",
    "trace_schema",
    "trace_sha256",
    "trace_to_bytes",
    "trace_to_dict",
]
