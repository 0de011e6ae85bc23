"""`import`: any known debate file into the project's own trace format."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.status import ExitStatus
from apg_engine.disk import file_write
from apg_engine.errors import InputError, TraceError
from apg_engine.records import Trace
from apg_engine.traces import MAX_BYTES, import_trace, trace_to_bytes

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def import_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("import", help="read a debate and write it as a trace")
    parser.add_argument("file", type=Path, metavar="FILE", help="a debate in any known format")
    parser.add_argument("--out", type=Path, required=True, help="the trace file to write")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="largest file to read")


def import_run(options: argparse.Namespace) -> ExitStatus:
    """Read, check, and only then write.

    Raises:
        TraceError: the file is no debate in a known format.
        InputError: the trace would be written over the file it is read from.
    """
    if options.out.exists() and options.file.exists() and options.out.samefile(options.file):
        raise InputError(str(options.out), "--out", "the file that is read", "another file")
    trace = trace_read(options.file, max_bytes=options.max_bytes)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    file_write(options.out, trace_to_bytes(trace))
    for warning in trace.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    sys.stdout.write(
        f"{options.out}: {trace.title}, {len(trace.turns)} turns, {len(trace.shocks)} shocks, "
        f"{len(trace.documents)} documents, conflict level {trace.conflict_level or 'unknown'}\n"
    )
    return ExitStatus.PUBLISHED


def trace_read(path: Path, *, max_bytes: int = MAX_BYTES) -> Trace:
    """Read a debate file.

    Raises:
        TraceError: the file is absent, too large, or no debate in a known format.
    """
    if not path.is_file():
        raise TraceError(str(path), "file", "nothing", "an existing debate file")
    size = path.stat().st_size
    if size > max_bytes:
        raise TraceError(str(path), "size", f"{size:,} bytes", f"at most {max_bytes:,} bytes")
    # Under a locale without the name's letters, Python has its bytes as half surrogate pairs.
    name = os.fsencode(path.name).decode("utf-8", "replace")
    return import_trace(path.read_bytes(), file_name=name, max_bytes=max_bytes)
