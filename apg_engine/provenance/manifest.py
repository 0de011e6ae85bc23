"""The manifest of a run: a hash for each file and each stretch of it, closed by a seal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from apg_engine.json_data import json_load
from apg_engine.provenance.faults import Fault, line_of
from apg_engine.provenance.run_files import MANIFEST, json_bytes

MANIFEST_SCHEMA: Final = "apg-run"
MANIFEST_VERSION: Final = 1
# A changed byte is found to within so many bytes; 32 bits a stretch tell where, not whether.
_STRETCH = 1024
_STRETCH_DIGITS = 8
_NO_SEAL = "the folder's manifest is not as the engine wrote it"


def manifest_bytes(files: Mapping[str, bytes], *, engine: str, calls: int, chain: str) -> bytes:
    """Write the manifest of a run.

    Args:
        files: every file of the run but the manifest, by name.
        engine: hash of the engine that wrote them.
        calls: lines of the journal.
        chain: last link of the journal's chain.
    """
    body = {
        "schema": MANIFEST_SCHEMA,
        "version": MANIFEST_VERSION,
        "engine": engine,
        "journal": {"calls": calls, "chain": chain},
        "files": {name: _described(files[name]) for name in sorted(files)},
    }
    return json_bytes({**body, "seal": _seal(body)})


def manifest_check(manifest: bytes, files: Mapping[str, bytes]) -> Iterator[Fault]:
    """Compare a run's files with its manifest, byte for byte."""
    data = _read(manifest)
    if data is None:
        yield Fault(MANIFEST, "content", _NO_SEAL, "a sealed manifest")
        return
    listed: dict[str, dict[str, Any]] = data["files"]
    for name in sorted({*listed, *files}):
        if name not in files:
            yield Fault(name, "file", "nothing", "the file the manifest names")
        elif name not in listed:
            yield Fault(name, "file", "a file the manifest does not name", "no such file")
        elif _described(files[name]) != listed[name]:
            yield _changed(name, files[name], listed[name])


def manifest_engine(manifest: bytes) -> str:
    """Give the hash of the engine that wrote the run; empty if the manifest is not sealed."""
    data = _read(manifest)
    return "" if data is None else str(data["engine"])


def manifest_chain(manifest: bytes) -> tuple[int, str]:
    """Give the number of calls and the last link of the journal's chain."""
    data = _read(manifest)
    return (0, "") if data is None else (data["journal"]["calls"], data["journal"]["chain"])


def _read(manifest: bytes) -> dict[str, Any] | None:
    """Read a manifest; None unless every byte of it is as it was sealed."""
    try:
        data = json_load(manifest)
        body = {key: value for key, value in data.items() if key != "seal"}
        whole = json_bytes({**body, "seal": _seal(body)})
    except (ValueError, AttributeError, TypeError):
        return None
    known = (data.get("schema"), data.get("version")) == (MANIFEST_SCHEMA, MANIFEST_VERSION)
    return data if known and whole == manifest else None


def _seal(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json_bytes(dict(body))).hexdigest()


def _described(data: bytes) -> dict[str, Any]:
    return {
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "stretches": "".join(_stretches(data)),
    }


def _stretches(data: bytes) -> Iterator[str]:
    for start in range(0, len(data), _STRETCH):
        digest = hashlib.sha256(data[start : start + _STRETCH]).hexdigest()
        yield digest[:_STRETCH_DIGITS]


def _changed(name: str, data: bytes, listed: Mapping[str, Any]) -> Fault:
    found, held = "".join(_stretches(data)), str(listed["stretches"])
    places = range(0, max(len(found), len(held)), _STRETCH_DIGITS)
    differing = (
        at for at in places if found[at : at + _STRETCH_DIGITS] != held[at : at + _STRETCH_DIGITS]
    )
    start = next(differing, 0) // _STRETCH_DIGITS * _STRETCH
    end = min(start + _STRETCH, len(data))
    place = f"bytes {start:,} to {end:,} (from line {line_of(data, start)})"
    return Fault(
        name,
        place,
        f"{len(data):,} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}",
        f"{listed['bytes']:,} bytes, SHA-256 {listed['sha256']}",
    )
