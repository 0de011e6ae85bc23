"""Texts that researchers bring: a file with a row for each scenario and arm."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studyapp.domain.characters import text_storable
from studyapp.errors import PairsRefusedError

FIELDS: Final = ("scenario", "arm", "text")
TEXT_LIMIT: Final = 100_000
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class OwnPair:
    """Both texts of a scenario, as they were brought."""

    scenario: str
    reference: str
    treatment: str

    @property
    def has_contrast(self) -> bool:
        """Whether the texts differ in more than white space."""
        return self.reference.split() != self.treatment.split()


@dataclass(frozen=True, slots=True)
class TextsWanted:
    """What a file may name: the study's scenarios, and its arms as (reference, treatment)."""

    scenarios: Collection[str]
    arms: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Row:
    place: str
    scenario: str
    arm: str
    text: str


def own_texts_read(data: bytes, *, file_name: str, wanted: TextsWanted) -> tuple[OwnPair, ...]:
    """Read a CSV or JSON file of texts; each scenario that it names has both arms, once.

    A CSV has the columns `scenario`, `arm` and `text`, parted by commas or semicolons; JSON is a
    list of objects with these keys. Rows of a CSV are counted as a spreadsheet does: the head is
    row 1.

    Raises:
        PairsRefusedError: names the file, the row, the field, what was found and what is allowed.
    """
    rows = [_row_check(row, file_name, wanted) for row in _rows(data, file_name)]
    if not rows:
        raise _refusal(file_name, "the file", "no text", "a row for each scenario and arm")
    return _paired(rows, file_name, wanted)


def _rows(data: bytes, file_name: str) -> Iterator[_Row]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refusal(file_name, f"byte {error.start + 1}", "no UTF-8", "UTF-8 text") from error
    is_json = file_name.lower().endswith(".json") or text.lstrip()[:1] in ("[", "{")
    return _json_rows(text, file_name) if is_json else _csv_rows(text, file_name)


def _json_rows(text: str, file_name: str) -> Iterator[_Row]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refusal(file_name, "the file", str(error), "JSON") from error
    if not isinstance(found, list):
        raise _refusal(file_name, "the file", type(found).__name__, "a list of objects")
    for number, item in enumerate(found, start=1):
        place = f"row {number}"
        if not isinstance(item, dict):
            raise _refusal(file_name, place, type(item).__name__, f"an object with {_names()}")
        _fields_check(list(item), file_name, place)
        yield _Row(place, **{name: _string(item[name], file_name, place, name) for name in FIELDS})


def _string(value: Any, file_name: str, place: str, name: str) -> str:
    if not isinstance(value, str):
        raise _refusal(file_name, f"{place}, {name}", type(value).__name__, "a text")
    return value


def _csv_rows(text: str, file_name: str) -> Iterator[_Row]:
    head = text.partition("\n")[0]
    delimiter = ";" if ";" in head and "," not in head else ","
    # The reader says how a row is broken; how long a text may be is checked below.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        names = [cell.strip() for cell in next(reader, [])]
        number = 1
        _fields_check(names, file_name, "row 1")
        for number, cells in enumerate(reader, start=2):
            if cells:
                yield _csv_row(names, cells, file_name, f"row {number}")
    except csv.Error as error:
        raise _refusal(file_name, f"row {number + 1}", str(error), "CSV") from error


def _csv_row(names: Sequence[str], cells: Sequence[str], file_name: str, place: str) -> _Row:
    if len(cells) != len(names):
        raise _refusal(file_name, place, f"{len(cells)} cells", f"{len(names)} cells: {_names()}")
    return _Row(place, **dict(zip(names, cells, strict=True)))


def _fields_check(names: Sequence[str], file_name: str, place: str) -> None:
    if sorted(names) != sorted(FIELDS):
        raise _refusal(file_name, place, ", ".join(map(str, names)) or "nothing", _names())


def _row_check(row: _Row, file_name: str, wanted: TextsWanted) -> _Row:
    text = text_storable(row.text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    checked = _Row(row.place, row.scenario.strip(), row.arm.strip(), text)
    for field, value, allowed in (
        ("scenario", checked.scenario, wanted.scenarios),
        ("arm", checked.arm, wanted.arms),
    ):
        if value not in allowed:
            known = ", ".join(allowed) or "none: the study has no scenario"
            raise _refusal(file_name, f"{row.place}, {field}", repr(value), known)
    if not 0 < len(text) <= TEXT_LIMIT:
        found, allowed = f"{len(text)} characters", f"1 to {TEXT_LIMIT}"
        raise _refusal(file_name, f"{row.place}, text", found, allowed)
    return checked


def _paired(rows: Sequence[_Row], file_name: str, wanted: TextsWanted) -> tuple[OwnPair, ...]:
    found: dict[str, dict[str, _Row]] = {}
    for row in rows:
        of_scenario = found.setdefault(row.scenario, {})
        if row.arm in of_scenario:
            first = of_scenario[row.arm].place
            raise _refusal(
                file_name,
                f"{row.place}, arm",
                f"{row.arm!r} of {row.scenario!r}, which {first} has too",
                "each arm of a scenario once",
            )
        of_scenario[row.arm] = row
    return tuple(_pair(key, arms, file_name, wanted) for key, arms in found.items())


def _pair(key: str, arms: Mapping[str, _Row], file_name: str, wanted: TextsWanted) -> OwnPair:
    missing = [arm for arm in wanted.arms if arm not in arms]
    if missing:
        (row,) = arms.values()
        allowed = f"a row for the arm {missing[0]} of {key} as well"
        raise _refusal(file_name, f"{row.place}, arm", f"only {row.arm!r} of {key!r}", allowed)
    reference, treatment = (arms[arm].text for arm in wanted.arms)
    return OwnPair(key, reference, treatment)


def _names() -> str:
    return ", ".join(FIELDS)


def _refusal(file: str, place: str, found: str, allowed: str) -> PairsRefusedError:
    return PairsRefusedError(file=file, place=place, found=found[:_SHOWN], allowed=allowed)
