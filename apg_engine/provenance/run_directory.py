"""The folder of one run: kept to the trace it began with, and sealed when the run has ended."""

from __future__ import annotations

import json
from pathlib import Path

from apg_engine.config import GateConfig, config_to_dict
from apg_engine.errors import InputError
from apg_engine.journal_file import journal_read
from apg_engine.json_data import json_load
from apg_engine.kept_folder import JOURNAL, KeptFolder
from apg_engine.provenance.engine_version import engine_sha256
from apg_engine.provenance.history import PROV_JSON, PROV_N, prov_files
from apg_engine.provenance.manifest import manifest_bytes
from apg_engine.provenance.run_files import DIVERGENCE, MANIFEST, RESULT, TRACE, run_files
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
        found = json_load(stored.read_bytes())["config"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        told = f"no readable result ({type(error).__name__})"
        raise InputError(str(stored), "config", told, "a new --out") from error
    if found != json.loads(json.dumps(config_to_dict(config))):
        told = "a run that has ended with other options"
        raise InputError(str(stored), "config", told, "the same options, or a new --out")


class RunDirectory(KeptFolder):
    """Trace, corpus, journal, result, both texts, the Divergence Report and the manifest."""

    def __init__(self, path: Path, trace: Trace) -> None:
        super().__init__(
            path, first=TRACE, data=trace_to_bytes(trace), other="a run over another trace"
        )
        self._trace = trace

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
            (self.path / name).unlink(missing_ok=True)
        for name, data in files.items():
            if name != JOURNAL or not data:
                self.put(name, data)
        manifest = manifest_bytes(files, engine=engine_sha256(), calls=len(records), chain=chain)
        self.put(MANIFEST, manifest)

    def _journal_bytes(self) -> bytes:
        path = self.path / JOURNAL
        return path.read_bytes() if path.exists() else b""
