"""The export bundle: its files, columns, kinds, allowed values and how a text cell is kept safe.

A bundle is a zip (or its folder) of `long.csv`, `wide.csv`, `codebook.csv`, `manifest.json` and
`README.txt`, UTF-8 without BOM, lines ended by CRLF as in RFC 4180. `analysis.bundle` writes it,
`analysis.load` reads it; the long file alone carries every answer. The tables of `analysis.records`
may stand beside them.

Standard library only, so that an export needs none of the numeric packages.
"""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, fields
from typing import Any, Final

SCHEMA_NAME: Final = "apg-bundle"
SCHEMA_VERSION: Final = 1

LONG_FILE: Final = "long.csv"
WIDE_FILE: Final = "wide.csv"
CODEBOOK_FILE: Final = "codebook.csv"
MANIFEST_FILE: Final = "manifest.json"
README_FILE: Final = "README.txt"
FILES: Final = (LONG_FILE, WIDE_FILE, CODEBOOK_FILE, MANIFEST_FILE, README_FILE)
ENCODING: Final = "utf-8"
LINE_END: Final = "\r\n"

RATING, CHOICE, TEXT, BACKGROUND = "rating", "choice", "text", "background"
CONFIDENCE, ATTENTION = "confidence", "attention"
KINDS: Final = (RATING, CHOICE, TEXT, BACKGROUND, CONFIDENCE, ATTENTION)
PASSED, FAILED = "passed", "failed"
BACKGROUND_PREFIX: Final = "background."
LEFT, RIGHT = "left", "right"
POSITIONS: Final = (LEFT, RIGHT)
NEITHER, BOTH = "neither", "both"
UNDECIDED: Final = (NEITHER, BOTH)
COMPLETE, PARTIAL = "complete", "partial"
STATUSES: Final = (COMPLETE, PARTIAL)
NO_PRESSURE: Final = "none"
PRESSURE_COLUMN: Final = "time_pressure"
PRESSURE_LENGTH: Final = 40  # characters
MODELS: Final = ("offline", "live", "own")
DEFAULT_ARMS: Final = ("baseline", "apg")
DEFAULT_SCALE: Final = (1, 5)
WIDEST_SCALE: Final = 10_000  # every step of a scale is counted

MANIFEST_REQUIRED: Final = (
    "schema",  # {"name": SCHEMA_NAME, "version": SCHEMA_VERSION}
    "study",  # {"slug", "title"}
    "arms",  # [reference, treatment]
    "difference",  # difference_text(arms)
    "measures",  # [{"key", "kind", and for ratings "scale": [lowest, highest]}]
    "seed",
    "design_hash",
    "kind",  # one sentence: what this study is, and whether its data are test data
    "models",  # {"mode": "offline" | "live" | "own", "names": [...]}
    "created_at",  # ISO 8601, UTC
    "files",  # {file name: {"rows": data rows or null, "sha256": hex}}
)
# "participants": {"consented", "background", "complete"} counts people who left no answer and
# people who withdrew too; it may also hold "recruited", "screened_out" and "withdrawn".
# "blind" (true) marks a bundle whose `arm` and `left_arm` are empty and whose choices are `left`,
# `right`, `neither` or `both`; nothing can be tested in it, and it has no wide file.
# "plan" is what was decided beforehand, all keys optional: "preregistered" (true or false), "note",
# "equivalence_bound" (scale points), "family" (["<scenario>.<measure>"]), "primary" (members of the
# family on which the study stands), "ordered" (background measures and groups whose levels have an
# order), "groups" ({name: {"of": measure, "levels": {group: [..]}}}),
# "limits" ([sentences]), "calibration" ({"rating", "choice"}), "exclusions" ([{"rule", "value"}],
# see analysis.results.exclusions).
# "pairs": {scenario: {"fidelity_difference": PF of the treatment minus PF of the reference, or
# null, then with a "reason"}}.
# "translations" has the study's own sentences (title, kind, note, limits, questions and labels of
# the codebook) in another language of reports, by language and by the sentence as it stands.
MANIFEST_OPTIONAL: Final = ("participants", "plan", "pairs", "blind", "translations")

CODEBOOK_COLUMNS: Final = (
    "file", "column", "measure", "kind", "question", "value", "label", "scenario",
)  # fmt: skip

# What a spreadsheet takes for a formula, with the full-width forms that some locales accept.
_FORMULA: Final = "=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20"
_UNSAFE: Final = re.compile(f"'*[{_FORMULA}]")
_ESCAPED: Final = re.compile(f"'+[{_FORMULA}]")
# The same rule for whoever escapes elsewhere, as a regular expression that begins at the start.
UNSAFE_START: Final = f"^{_UNSAFE.pattern}"


@dataclass(frozen=True, slots=True)
class LongRow:
    """One stored answer: one line of `long.csv`, fields in the order of its columns.

    Everything is text as it stands in the file before escaping, except what is a number or a
    flag. Empty text means that the column does not apply.

    `arm` and `position` say which report a rating is about; both are empty for the other kinds.
    `value` is an integer for a rating and for a confidence, an arm name, `neither` or `both` for a
    choice, `passed` or `failed` for an attention check, else text.
    `left_arm` is the arm shown as Report A in this trial. Times are ISO 8601 in UTC.
    A background answer has no scenario, no trial order, and `background.<key>` as its measure.
    """

    study: str
    design_hash: str
    participant_id: str
    cohort: str
    language: str
    scenario: str
    trial_order: int | None
    measure: str
    kind: str
    arm: str
    position: str
    value: int | str
    left_arm: str
    presented_at: str
    answered_at: str
    status: str
    is_test: bool
    is_bot: bool
    models: str


LONG_COLUMNS: Final = tuple(field.name for field in fields(LongRow))
WIDE_ID_COLUMNS: Final = (
    "study", "design_hash", "participant_id", "cohort", "language", "scenario", "trial_order",
    "left_arm", "presented_at", "answered_at", "status", "is_test", "is_bot", "models",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CodebookRow:
    """One value of one column, or one column without listed values (`value`, `label` empty).

    `scenario` is empty where the question was the same in all scenarios.
    """

    file: str
    column: str
    measure: str
    kind: str
    question: str
    value: str
    label: str
    scenario: str = ""


def table_cells(row: Any) -> list[str]:
    """Turn a row (a dataclass) of any table into the cells of its line, formula-safe."""
    return [cell(part) for part in astuple(row)]


def long_cells(row: LongRow) -> list[str]:
    """Turn one answer into the cells of its line, formula-safe."""
    return table_cells(row)


def codebook_cells(row: CodebookRow) -> list[str]:
    """Turn one codebook entry into the cells of its line, formula-safe."""
    return table_cells(row)


def cell(value: int | float | str | None) -> str:
    """Write one value: numbers stay numbers, flags are true/false, nothing is empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return text_escape(value) if isinstance(value, str) else str(value)


def text_escape(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would run as a formula.

    Text that already looks escaped gets one more, so that `text_unescape` gives back exactly
    what went in.
    """
    return f"'{text}" if _UNSAFE.match(text) else text


def text_unescape(text: str) -> str:
    """Undo `text_escape`."""
    return text[1:] if _ESCAPED.match(text) else text


def difference_text(arms: tuple[str, str]) -> str:
    """Name the sign convention: treatment minus reference, e.g. `apg - baseline`."""
    reference, treatment = arms
    return f"{treatment} - {reference}"
