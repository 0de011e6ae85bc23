"""What a study asks about a pair of reports, as data that a study stores and a page renders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from studyapp.errors import MeasureError


class MeasureKind(StrEnum):
    """How a measure is answered."""

    CHOICE = "choice"
    RATING = "rating"
    TEXT = "text"


class Choice(StrEnum):
    """The answers of a forced choice, named by position and never by arm."""

    LEFT = "left"
    RIGHT = "right"
    NEITHER = "neither"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Measure:
    """One question of a study.

    A choice is answered once per pair with one of `choices`. A rating is answered once per report
    with an integer from 1 to `len(anchors)`; `anchors[0]` is the label of 1. A text is free.
    """

    key: str
    kind: MeasureKind
    question: str
    hint: str = ""
    choices: tuple[Choice, ...] = ()
    anchors: tuple[str, ...] = ()
    required: bool = True
    instrument: str = ""


def measures_load(rows: Sequence[Mapping[str, object]]) -> tuple[Measure, ...]:
    """Read a study's stored measures.

    Raises:
        MeasureError: a key is used twice, or a row does not describe a measure.
    """
    measures = tuple(_measure_load(row) for row in rows)
    keys = [measure.key for measure in measures]
    doubled = sorted({key for key in keys if keys.count(key) > 1})
    if doubled:
        raise MeasureError(f"measure keys must be unique; used twice: {', '.join(doubled)}")
    return measures


def measure_dump(measure: Measure) -> dict[str, object]:
    """Write a measure as JSON-ready data; `measures_load` reads it back."""
    return asdict(measure)


def _measure_load(row: Mapping[str, object]) -> Measure:
    try:
        measure = Measure(
            key=str(row["key"]),
            kind=MeasureKind(str(row["kind"])),
            question=str(row["question"]),
            hint=str(row.get("hint", "")),
            choices=tuple(Choice(str(value)) for value in _items(row, "choices")),
            anchors=tuple(str(value) for value in _items(row, "anchors")),
            required=row.get("required", True) is True,
            instrument=str(row.get("instrument", "")),
        )
    except (KeyError, ValueError) as error:
        raise MeasureError(f"measure {row.get('key', '(no key)')!r}: {error}") from error
    _measure_check(measure)
    return measure


def _items(row: Mapping[str, object], name: str) -> Sequence[object]:
    value = row.get(name, ())
    if not isinstance(value, list | tuple):
        raise MeasureError(f"measure {row.get('key')!r}: {name} must be a list")
    return value


def _measure_check(measure: Measure) -> None:
    if measure.kind is MeasureKind.CHOICE and len(measure.choices) < 2:
        raise MeasureError(f"measure {measure.key!r}: a choice needs at least two choices")
    if measure.kind is MeasureKind.RATING and len(measure.anchors) < 2:
        raise MeasureError(f"measure {measure.key!r}: a rating needs at least two anchors")
