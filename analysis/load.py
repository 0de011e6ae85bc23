"""The door for data: a bundle's zip or folder, a long or wide CSV, the public survey, oTree's."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from analysis import schema
from analysis.dataset import Dataset, LeftOut, Measure, Source, first_seen, pairs_of
from analysis.errors import BundleError
from analysis.schema import LongRow
from analysis.sources.codebook import codebook_rows
from analysis.sources.long import Design, is_long, long_rows
from analysis.sources.otree import is_otree, otree_rows
from analysis.sources.survey import is_survey, survey_rows
from analysis.sources.tables import Table, table_read
from analysis.sources.wide import is_wide, wide_rows

_MAX_BYTES: Final = 500_000_000


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to read data.

    Args:
        arms: (reference, treatment) for a file without a manifest.
        scale: Ends of the rating scale for a file without a manifest.
        columns: Our name of a column to its name in the file, for tables with names of their own.
        strict: Refuse data with incomplete pairs instead of leaving those pairs out.
        include_test: Analyse rows marked as test data beside real ones.
        include_bots: Analyse rows marked as a bot's.
        unverified: Read a bundle although a file of it is not the one its manifest describes.
    """

    arms: tuple[str, str] = schema.DEFAULT_ARMS
    scale: tuple[int, int] = schema.DEFAULT_SCALE
    columns: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    include_test: bool = False
    include_bots: bool = False
    unverified: bool = False


DEFAULT_OPTIONS: Final = LoadOptions()


def load(path: Path, options: LoadOptions = DEFAULT_OPTIONS) -> Dataset:
    """Read a study's answers.

    Args:
        path: A bundle (zip or folder), a long or wide CSV, or the public file of the N=33 study.
        options: Arms, scale and what to leave out.

    Raises:
        BundleError: The data cannot be read as answers; nothing was computed.
    """
    if path.is_dir():
        read = partial(_folder_file, path)
        return _bundle(path, options, _Files("folder", read, lambda name: (path / name).is_file()))
    data = _bytes(path)
    if data[:4] == b"PK\x03\x04":
        return _zip(path, options)
    return _csv(path, data, options)


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a bundle: a zip's or a folder's."""

    form: str
    read: Callable[[str], bytes]
    has: Callable[[str], bool]


def _bundle(path: Path, options: LoadOptions, files: _Files) -> Dataset:
    name = f"{path.name}/{schema.MANIFEST_FILE}"
    manifest = _manifest(files.read(schema.MANIFEST_FILE), name=name)
    notices = _verify(path, manifest, files, unverified=options.unverified)
    data = files.read(schema.LONG_FILE)
    arms = (manifest["arms"][0], manifest["arms"][1])
    measures = {m["key"]: m for m in manifest["measures"]}
    scales = {k: (m["scale"][0], m["scale"][1]) for k, m in measures.items() if m.get("scale")}
    table = table_read(data, file=f"{path.name}/{schema.LONG_FILE}")
    if not is_long(table.head):
        raise _unknown_columns(table)
    rows = long_rows(table, Design(arms, scales, options.scale))
    sha256 = hashlib.sha256(data).hexdigest()
    dataset = _dataset(rows, Source(table.file, sha256, files.form), arms, options, scales)
    dataset = replace(
        dataset,
        title=manifest["study"]["title"],
        kind=manifest["kind"],
        plan=manifest.get("plan") or {},
        codebook=codebook_rows(files.read(schema.CODEBOOK_FILE)),
        manifest=manifest,
        notices=(*notices, *dataset.notices),
    )
    return _settle(dataset, options)


def _csv(path: Path, data: bytes, options: LoadOptions) -> Dataset:
    table = _renamed(table_read(data, file=path.name), options.columns)
    form, rows = _rows(table, Design(options.arms, {}, options.scale))
    source = Source(path.name, hashlib.sha256(data).hexdigest(), form)
    return _settle(_dataset(rows, source, options.arms, options, {}), options)


def _rows(table: Table, design: Design) -> tuple[str, tuple[LongRow, ...]]:
    if is_survey(table):
        return "survey", survey_rows(table)
    if is_long(table.head):
        return "long", long_rows(table, design)
    if is_otree(table.head):
        return "otree", otree_rows(table, design)
    if is_wide(table.head, design.arms):
        return "wide", wide_rows(table, design)
    raise _unknown_columns(table)


def _renamed(table: Table, columns: Mapping[str, str]) -> Table:
    missing = [theirs for theirs in columns.values() if theirs not in table.head]
    if missing:
        raise BundleError(
            file=table.file,
            place="row 1",
            found=f"no column {', '.join(missing)}",
            allowed=", ".join(table.head)[:200],
        )
    ours = {theirs: name for name, theirs in columns.items()}
    return replace(table, head=tuple(ours.get(name, name) for name in table.head))


def _dataset(
    rows: tuple[LongRow, ...],
    source: Source,
    arms: tuple[str, str],
    options: LoadOptions,
    scales: Mapping[str, tuple[int, int]],
) -> Dataset:
    kinds = {row.measure: row.kind for row in rows if row.kind != schema.BACKGROUND}
    studies = first_seen(row.study for row in rows)
    if len(studies) > 1:
        raise BundleError(
            file=source.file,
            place="column study",
            found=", ".join(studies),
            allowed="one study in one file",
        )
    hashes = first_seen(row.design_hash for row in rows)
    return Dataset(
        source=source,
        study=studies[0] if studies else "",
        title=studies[0] if studies else "",
        kind="",
        design_hash=hashes[0] if len(hashes) == 1 else "",
        arms=arms,
        measures=tuple(Measure(k, kind, scales.get(k, options.scale)) for k, kind in kinds.items()),
        scenarios=tuple(sorted({row.scenario for row in rows if row.scenario})),
        rows=rows,
        notices=(f"{len(hashes)} design hashes in one file",) if len(hashes) > 1 else (),
    )


def _settle(dataset: Dataset, options: LoadOptions) -> Dataset:
    """Leave out test and bot rows, say so, and refuse incomplete pairs if asked to."""
    if not dataset.rows:
        raise BundleError(
            file=dataset.source.file, place="", found="no answers", allowed="at least one answer"
        )
    dataset = _flagged(dataset, "is_test", "test data", keep=options.include_test)
    dataset = _flagged(dataset, "is_bot", "marked as a bot", keep=options.include_bots)
    if any(row.models == "offline" for row in dataset.rows):
        notice = "The texts were written by the offline stand-in models, not by a language model"
        dataset = replace(dataset, notices=(*dataset.notices, notice))
    if options.strict:
        _refuse_incomplete(dataset)
    return dataset


def _flagged(dataset: Dataset, flag: str, what: str, *, keep: bool) -> Dataset:
    """Leave flagged participants out, unless everyone is: then analyse, and say it loudly."""
    ids = first_seen(row.participant_id for row in dataset.rows if getattr(row, flag))
    if not ids:
        return dataset
    everyone = len(ids) == len(dataset.participants)
    if everyone or keep:
        share = "ALL" if everyone else f"{len(ids)} of {len(dataset.participants)}"
        notice = f"{share} PARTICIPANTS ARE {what.upper()}: these numbers are no findings"
        return replace(dataset, notices=(*dataset.notices, notice))
    out = frozenset(ids)
    return replace(
        dataset,
        rows=tuple(row for row in dataset.rows if row.participant_id not in out),
        left_out=(*dataset.left_out, LeftOut(what, ids)),
    )


def _refuse_incomplete(dataset: Dataset) -> None:
    for pairs in pairs_of(dataset):
        if pairs.incomplete:
            raise BundleError(
                file=dataset.source.file,
                place=f"scenario {pairs.scenario}, measure {pairs.measure}",
                found=f"{len(pairs.incomplete)} incomplete pairs",
                allowed="a rating for both arms from everyone (--strict is set)",
                ids=pairs.incomplete,
            )


def _manifest(data: bytes, *, name: str) -> dict[str, Any]:
    try:
        manifest = json.loads(data)
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
    arms = manifest["arms"]
    if not (isinstance(arms, list) and len(arms) == 2 and len({str(a) for a in arms}) == 2):
        raise BundleError(file=name, place="arms", found=repr(arms), allowed="two different names")
    return dict(manifest)


def _verify(
    path: Path, manifest: Mapping[str, Any], files: _Files, *, unverified: bool
) -> tuple[str, ...]:
    """Compare each file that is there with the manifest; the analysis needs two of them.

    Raises:
        BundleError: a file is not the one described, and `unverified` is not set.
    """
    notices = []
    for name in (file for file in schema.FILES if file != schema.MANIFEST_FILE):
        needed = name in (schema.LONG_FILE, schema.CODEBOOK_FILE)
        if not needed and not files.has(name):
            continue
        told = _told(manifest, name)
        found = hashlib.sha256(files.read(name)).hexdigest()
        if told == found:
            continue
        if not unverified:
            raise BundleError(
                file=f"{path.name}/{name}",
                place="",
                found=f"SHA-256 {found[:16]}..",
                allowed=f"{told[:16]}.., as the manifest says (--unverified reads it anyway)",
            )
        notices.append(f"{name} IS NOT THE FILE ITS MANIFEST DESCRIBES (SHA-256 differs)")
    return tuple(notices)


def _told(manifest: Mapping[str, Any], name: str) -> str:
    files = manifest["files"]
    entry = files.get(name) if isinstance(files, Mapping) else None
    return str(entry.get("sha256") or "") if isinstance(entry, Mapping) else ""


def _zip(path: Path, options: LoadOptions) -> Dataset:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            read = partial(_member, archive, path)
            return _bundle(path, options, _Files("bundle", read, names.__contains__))
    except (zipfile.BadZipFile, zipfile.LargeZipFile) as error:
        raise BundleError(
            file=path.name, place="", found=str(error), allowed="a whole zip file"
        ) from error


def _member(archive: zipfile.ZipFile, path: Path, name: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError as error:
        found = ", ".join(archive.namelist()) or "nothing"
        raise BundleError(
            file=path.name, place="", found=found, allowed=f"{name} at the top of the zip"
        ) from error
    _size_check(path, info.file_size)
    return archive.read(info)


def _folder_file(path: Path, name: str) -> bytes:
    file = path / name
    if not file.is_file():
        raise BundleError(
            file=path.name, place="", found=f"no {name}", allowed="the folder of a bundle"
        )
    return _bytes(file)


def _bytes(path: Path) -> bytes:
    try:
        _size_check(path, path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise BundleError(
            file=str(path),
            place="",
            found=error.strerror or "an error",
            allowed="a file that can be read",
        ) from error


def _size_check(path: Path, size: int) -> None:
    if size > _MAX_BYTES:
        raise BundleError(
            file=path.name, place="", found=f"{size} bytes", allowed=f"at most {_MAX_BYTES} bytes"
        )


def _unknown_columns(table: Table) -> BundleError:
    return BundleError(
        file=table.file,
        place="row 1",
        found=", ".join(table.head)[:200],
        allowed="a long table (participant_id, measure, arm, value, ..) or a wide one "
        "(participant_id, <measure>_<arm>, ..)",
    )
