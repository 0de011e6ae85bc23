"""The door for data: a bundle's zip or folder, a long or wide CSV, the public survey, oTree's."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from analysis import schema
from analysis.dataset import Dataset, Measure, Source, first_seen
from analysis.errors import BundleError
from analysis.records import RECORD_FILES, Records
from analysis.saying import say
from analysis.schema import LongRow
from analysis.settle import dataset_settle
from analysis.sources.codebook import codebook_rows
from analysis.sources.containers import BundleFiles, file_bytes, folder_files, is_zip, zip_files
from analysis.sources.long import Design, is_long, long_rows
from analysis.sources.manifest import answers_verify, files_verify, manifest_read
from analysis.sources.otree import is_otree, otree_table
from analysis.sources.survey import is_survey, survey_rows
from analysis.sources.tables import Table, table_read
from analysis.sources.wide import is_wide, wide_rows


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
        allow_blind: Read a blind bundle too; whoever asks must compute no outcome.
    """

    arms: tuple[str, str] = schema.DEFAULT_ARMS
    scale: tuple[int, int] = schema.DEFAULT_SCALE
    columns: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    include_test: bool = False
    include_bots: bool = False
    unverified: bool = False
    allow_blind: bool = False


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
        return _bundle(folder_files(path), options)
    data = file_bytes(path)
    if is_zip(data):
        with zip_files(path) as files:
            return _bundle(files, options)
    return _csv(path, data, options)


def _bundle(files: BundleFiles, options: LoadOptions) -> Dataset:
    manifest = manifest_read(files)
    notices = files_verify(files, manifest, unverified=options.unverified)
    blind = manifest.get("blind") is True
    if blind and not options.allow_blind:
        raise BundleError(
            file=f"{files.name}/{schema.MANIFEST_FILE}",
            place="blind",
            found="a blind bundle, which names no arm",
            allowed="the unblinded export of a closed study; of this one "
            "`python -m analysis design` shows the design check",
        )
    arms = schema.POSITIONS if blind else (manifest["arms"][0], manifest["arms"][1])
    data = files.read(schema.LONG_FILE)
    measures = {m["key"]: m for m in manifest["measures"]}
    scales = {k: (m["scale"][0], m["scale"][1]) for k, m in measures.items() if m.get("scale")}
    table = table_read(data, file=f"{files.name}/{schema.LONG_FILE}")
    if not is_long(table.head):
        raise _unknown_columns(table)
    rows = long_rows(table, Design(arms, scales, options.scale, blind=blind))
    answers_verify(rows, manifest, file=files.name)
    records = _records(files, rows, manifest, arms=() if blind else arms)
    source = Source(table.file, hashlib.sha256(data).hexdigest(), files.form)
    dataset = replace(
        _dataset(rows, source, arms, options, scales),
        title=manifest["study"]["title"],
        kind=manifest["kind"],
        plan=manifest.get("plan") or {},
        codebook=codebook_rows(files.read(schema.CODEBOOK_FILE)),
        manifest=manifest,
        records=records,
        blind=blind,
    )
    return _settled(replace(dataset, notices=(*notices, *dataset.notices)), options)


def _records(
    files: BundleFiles,
    rows: tuple[LongRow, ...],
    manifest: Mapping[str, Any],
    *,
    arms: tuple[str, ...],
) -> Records:
    """The tables beside the answers; most bundles of old have none, so nothing is imported then."""
    if not any(map(files.has, RECORD_FILES)):
        return Records()
    from analysis.sources.record_tables import records_check, records_read

    found = records_read(files, arms=arms)
    records_check(found, rows, manifest, file=files.name)
    return found


def _csv(path: Path, data: bytes, options: LoadOptions) -> Dataset:
    table = _renamed(table_read(data, file=path.name), options.columns)
    form, table, rows = _rows(table, Design(options.arms, {}, options.scale))
    source = Source(path.name, hashlib.sha256(data).hexdigest(), form)
    dataset = _dataset(rows, source, options.arms, options, {})
    if schema.PRESSURE_COLUMN in table.head:
        from analysis.sources.pressure import pressure_rows

        dataset = replace(dataset, records=Records(assignments=pressure_rows(table)))
    return _settled(dataset, options)


def _rows(table: Table, design: Design) -> tuple[str, Table, tuple[LongRow, ...]]:
    """The format, the table as it was read, and its answers."""
    if is_survey(table):
        return "survey", table, survey_rows(table)
    if is_long(table.head):
        return "long", table, long_rows(table, design)
    if is_otree(table.head):
        wide = otree_table(table, design.arms)
        return "otree", wide, wide_rows(wide, design)
    if is_wide(table.head, design.arms):
        return "wide", table, wide_rows(table, design)
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
        notices=(say("hashes", count=len(hashes)),) if len(hashes) > 1 else (),
    )


def _settled(dataset: Dataset, options: LoadOptions) -> Dataset:
    return dataset_settle(
        dataset,
        strict=options.strict,
        include_test=options.include_test,
        include_bots=options.include_bots,
    )


def _unknown_columns(table: Table) -> BundleError:
    return BundleError(
        file=table.file,
        place="row 1",
        found=", ".join(table.head)[:200],
        allowed="a long table (participant_id, measure, arm, value, ..) or a wide one "
        "(participant_id, <measure>_<arm>, ..)",
    )
