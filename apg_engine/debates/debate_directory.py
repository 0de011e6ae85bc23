"""The folder of one debate: kept to the setup it began with; the same command goes on in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from apg_engine.errors import InputError
from apg_engine.journal import CallRecord
from apg_engine.journal_file import journal_read
from apg_engine.kept_folder import JOURNAL, KeptFolder
from apg_engine.records import Trace
from apg_engine.traces import trace_to_bytes

SETUP: Final = "setup.json"
RECORD: Final = "debate.json"
TRACE: Final = "trace.json"
GATE: Final = "gate"


class DebateDirectory(KeptFolder):
    """Setup, journal, record, trace, and the run of the gate over it in a folder of its own."""

    def __init__(self, path: Path, setup: Mapping[str, Any]) -> None:
        super().__init__(path, first=SETUP, data=_json(setup), other="a debate with another setup")

    def write(self, record: Mapping[str, Any], trace: Trace | None) -> None:
        """Write what the debate gave, the record last: a debate without one has not ended."""
        if trace is not None:
            self.put(TRACE, trace_to_bytes(trace))
        self.put(RECORD, _json(record))


def system_of(path: Path) -> str:
    """Tell which system a debate was held by.

    Raises:
        InputError: the folder holds no ended debate.
    """
    return str(_read(path / RECORD).get("system"))


def debate_read(
    path: Path, *, system: str
) -> tuple[dict[str, Any], dict[str, Any], tuple[CallRecord, ...]]:
    """Read setup, record and journal of a debate that has ended.

    Raises:
        InputError: the folder holds no ended debate of this system.
        JournalError: a line of the journal was changed.
    """
    setup, record = (_read(path / name) for name in (SETUP, RECORD))
    for name, data in ((SETUP, setup), (RECORD, record)):
        if data.get("system") != system:
            found = repr(data.get("system"))
            raise InputError(str(path / name), "system", found, system)
    journal = path / JOURNAL
    lines = journal.read_bytes() if journal.exists() else b""
    return setup, record, journal_read(lines, file_name=str(journal))[0]


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(str(path), "file", "nothing", "a debate that has ended")
    try:
        data = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(str(path), "content", f"no JSON ({error})", "an object") from error
    if not isinstance(data, dict):
        raise InputError(str(path), "content", type(data).__name__, "an object")
    return data


def _json(data: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)}\n".encode()
