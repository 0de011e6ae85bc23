"""CPU time of processes that others started, on Linux."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12


def cpu_seconds(variable: str) -> float:
    """Add up the CPU time of all live processes that have `NAME=value` in their environment."""
    return sum(
        _seconds(folder) for folder in Path("/proc").glob("[0-9]*") if _has(folder, variable)
    )


def _has(folder: Path, variable: str) -> bool:
    try:
        held = (folder / "environ").read_bytes().split(b"\0")
    except OSError:  # gone, or somebody else's
        return False
    return variable.encode() in held


def _seconds(folder: Path) -> float:
    try:
        # After the name in brackets, which may hold anything.
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS
