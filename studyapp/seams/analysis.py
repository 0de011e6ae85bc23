"""The one door to analysis: answers go out here as a bundle in the form its schema fixes."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from analysis import schema
from analysis.bundle import csv_bytes
from analysis.records import (
    ASSIGNMENTS_FILE,
    EXCLUSIONS_FILE,
    MEASURE,
    PAIR,
    PARADATA_FILE,
    PARTICIPANTS_FILE,
    REPORT,
    TRACE,
    TURN,
    WITHDRAWN_FILE,
    AssignmentRow,
    ExclusionRow,
    ParadataRow,
    ParticipantRow,
    WithdrawnRow,
    columns_of,
)
from analysis.report.words import LANGUAGES as REPORT_LANGUAGES
from analysis.schema import (
    ATTENTION,
    BACKGROUND,
    BACKGROUND_PREFIX,
    CHOICE,
    CODEBOOK_COLUMNS,
    CODEBOOK_FILE,
    CONFIDENCE,
    FAILED,
    LONG_FILE,
    MANIFEST_FILE,
    NO_PRESSURE,
    PASSED,
    RATING,
    README_FILE,
    TEXT,
    UNSAFE_START,
    WIDE_FILE,
    WIDE_ID_COLUMNS,
    CodebookRow,
    LongRow,
    cell,
    codebook_cells,
    table_cells,
    text_escape,
    text_unescape,
)

__all__ = [
    "ASSIGNMENTS_FILE",
    "ATTENTION",
    "BACKGROUND",
    "BACKGROUND_PREFIX",
    "CHOICE",
    "CODEBOOK_COLUMNS",
    "CODEBOOK_FILE",
    "CONFIDENCE",
    "EXCLUSIONS_FILE",
    "FAILED",
    "LONG_COLUMNS",
    "LONG_FILE",
    "MANIFEST_FILE",
    "MEASURE",
    "NO_PRESSURE",
    "PAIR",
    "PARADATA_FILE",
    "PARTICIPANTS_FILE",
    "PASSED",
    "RATING",
    "README_FILE",
    "REPORT",
    "REPORT_LANGUAGES",
    "TEXT",
    "TRACE",
    "TURN",
    "UNSAFE_START",
    "WIDE_FILE",
    "WIDE_ID_COLUMNS",
    "WITHDRAWN_FILE",
    "AssignmentRow",
    "CodebookRow",
    "ExclusionRow",
    "LongLine",
    "ParadataRow",
    "ParticipantRow",
    "WithdrawnRow",
    "cell",
    "codebook_cells",
    "columns_of",
    "csv_bytes",
    "csv_lines",
    "csv_read",
    "manifest_bytes",
    "table_cells",
    "text_escape",
    "text_unescape",
    "zip_write",
]

# Zip stores a time per file; a fixed one makes bundles of the same state byte-identical.
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)
_BLOCK: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class LongLine(LongRow):
    """A line of `long.csv` with what the site knows beside the answer; analysis passes it over.

    `source` says where the participant's link was. `pair_token` is the beginning of the pair's
    hash. `dwell_visible_ms` is how long the rated report (or, for an answer about both, the page
    with the reports) was in view, `n_changes` how often the answer was changed before it was sent.
    `attention_pass` says whether the participant passed every attention check they met; None
    where they met none.
    """

    source: str
    pair_token: str
    dwell_visible_ms: int | None
    n_changes: int | None
    attention_pass: bool | None


LONG_COLUMNS: Final = columns_of(LongLine)


def csv_lines(lines: Iterable[Sequence[str]]) -> bytes:
    """Write lines of formula-safe cells as a bundle has them."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator=schema.LINE_END).writerows(lines)
    return buffer.getvalue().encode(schema.ENCODING)


@contextmanager
def csv_read(path: Path) -> Iterator[Iterator[list[str]]]:
    """Read a table line by line, the head first; cells stay formula-safe as they are."""
    with path.open(encoding=schema.ENCODING, newline="") as file:
        yield csv.reader(file)


def manifest_bytes(
    head: Mapping[str, Any], *, arms: tuple[str, str], files: Mapping[str, Mapping[str, Any]]
) -> bytes:
    """Write a manifest: `head` has every required key but `schema`, `difference` and `files`."""
    manifest = {
        "schema": {"name": schema.SCHEMA_NAME, "version": schema.SCHEMA_VERSION},
        **head,
        "difference": schema.difference_text(arms),
        "files": files,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    return text.encode(schema.ENCODING)


def zip_write(target: IO[bytes], members: Iterable[tuple[str, Path | bytes]]) -> None:
    """Pack files under their names; equal files give equal bytes, and none is held in memory."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name, date_time=_ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as member:
                _pour(content, member)


def _pour(content: Path | bytes, member: IO[bytes]) -> None:
    if isinstance(content, bytes):
        member.write(content)
        return
    with content.open("rb") as file:
        shutil.copyfileobj(file, member, _BLOCK)
