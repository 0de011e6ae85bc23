"""Reading an ended debate back from its folder, where anybody may have edited it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apg_engine.debates.debate_directory import RECORD, SETUP
from apg_engine.errors import InputError
from apg_engine.journal import CallRecord
from apg_engine.journal_file import journal_read
from apg_engine.json_data import json_load
from apg_engine.kept_folder import JOURNAL

_ENDED = "a debate that has ended"
_OPTIONAL = type(None)
# What a fork reads of a record, by system and place; `*` is every entry of a list.
_SHAPES: dict[str, dict[str, tuple[type, ...]]] = {
    "": {
        "calls": (list,),
        "calls.*.row": (int,),
        "calls.*.exposures": (list,),
        "calls.*.exposures.*.id": (str,),
        "calls.*.exposures.*.shown": (int,),
        "turns": (list,),
        "turns.*.number": (int,),
        "turns.*.text": (str,),
        "stop": (dict,),
        "gate": (dict,),
        "gate.outcome": (str,),
    },
    "courtroom": {
        "verdict": (dict,),
        "verdict.finding": (str,),
        "verdict.confidence": (float, int, _OPTIONAL),
        "switched_rows": (list, _OPTIONAL),
        "setup.library.path": (str,),
        "setup.library.sha256": (str,),
        "setup.library.embedder": (str,),
    },
}


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
        InputError: the folder holds no ended debate of this system, or its record was changed.
        JournalError: a line of the journal was changed.
    """
    setup, record = (_read(path / name) for name in (SETUP, RECORD))
    for name, data in ((SETUP, setup), (RECORD, record)):
        if data.get("system") != system:
            found = repr(data.get("system"))
            raise InputError(str(path / name), "system", found, system)
    if record.get("setup") != setup:
        raise InputError(str(path / SETUP), "content", "another setup than the record's", _ENDED)
    for place, kinds in (_SHAPES[""] | _SHAPES.get(system, {})).items():
        _check(record, place.split("."), kinds, file=str(path / RECORD), place=place)
    journal = path / JOURNAL
    lines = journal.read_bytes() if journal.exists() else b""
    return setup, record, journal_read(lines, file_name=str(journal))[0]


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(str(path), "file", "nothing", _ENDED)
    try:
        data = json_load(path.read_bytes())
    except ValueError as error:
        raise InputError(str(path), "content", f"no JSON ({error})", "an object") from error
    if not isinstance(data, dict):
        raise InputError(str(path), "content", type(data).__name__, "an object")
    return data


def _check(data: Any, keys: list[str], kinds: tuple[type, ...], *, file: str, place: str) -> None:
    """Follow the keys of a place, and refuse what is not of the kinds that may stand there."""
    if not keys:
        if not isinstance(data, kinds):
            allowed = " or ".join(one.__name__ for one in kinds)
            raise InputError(file, place, f"{data!r:.60}", f"{allowed}, as the debate left it")
        return
    key, *others = keys
    if key == "*":
        for one in data:
            _check(one, others, kinds, file=file, place=place)
        return
    _check(
        data.get(key) if isinstance(data, Mapping) else None,
        others,
        kinds,
        file=file,
        place=place,
    )
