"""What somebody asks for when they take a study's data out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from studyapp.errors import ExportError

BUNDLE: Final = "bundle"
FORMS: Final = (BUNDLE, "csv", "csv_excel", "xlsx", "sav", "parquet", "jsonl")
SUFFIXES: Final = {
    BUNDLE: "zip", "csv": "csv", "csv_excel": "csv", "xlsx": "xlsx", "sav": "sav",
    "parquet": "parquet", "jsonl": "jsonl",
}  # fmt: skip
TABLES: Final = ("long", "wide", "participants", "assignments", "paradata")
COMPLETIONS: Final = ("all", "completed", "partial")
DATA: Final = ("live", "test", "both")
HEADINGS: Final = ("codes", "labels")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """One export.

    `form` is a bundle or one file; `table` is the table of that file and has no meaning for a
    bundle. `blind` leaves out which arm stood where. `completion` and `data` say whose rows are
    in, `cohort` names one cohort or, empty, means all. `headings` are the codes of the columns or
    what they mean. `external_ids` adds what a panel calls the participants.
    """

    form: str = BUNDLE
    table: str = "long"
    blind: bool = False
    completion: str = "all"
    data: str = "live"
    cohort: str = ""
    headings: str = "codes"
    external_ids: bool = False

    @property
    def shows_arms(self) -> bool:
        """Whether the export tells which arm stood where; participants and paradata never do."""
        return not self.blind and (
            self.form == BUNDLE or self.table in ("long", "wide", "assignments")
        )


def options_load(row: Mapping[str, Any]) -> ExportOptions:
    """Read options as they are stored, or as somebody asked for them.

    Raises:
        ExportError: an option is unknown, or holds something that is not allowed.
    """
    known = [option.name for option in fields(ExportOptions)]
    unknown = sorted(set(row) - set(known))
    if unknown:
        raise ExportError(f"export: {unknown[0]!r} is unknown; allowed are {', '.join(known)}")
    options = ExportOptions(**row)
    for name, allowed in _ALLOWED.items():
        _one_of(name, getattr(options, name), allowed)
    for name in ("blind", "external_ids"):
        _one_of(name, getattr(options, name), (True, False))
    if not isinstance(options.cohort, str):
        raise ExportError(f"export: cohort is {options.cohort!r}; allowed is a cohort's name")
    _combination_check(options)
    return options


def options_dump(options: ExportOptions) -> dict[str, Any]:
    """Write options as JSON-ready data; `options_load` reads them back."""
    return asdict(options)


def file_name(slug: str, options: ExportOptions) -> str:
    """Name the file for the one who downloads it."""
    parts = [slug]
    if options.form != BUNDLE:
        parts.append(options.table)
    if options.form == "csv_excel":
        parts.append("excel")
    if options.blind:
        parts.append("blind")
    return f"{'-'.join(parts)}.{SUFFIXES[options.form]}"


_ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "form": FORMS,
    "table": TABLES,
    "completion": COMPLETIONS,
    "data": DATA,
    "headings": HEADINGS,
}


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed or (True in allowed) != isinstance(value, bool):
        raise ExportError(
            f"export: {name} is {value!r}; allowed are {', '.join(map(str, allowed))}"
        )


def _combination_check(options: ExportOptions) -> None:
    if options.form == BUNDLE and options.headings == "labels":
        raise ExportError(
            "export: a bundle has codes as headings, or nothing could read it, and their meaning "
            "in its codebook; label headings are for a single file"
        )
    if options.form != BUNDLE and options.table == "wide" and options.blind:
        raise ExportError("export: a wide table names the arms; the blind table is the long one")
