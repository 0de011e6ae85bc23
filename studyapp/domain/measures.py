"""What a study asks about a pair of reports, as data that a study stores and a page renders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studyapp.errors import MeasureError


class MeasureKind(StrEnum):
    """How a measure is answered."""

    CHOICE = "choice"
    RATING = "rating"
    TEXT = "text"
    CONFIDENCE = "confidence"
    ATTENTION = "attention"


# What is compared between the arms; the other kinds are described, counted or used to exclude.
COMPARED: Final = (MeasureKind.CHOICE, MeasureKind.RATING)
_SCALES: Final = (MeasureKind.RATING, MeasureKind.CONFIDENCE)


class Choice(StrEnum):
    """The answers of a forced choice, named by position and never by arm."""

    LEFT = "left"
    RIGHT = "right"
    NEITHER = "neither"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class MeasureOption:
    """One answer of an attention check: what is stored, and what participants read."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Measure:
    """One question of a study.

    A choice is answered once per pair with one of `choices`. A rating is answered once per report
    with an integer from 1 to `len(anchors)`; `anchors[0]` is the label of 1. Confidence is such a
    scale, answered once per pair. A text is free. An attention check is passed by the option
    `correct`, which never leaves the server.
    """

    key: str
    kind: MeasureKind
    question: str
    hint: str = ""
    choices: tuple[Choice, ...] = ()
    anchors: tuple[str, ...] = ()
    required: bool = True
    instrument: str = ""
    options: tuple[MeasureOption, ...] = ()
    correct: str = ""

    def is_failed(self, value: str) -> bool:
        """Say whether an answer fails this attention check; other kinds cannot be failed."""
        return self.kind is MeasureKind.ATTENTION and value != self.correct


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


def measures_ordered(measures: Sequence[Measure], order: Sequence[str]) -> tuple[Measure, ...]:
    """Return measures as drawn for a trial; what the order does not name keeps its place behind."""
    places = {key: place for place, key in enumerate(order)}
    return tuple(sorted(measures, key=lambda measure: places.get(measure.key, len(places))))


def attention_failed(measures: Sequence[Measure], given: Iterable[tuple[str, str]]) -> int:
    """Count the failed attention checks among answers, given as measure key and value."""
    by_key = {measure.key: measure for measure in measures}
    return sum(key in by_key and by_key[key].is_failed(value) for key, value in given)


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
            options=tuple(_option_load(row, item) for item in _items(row, "options")),
            correct=str(row.get("correct", "")),
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


def _option_load(row: Mapping[str, object], item: object) -> MeasureOption:
    if not isinstance(item, Mapping) or not item.get("value") or not item.get("label"):
        raise MeasureError(f"measure {row.get('key')!r}: each option needs a value and a label")
    return MeasureOption(value=str(item["value"]), label=str(item["label"]))


def _measure_check(measure: Measure) -> None:
    if measure.kind is MeasureKind.CHOICE and len(measure.choices) < 2:
        raise MeasureError(f"measure {measure.key!r}: a choice needs at least two choices")
    if measure.kind in _SCALES and len(measure.anchors) < 2:
        raise MeasureError(
            f"measure {measure.key!r}: a {measure.kind.value} needs at least two anchors"
        )
    if measure.kind is MeasureKind.ATTENTION:
        _attention_check(measure)


def _attention_check(measure: Measure) -> None:
    values = [option.value for option in measure.options]
    if len(set(values)) < 2 or len(set(values)) != len(values):
        raise MeasureError(f"measure {measure.key!r}: an attention check needs two or more options")
    if measure.correct not in values:
        raise MeasureError(
            f"measure {measure.key!r}: correct is {measure.correct!r}; "
            f"allowed are {', '.join(values)}"
        )
