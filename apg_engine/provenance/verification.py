"""Verify a run's folder offline: hashes, spans, counts and the gate's arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from apg_engine.errors import InputError, JournalError
from apg_engine.journal import CallRecord
from apg_engine.journal_file import journal_read
from apg_engine.json_data import json_load
from apg_engine.kept_folder import JOURNAL
from apg_engine.provenance.draft_checks import drafts_check, references_check
from apg_engine.provenance.engine_version import engine_sha256
from apg_engine.provenance.faults import Fault, bytes_compare
from apg_engine.provenance.history import PROV_JSON, PROV_N, prov_files
from apg_engine.provenance.journal_checks import journal_check, replay_check
from apg_engine.provenance.manifest import manifest_chain, manifest_check, manifest_engine
from apg_engine.provenance.outcome_checks import outcome_check, sources_check, texts_check
from apg_engine.provenance.run_files import (
    MANIFEST,
    RESULT,
    TRACE,
    run_corpus,
    run_files,
)
from apg_engine.records import Trace
from apg_engine.result_json import result_from_dict
from apg_engine.results import GateResult
from apg_engine.traces import trace_from_dict


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked at, and every fault that was found.

    Attributes:
        faults: empty if the run holds.
        engine: hash of the engine that wrote the run; empty if the manifest does not say.
        replayed: the gate was run again on the recorded replies, and everything compared.
        counts: how many files, calls, drafts, sentences and quotes were checked.
    """

    faults: tuple[Fault, ...]
    engine: str = ""
    replayed: bool = False
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """True where nothing was found wrong."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as its folder holds it."""

    trace: Trace
    result: GateResult
    records: tuple[CallRecord, ...]


def run_verify(path: Path, *, replay: bool | None = False) -> Verification:
    """Check a run's folder; nothing in it is changed, and no model or network is used.

    Args:
        path: the folder.
        replay: also run the gate again on the recorded replies and compare everything, down to the
            wording of a reason; None does so where this engine wrote the run and no weights are
            needed.

    Raises:
        InputError: there is no such folder, or no run in it has ended.
    """
    files = _files(path)
    manifest = files.pop(MANIFEST)
    faults = list(manifest_check(manifest, files))
    run, unread = _stored(files)
    faults += unread
    if run is not None:
        faults += _run_check(run, files, manifest)
        if replay is None:
            # A fault found so far would only be told a second time.
            replay = not faults and _can_replay(run, manifest)
        if replay:
            faults += replay_check(run.trace, run.result, run.records)
    replayed = bool(replay) and run is not None
    return Verification(tuple(faults), manifest_engine(manifest), replayed, _counts(files, run))


def run_load(path: Path) -> StoredRun:
    """Read a run that holds.

    Raises:
        InputError: it does not hold; the message names the first fault.
    """
    found = run_verify(path)
    if not found.holds:
        first = found.faults[0]
        raise InputError(str(path / first.file), first.place, first.found, first.expected)
    run, _ = _stored(_files(path))
    if run is None:
        raise InputError(str(path), "content", "a folder that changes", "a finished run")
    return run


def _can_replay(run: StoredRun, manifest: bytes) -> bool:
    config = run.result.config
    roles = [spec for spec in (config.proposer, config.auditor, config.measured_by) if spec]
    judges = [judge for spec in roles for judge in (spec, *spec.members)]
    by_name = not any(judge.path or judge.card for judge in judges)
    return by_name and manifest_engine(manifest) == engine_sha256()


def _files(path: Path) -> dict[str, bytes]:
    if not path.is_dir():
        raise InputError(str(path), "folder", "nothing", "the folder of a run")
    # A name with a dot in front is a draft that a kill left behind; no run reads it.
    names = (entry for entry in path.iterdir() if not entry.name.startswith("."))
    files = {entry.name: entry.read_bytes() for entry in names if entry.is_file()}
    if MANIFEST not in files:
        raise InputError(str(path), MANIFEST, "nothing", "a run that has ended")
    return files


def _stored(files: dict[str, bytes]) -> tuple[StoredRun | None, list[Fault]]:
    try:
        trace = trace_from_dict(_json(files, TRACE), file_name=TRACE)
        result = result_from_dict(_json(files, RESULT))
        records, _ = journal_read(files.get(JOURNAL, b""), file_name=JOURNAL)
    except InputError as error:
        file = RESULT if error.file == "gate result" else error.file
        return None, [Fault(file, error.place, error.found, error.allowed)]
    except JournalError as error:
        return None, [Fault(JOURNAL, "line", str(error), "the lines as they were written")]
    return StoredRun(trace, result, records), []


def _json(files: dict[str, bytes], name: str) -> dict[str, object]:
    try:
        data = json_load(files.get(name, b"").decode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise InputError(name, "content", f"no JSON ({error})", "a JSON object") from error
    if not isinstance(data, dict):
        raise InputError(name, "content", type(data).__name__, "a JSON object")
    return data


def _run_check(run: StoredRun, files: dict[str, bytes], manifest: bytes) -> Iterator[Fault]:
    unknown = list(references_check(run.result))
    if unknown:
        yield from unknown
        return
    corpus = run_corpus(run.trace)
    faults = [
        *sources_check(run.result, run.trace, corpus),
        *drafts_check(run.result, corpus),
        *outcome_check(run.result),
    ]
    # What does not hold so far cannot be told again as a report.
    yield from faults or texts_check(run.result, corpus)
    yield from journal_check(run.result, run.records)
    yield from _chain_check(files, manifest)
    for name, expected in _derived(run, files, manifest).items():
        yield from bytes_compare(name, files.get(name, b""), expected)


def _derived(run: StoredRun, files: dict[str, bytes], manifest: bytes) -> dict[str, bytes]:
    """Derive every file that follows from trace, result and journal again."""
    derived = run_files(run.trace, run.result)
    if PROV_JSON in files or PROV_N in files:
        engine = manifest_engine(manifest)
        derived |= prov_files(run.trace, run.result, run.records, engine=engine)
    return derived


def _chain_check(files: dict[str, bytes], manifest: bytes) -> Iterator[Fault]:
    records, head = journal_read(files.get(JOURNAL, b""), file_name=JOURNAL)
    calls, chain = manifest_chain(manifest)
    if (len(records), head) != (calls, chain):
        found, expected = f"{len(records)} calls up to {head}", f"{calls} up to {chain}"
        yield Fault(JOURNAL, "chain", found, expected)


def _counts(files: dict[str, bytes], run: StoredRun | None) -> dict[str, int]:
    if run is None:
        return {"files": len(files)}
    verdicts = [verdict for pair in run.result.pairs for verdict in pair.verdicts]
    quotes = [
        quote for v in verdicts for side in (v.supporting, v.opposing, v.nearest) for quote in side
    ]
    return {
        "files": len(files),
        "calls": len(run.records),
        "drafts": len(run.result.pairs),
        "sentences": sum(len(pair.sentences) for pair in run.result.pairs),
        "quotes": len(quotes),
    }
