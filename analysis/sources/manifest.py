"""Read a bundle's manifest, and see that the files are the ones it describes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from analysis import schema
from analysis.errors import BundleError
from analysis.records import RECORD_FILES
from analysis.saying import say
from analysis.schema import LongRow
from analysis.sources.containers import BundleFiles
from analysis.sources.plan import forms_check

# A folder of these two alone can be analysed; a table of records that is gone cannot be missed.
_NEEDED: Final = (schema.LONG_FILE, schema.CODEBOOK_FILE)


def manifest_read(files: BundleFiles) -> dict[str, Any]:
    """Read and check `manifest.json`.

    Raises:
        BundleError: No JSON, another schema, a required key that is missing or of another form.
    """
    name = f"{files.name}/{schema.MANIFEST_FILE}"
    try:
        manifest = json.loads(files.read(schema.MANIFEST_FILE))
    except ValueError as error:
        raise BundleError(file=name, place="", found=str(error), allowed="JSON") from error
    head = manifest.get("schema") if isinstance(manifest, dict) else None
    wanted = {"name": schema.SCHEMA_NAME, "version": schema.SCHEMA_VERSION}
    if head != wanted:
        raise BundleError(file=name, place="schema", found=repr(head), allowed=repr(wanted))
    missing = [key for key in schema.MANIFEST_REQUIRED if key not in manifest]
    if missing:
        raise BundleError(
            file=name, place="keys", found=f"no {', '.join(missing)}", allowed="all required keys"
        )
    forms_check(manifest, file=name)
    return dict(manifest)


def files_verify(
    files: BundleFiles, manifest: Mapping[str, Any], *, unverified: bool
) -> tuple[str, ...]:
    """Compare each file that analysis may read with the manifest.

    Returns:
        Notices on files that differ; empty if none does.

    Raises:
        BundleError: A file is not the one described, or a described table is gone, and
            `unverified` is not set.
    """
    notices = []
    for name in (*schema.FILES, *RECORD_FILES):
        if name == schema.MANIFEST_FILE or not _to_check(files, manifest, name):
            continue
        told = _told(manifest, name)
        there = files.has(name) or name in _NEEDED
        found = hashlib.sha256(files.read(name)).hexdigest() if there else ""
        if told == found:
            continue
        if not unverified:
            raise _difference(f"{files.name}/{name}", told, found)
        notices.append(say("changed" if found else "gone", name=name))
    return tuple(notices)


def answers_verify(rows: Sequence[LongRow], manifest: Mapping[str, Any], *, file: str) -> None:
    """Compare the answers with what the manifest says of measures and participants.

    Raises:
        BundleError: A rating whose scale is not declared, or more participants than gave consent.
    """
    scaled = {measure["key"] for measure in manifest["measures"] if measure.get("scale")}
    rated = {row.measure for row in rows if row.kind in (schema.RATING, schema.CONFIDENCE)}
    place = f"{file}/{schema.MANIFEST_FILE}"
    if rated - scaled:
        found = f"no scale of {', '.join(sorted(rated - scaled))}"
        raise BundleError(
            file=place, place="measures", found=found, allowed="one for every rating of long.csv"
        )
    answered = len({row.participant_id for row in rows})
    told = manifest.get("participants", {}).get("consented", answered)
    if told < answered:
        raise BundleError(
            file=place,
            place="participants, consented",
            found=f"{told}, but {answered} participants in long.csv",
            allowed="at least as many as left an answer",
        )


def _to_check(files: BundleFiles, manifest: Mapping[str, Any], name: str) -> bool:
    described = name in RECORD_FILES and bool(_told(manifest, name))
    return described or name in _NEEDED or files.has(name)


def _difference(file: str, told: str, found: str) -> BundleError:
    described = f"{told[:16]}.., as the manifest says" if told else "a file the manifest describes"
    return BundleError(
        file=file,
        place="",
        found=f"SHA-256 {found[:16]}.." if found else "no such file",
        allowed=f"{described} (--unverified reads it anyway)",
    )


def _told(manifest: Mapping[str, Any], name: str) -> str:
    files = manifest["files"]
    entry = files.get(name) if isinstance(files, Mapping) else None
    return str(entry.get("sha256") or "") if isinstance(entry, Mapping) else ""
