"""The folder of one debate: kept to the setup it began with; the same command goes on in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from apg_engine.errors import InputError
from apg_engine.kept_folder import KeptFolder
from apg_engine.records import Trace
from apg_engine.traces import trace_to_bytes

SETUP: Final = "setup.json"
RECORD: Final = "debate.json"
TRACE: Final = "trace.json"
GATE: Final = "gate"
INFLUENCE: Final = "influence.json"


class DebateDirectory(KeptFolder):
    """Setup, journal, record, trace, and the run of the gate over it in a folder of its own."""

    def __init__(self, path: Path, setup: Mapping[str, Any]) -> None:
        super().__init__(
            path, first=SETUP, data=record_bytes(setup), other="a debate with another setup"
        )

    def write(self, record: Mapping[str, Any], trace: Trace | None) -> None:
        """Write what the debate gave, the record last: a debate without one has not ended."""
        if trace is not None:
            self.put(TRACE, trace_to_bytes(trace))
        self.put(RECORD, record_bytes(record))


def record_bytes(data: Mapping[str, Any]) -> bytes:
    """Give what is told of a debate as the bytes of a file.

    Raises:
        InputError: a setting holds half of a character, which no file in UTF-8 can hold.
    """
    text = f"{json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)}\n"
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        line = text[text.rfind("\n", 0, error.start) + 1 : error.start].strip()
        raise InputError("debate", f"after {line[:60]}", "no text in UTF-8", "UTF-8") from error
