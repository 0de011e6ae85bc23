"""Read the published study's public survey file by position, and re-code it in our own words.

The file has no ids, Polish headers with stray blanks, and pairs of headers that differ in a suffix
only. Its wording is not ours to carry, so headers and options are known here by fingerprint: the
first 16 hex digits of the SHA-256 of the text in NFC with runs of blanks folded.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analysis.errors import BundleError
from analysis.schema import BACKGROUND, BACKGROUND_PREFIX, CHOICE, RATING, LongRow
from analysis.sources.tables import Table, integer_from

_ARMS: Final = {"a7cba50b7174b771": "baseline", "ded2f8f8419ff9de": "apg"}
_FAITHFUL: Final = {**_ARMS, "e893a132a9f6d0e0": "neither", "69a18cabfbe4981b": "both"}
_AGE: Final = {
    "4d8af41e38434c2f": "under_26",
    "55bd82cde4eb34ee": "26_35",
    "56d25900ae3a914a": "36_50",
    "1670452ef8274876": "over_50",
}
_FIELD: Final = {
    "128134f04f424d01": "non_technical",
    "021914c03ce93dce": "technical_student",
    "75917789f78fd8af": "it_professional",
}
_LITERACY: Final = {
    "b735e6c0cef8898c": "low",
    "3138eab64e345031": "medium",
    "d8f6ff039aa78936": "high",
}


@dataclass(frozen=True, slots=True)
class _Column:
    """One column of the public file: its header's fingerprint and what it becomes."""

    header: str
    scenario: str
    measure: str
    arm: str = ""
    codes: tuple[tuple[str, str], ...] = ()


def _column(
    header: str, scenario: str, measure: str, *, arm: str = "", codes: dict[str, str] | None = None
) -> _Column:
    return _Column(header, scenario, measure, arm, tuple((codes or {}).items()))


# Column 1 (consent) holds one answer, "yes", in all rows and is checked but not carried.
_CONSENT: Final = _column("67ec7b95ecd8d49c", "", "consent", codes={"84878c9fa09ef54e": "yes"})
_COLUMNS: Final = (
    _CONSENT,
    _column("ed175d7130b665c3", "", "age_group", codes=_AGE),
    _column("fb7bde68fbc0e20a", "", "field", codes=_FIELD),
    _column("7ae9b74f75a68cc2", "", "llm_literacy", codes=_LITERACY),
    _column("4a35099b4f07973e", "s009", "faithful", codes=_FAITHFUL),
    _column("9e82221e5f349f4e", "s009", "fluent", codes=_ARMS),
    _column("523d70741fe8a8c9", "s009", "trust", arm="baseline"),
    _column("d3aab2193d7c5a83", "s009", "trust", arm="apg"),
    _column("ce7b04972be1e505", "s026", "faithful", codes=_FAITHFUL),
    _column("83e94795b179b59e", "s026", "ready_made", codes=_ARMS),
    _column("efe9baff3584b0ca", "s026", "trust", arm="baseline"),
    _column("c8f635eb74d40b8e", "s026", "trust", arm="apg"),
)
_ORDER: Final = {"": None, "s009": 1, "s026": 2}
_POSITION: Final = {"": "", "baseline": "left", "apg": "right"}


def is_survey(table: Table) -> bool:
    """Tell whether a table is the public file, by the fingerprints of its headers."""
    return [fingerprint(name) for name in table.head] == [column.header for column in _COLUMNS]


def survey_rows(table: Table) -> tuple[LongRow, ...]:
    """Re-code the public file; participants are named p01.. in the order of its rows.

    Raises:
        BundleError: A cell holds an option or a rating that the published study did not offer.
    """
    return tuple(
        answer
        for index, (number, cells) in enumerate(table.rows, start=1)
        for answer in _participant(table, number, cells, f"p{index:02d}")
    )


def fingerprint(text: str) -> str:
    """Name a text without carrying it."""
    folded = " ".join(unicodedata.normalize("NFC", text).split())
    return hashlib.sha256(folded.encode()).hexdigest()[:16]


def _participant(
    table: Table, number: int, cells: tuple[str, ...], participant: str
) -> Iterator[LongRow]:
    for place, (column, text) in enumerate(zip(_COLUMNS, cells, strict=True), start=1):
        value = _value(column, text, file=table.file, place=f"row {number}, column {place}")
        if column is not _CONSENT:
            yield _row(column, value, participant)


def _value(column: _Column, text: str, *, file: str, place: str) -> int | str:
    if not column.codes:
        return integer_from(text, file=file, place=place, lowest=1, highest=5)
    code = dict(column.codes).get(fingerprint(text))
    if code is None:
        raise BundleError(
            file=file,
            place=place,
            found=repr(text),
            allowed=f"the option that means one of {', '.join(c for _, c in column.codes)}",
        )
    return code


def _row(column: _Column, value: int | str, participant: str) -> LongRow:
    kind = RATING if column.arm else CHOICE if column.scenario else BACKGROUND
    measure = column.measure if column.scenario else BACKGROUND_PREFIX + column.measure
    return LongRow(
        study="n33",
        design_hash="",
        participant_id=participant,
        cohort="published",
        language="pl",
        scenario=column.scenario,
        trial_order=_ORDER[column.scenario],
        measure=measure,
        kind=kind,
        arm=column.arm,
        position=_POSITION[column.arm],
        value=value,
        left_arm="baseline" if column.scenario else "",
        presented_at="",
        answered_at="",
        status="complete",
        is_test=False,
        is_bot=False,
        models="live",
    )
