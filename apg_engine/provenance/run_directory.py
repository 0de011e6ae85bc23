"""The folder of one run: kept to the trace it began with, and sealed when the run has ended."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from apg_engine.config import GateConfig, config_to_dict
from apg_engine.errors import InputError
from apg_engine.journal_file import FileJournal, journal_read
from apg_engine.provenance.engine_version import engine_sha256
from apg_engine.provenance.history import PROV_JSON, PROV_N, prov_files
from apg_engine.provenance.manifest import manifest_bytes
from apg_engine.provenance.run_files import DIVERGENCE, JOURNAL, MANIFEST, RESULT, TRACE, run_files
from apg_engine.records import Trace
from apg_engine.results import GateResult
from apg_engine.traces import trace_to_bytes


def ended_otherwise_refuse(path: Path, config: GateConfig) -> None:
    """Refuse a folder whose run has ended with another configuration.

    Raises:
        InputError: going on would put a result of another configuration in its place.
    """
    if not (path / MANIFEST).exists():
        return
    stored = path / RESULT
    try:
        found = json.loads(stored.read_bytes())["config"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        told = f"no readable result ({type(error).__name__})"
        raise InputError(str(stored), "config", told, "a new --out") from error
    if found != json.loads(json.dumps(config_to_dict(config))):
        told = "a run that has ended with other options"
        raise InputError(str(stored), "config", told, "the same options, or a new --out")


class RunDirectory:
    """Trace, corpus, journal, result, both texts, the Divergence Report and the manifest.

    Used as a context: meanwhile no other process can work in the folder.
    """

    def __init__(self, path: Path, trace: Trace) -> None:
        self._path = path
        self._trace = trace
        self._lock: int | None = None

    def __enter__(self) -> Self:
        """Make the folder, or go on in one that was begun with the same trace.

        Raises:
            InputError: it holds a run over another trace, or another process works in it.
        """
        data = trace_to_bytes(self._trace)
        stored = self._path / TRACE
        if stored.exists() and stored.read_bytes() != data:
            raise InputError(
                str(stored), "content", "a run over another trace", "a new or fitting --out"
            )
        self._path.mkdir(parents=True, exist_ok=True)
        self._hold()
        if not stored.exists():
            self._put(TRACE, data)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def journal(self) -> FileJournal:
        """Open the journal of the run's calls.

        Raises:
            JournalError: a line of it was changed.
        """
        return FileJournal(self._path / JOURNAL)

    def write(self, result: GateResult, *, prov: bool = False) -> None:
        """Write what the run gave, and the manifest last: a run without one has not ended.

        Args:
            result: of the gate.
            prov: also write the run's history as PROV-JSON and PROV-N.

        Raises:
            ModelSetupError: the package prov is not installed.
        """
        files = run_files(self._trace, result)
        files[JOURNAL] = self._journal_bytes()
        records, chain = journal_read(files[JOURNAL], file_name=JOURNAL)
        if prov:
            files |= prov_files(self._trace, result, records, engine=engine_sha256())
        for name in {MANIFEST, DIVERGENCE, PROV_JSON, PROV_N} - set(files):
            (self._path / name).unlink(missing_ok=True)
        for name, data in files.items():
            if name != JOURNAL or not data:
                self._put(name, data)
        manifest = manifest_bytes(files, engine=engine_sha256(), calls=len(records), chain=chain)
        self._put(MANIFEST, manifest)

    def _journal_bytes(self) -> bytes:
        path = self._path / JOURNAL
        return path.read_bytes() if path.exists() else b""

    def _hold(self) -> None:
        self._lock = os.open(self._path, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._lock)
            self._lock = None
            raise InputError(
                str(self._path), "folder", "another process at work in it", "a folder to itself"
            ) from error

    def _put(self, name: str, data: bytes) -> None:
        draft = self._path / f".{name}.{os.getpid()}"
        draft.write_bytes(data)
        draft.replace(self._path / name)
