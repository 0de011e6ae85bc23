"""The one door to analysis: answers go out here as a bundle in the form its schema fixes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, Final

from analysis import schema
from analysis.bundle import csv_bytes, wide_table
from analysis.report.words import LANGUAGES as REPORT_LANGUAGES
from analysis.schema import (
    BACKGROUND,
    BACKGROUND_PREFIX,
    CHOICE,
    LONG_FILE,
    RATING,
    TEXT,
    WIDE_FILE,
    WIDE_ID_COLUMNS,
    CodebookRow,
    LongRow,
)

__all__ = [
    "BACKGROUND",
    "BACKGROUND_PREFIX",
    "CHOICE",
    "LONG_FILE",
    "RATING",
    "REPORT_LANGUAGES",
    "TEXT",
    "WIDE_FILE",
    "WIDE_ID_COLUMNS",
    "BundleParts",
    "CodebookRow",
    "LongRow",
    "bundle_write",
]

# Zip stores a time per file; a fixed one makes bundles of the same state byte-identical.
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)
_MEMORY_BYTES: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class BundleParts:
    """What a bundle holds besides answers.

    Attributes:
        arms: (reference, treatment).
        columns: the wide file's columns after the ids, in order.
        codebook: what each column and value means.
        manifest: every required key but `schema`, `difference` and `files`; called after the last
            answer was written, so that it can hold counts.
        readme: what a reader of the zip should know first.
    """

    arms: tuple[str, str]
    columns: tuple[str, ...]
    codebook: Sequence[CodebookRow]
    manifest: Callable[[], Mapping[str, Any]]
    readme: str


def bundle_write(
    target: IO[bytes], *, people: Iterable[Sequence[LongRow]], parts: BundleParts
) -> dict[str, Any]:
    """Write a bundle while its answers are read; memory does not grow with their number.

    Args:
        target: a file open for writing.
        people: the answers of one participant after the other.
        parts: everything else.

    Returns:
        The manifest as written.
    """
    with (
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive,
        tempfile.SpooledTemporaryFile(max_size=_MEMORY_BYTES) as wide_file,
    ):
        wide = _Table(wide_file, (*WIDE_ID_COLUMNS, *parts.columns))
        with _member(archive, LONG_FILE) as long_file:
            long = _Table(long_file, schema.LONG_COLUMNS)
            for rows in people:
                long.write(map(schema.long_cells, rows))
                wide.write(_wide_lines(rows, arms=parts.arms, head=wide.head))
        wide_file.seek(0)
        with _member(archive, WIDE_FILE) as member:
            shutil.copyfileobj(wide_file, member)
        files = {LONG_FILE: long.entry(), WIDE_FILE: wide.entry()}
        return _rest_write(archive, files, parts)


@dataclass(slots=True)
class _Table:
    """A CSV table that is counted and hashed while it is written."""

    file: IO[bytes]
    head: tuple[str, ...]
    rows: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def __post_init__(self) -> None:
        self._put([self.head])

    def write(self, lines: Iterable[Sequence[str]]) -> None:
        kept = list(lines)
        self.rows += len(kept)
        self._put(kept)

    def entry(self) -> dict[str, Any]:
        return {"rows": self.rows, "sha256": self.digest.hexdigest()}

    def _put(self, lines: Iterable[Sequence[str]]) -> None:
        buffer = io.StringIO(newline="")
        csv.writer(buffer, lineterminator=schema.LINE_END).writerows(lines)
        data = buffer.getvalue().encode(schema.ENCODING)
        self.digest.update(data)
        self.file.write(data)


def _wide_lines(
    rows: Sequence[LongRow], *, arms: tuple[str, str], head: tuple[str, ...]
) -> Iterator[list[str]]:
    found, lines = wide_table(rows, arms=arms)
    for line in lines:
        cells = dict(zip(found, line, strict=True))
        yield [cells.get(name, "") for name in head]


def _rest_write(
    archive: zipfile.ZipFile, files: dict[str, dict[str, Any]], parts: BundleParts
) -> dict[str, Any]:
    codebook = csv_bytes(schema.CODEBOOK_COLUMNS, map(schema.codebook_cells, parts.codebook))
    readme = parts.readme.encode(schema.ENCODING)
    files[schema.CODEBOOK_FILE] = _entry(codebook, rows=len(parts.codebook))
    files[schema.README_FILE] = _entry(readme, rows=None)
    manifest = {
        "schema": {"name": schema.SCHEMA_NAME, "version": schema.SCHEMA_VERSION},
        **parts.manifest(),
        "difference": schema.difference_text(parts.arms),
        "files": files,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    contents = {
        schema.CODEBOOK_FILE: codebook,
        schema.MANIFEST_FILE: text.encode(schema.ENCODING),
        schema.README_FILE: readme,
    }
    for name, content in contents.items():
        with _member(archive, name) as member:
            member.write(content)
    return manifest


def _entry(content: bytes, *, rows: int | None) -> dict[str, Any]:
    return {"rows": rows, "sha256": hashlib.sha256(content).hexdigest()}


@contextmanager
def _member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    info = zipfile.ZipInfo(name, date_time=_ZIP_TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as member:
        yield member
