"""Read a long table into answers, refusing every cell that a study could not have stored."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from analysis import schema
from analysis.errors import BundleError
from analysis.schema import LongRow
from analysis.sources.tables import Table, integer_from

REQUIRED: Final = ("participant_id", "measure", "arm", "value")
DEFAULT_SCENARIO: Final = "all"
_FLAGS: Final = {"true": True, "false": False, "1": True, "0": False, "": False}
_DEFAULTS: Final = {"scenario": DEFAULT_SCENARIO, "status": "complete", "models": "live"}


@dataclass(frozen=True, slots=True)
class Design:
    """What the values of a table may be: the arms and the scale of each rating."""

    arms: tuple[str, str]
    scales: Mapping[str, tuple[int, int]]
    default_scale: tuple[int, int] = schema.DEFAULT_SCALE

    def scale(self, measure: str) -> tuple[int, int]:
        """The lowest and the highest rating of a measure."""
        return self.scales.get(measure, self.default_scale)


def is_long(head: tuple[str, ...]) -> bool:
    """Tell a long table by its columns."""
    return set(REQUIRED) <= set(head)


def long_rows(table: Table, design: Design, *, unfolded: bool = False) -> tuple[LongRow, ...]:
    """Read and check every row; a row with an empty value is a missing answer and is skipped.

    Args:
        table: The rows.
        design: What their values may be.
        unfolded: The rows come from a wide file, whose column names the errors should show.

    Raises:
        BundleError: A cell outside what is allowed, a measure of two kinds, an answer twice, or
            rows of one trial that contradict each other.
    """
    reader = _Reader(table, design, unfolded=unfolded)
    for number, cells in table.rows:
        reader.read(number, cells)
    return tuple(reader.rows)


class _Reader:
    """Keeps what earlier rows said, to find the row that contradicts them."""

    def __init__(self, table: Table, design: Design, *, unfolded: bool) -> None:
        self.file, self.design, self.unfolded = table.file, design, unfolded
        self.index = {name: place for place, name in enumerate(table.head)}
        self.rows: list[LongRow] = []
        self.seen: dict[tuple[str, str, str, str], int] = {}
        self.kinds: dict[str, tuple[str, int]] = {}
        self.trials: dict[tuple[str, str, str], tuple[str, int]] = {}
        self.guesses = {} if "kind" in self.index else self._kinds_guessed(table)

    def read(self, number: int, cells: tuple[str, ...]) -> None:
        values = {name: cells[place].strip() for name, place in self.index.items()}
        if values["value"] == "":
            return
        row = self._row(number, values, raw=cells[self.index["value"]])
        self._once(number, row)
        self._same_kind(number, row)
        self._same_trial(number, row, "left_arm", row.left_arm)
        self._same_trial(
            number, row, "trial_order", "" if row.trial_order is None else str(row.trial_order)
        )
        self.rows.append(row)

    def _row(self, number: int, values: dict[str, str], *, raw: str) -> LongRow:
        def text(name: str) -> str:
            found = values.get(name, "")
            return schema.text_unescape(found) if found else ""

        kind = self._kind(number, values)
        is_background = kind == schema.BACKGROUND
        scenario = text("scenario") or ("" if is_background else DEFAULT_SCENARIO)
        return LongRow(
            study=text("study"),
            design_hash=text("design_hash"),
            participant_id=self._filled(number, "participant_id", text("participant_id")),
            cohort=text("cohort"),
            language=text("language"),
            scenario=scenario,
            trial_order=self._order(number, values.get("trial_order", "")),
            measure=self._filled(number, "measure", text("measure")),
            kind=kind,
            arm=self._arm(number, "arm", text("arm"), required=kind == schema.RATING),
            position=self._position(number, values, kind),
            value=self._value(number, kind, values, raw),
            left_arm=self._arm(number, "left_arm", text("left_arm"), required=False),
            presented_at=text("presented_at"),
            answered_at=text("answered_at"),
            status=self._one_of(number, "status", values, schema.STATUSES),
            is_test=self._flag(number, "is_test", values),
            is_bot=self._flag(number, "is_bot", values),
            models=self._one_of(number, "models", values, schema.MODELS),
        )

    def _value(self, number: int, kind: str, values: dict[str, str], raw: str) -> int | str:
        measure = values["measure"]
        column = f"{measure}_{values['arm']}" if kind == schema.RATING else measure
        place = f"row {number}, column {column if self.unfolded else f'value ({measure})'}"
        if kind == schema.RATING:
            lowest, highest = self.design.scale(measure)
            return integer_from(raw, file=self.file, place=place, lowest=lowest, highest=highest)
        if kind != schema.CHOICE:
            return schema.text_unescape(raw)
        allowed = (*self.design.arms, *schema.UNDECIDED)
        value = schema.text_unescape(raw.strip())
        if value not in allowed:
            raise BundleError(
                file=self.file, place=place, found=repr(value), allowed=", ".join(allowed)
            )
        return value

    def _arm(self, number: int, column: str, value: str, *, required: bool) -> str:
        if value in self.design.arms or (value == "" and not required):
            return value
        raise BundleError(
            file=self.file,
            place=f"row {number}, column {column}",
            found=repr(value),
            allowed=f"{' or '.join(self.design.arms)} (other arms are named with --arms)",
        )

    def _position(self, number: int, values: dict[str, str], kind: str) -> str:
        value = values.get("position", "")
        if value == "" or value in schema.POSITIONS:
            self._position_check(number, values, value if kind == schema.RATING else "")
            return value
        raise BundleError(
            file=self.file,
            place=f"row {number}, column position",
            found=repr(value),
            allowed="left, right or empty",
        )

    def _position_check(self, number: int, values: dict[str, str], position: str) -> None:
        arm, left = values.get("arm", ""), values.get("left_arm", "")
        if position and arm and left and (position == schema.LEFT) != (arm == left):
            raise BundleError(
                file=self.file,
                place=f"row {number}, columns arm, position, left_arm",
                found=f"{arm} shown {position} although {left} was left",
                allowed="a position that agrees with left_arm",
                ids=(values["participant_id"],),
            )

    def _order(self, number: int, value: str) -> int | None:
        if value == "":
            return None
        place = f"row {number}, column trial_order"
        return integer_from(value, file=self.file, place=place, lowest=1, highest=10_000)

    def _one_of(
        self, number: int, column: str, values: dict[str, str], allowed: tuple[str, ...]
    ) -> str:
        value = values.get(column) or _DEFAULTS[column]
        if value in allowed:
            return value
        raise BundleError(
            file=self.file,
            place=f"row {number}, column {column}",
            found=repr(value),
            allowed=" or ".join(allowed),
        )

    def _flag(self, number: int, column: str, values: dict[str, str]) -> bool:
        value = values.get(column, "")
        if value.lower() in _FLAGS:
            return _FLAGS[value.lower()]
        raise BundleError(
            file=self.file,
            place=f"row {number}, column {column}",
            found=repr(value),
            allowed="true or false",
        )

    def _filled(self, number: int, column: str, value: str) -> str:
        if value:
            return unicodedata.normalize("NFC", value)
        raise BundleError(
            file=self.file,
            place=f"row {number}, column {column}",
            found="nothing",
            allowed="a name",
        )

    def _kind(self, number: int, values: dict[str, str]) -> str:
        if "kind" not in values:
            return self.guesses[values["measure"]]
        if values["kind"] in schema.KINDS:
            return values["kind"]
        raise BundleError(
            file=self.file,
            place=f"row {number}, column kind",
            found=repr(values["kind"]),
            allowed=", ".join(schema.KINDS),
        )

    def _kinds_guessed(self, table: Table) -> dict[str, str]:
        found: dict[str, set[str]] = {}
        measure, arm, value = (self.index[name] for name in ("measure", "arm", "value"))
        for _, cells in table.rows:
            mark = schema.RATING if cells[arm].strip() else cells[value].strip()
            found.setdefault(cells[measure].strip(), set()).add(mark)
        return {key: self._kind_guessed(key, marks) for key, marks in found.items()}

    def _kind_guessed(self, measure: str, marks: set[str]) -> str:
        if measure.startswith(schema.BACKGROUND_PREFIX):
            return schema.BACKGROUND
        if schema.RATING in marks:
            return schema.RATING
        # One arm name is enough: the other answers must then be arms too, or are refused.
        return schema.CHOICE if marks & set(self.design.arms) else schema.TEXT

    def _once(self, number: int, row: LongRow) -> None:
        key = (row.participant_id, row.scenario, row.measure, row.arm)
        earlier = self.seen.setdefault(key, number)
        if earlier == number:
            return
        what = " ".join(part for part in (row.scenario, row.measure, row.arm) if part)
        raise BundleError(
            file=self.file,
            place=f"rows {earlier} and {number}",
            found=f"two answers to {what}",
            allowed="one answer for each participant, scenario, measure and arm",
            ids=(row.participant_id,),
        )

    def _same_kind(self, number: int, row: LongRow) -> None:
        kind, earlier = self.kinds.setdefault(row.measure, (row.kind, number))
        if kind != row.kind:
            raise BundleError(
                file=self.file,
                place=f"row {number}, column kind",
                found=f"{row.kind} for {row.measure}, which is {kind} in row {earlier}",
                allowed="one kind for each measure",
            )

    def _same_trial(self, number: int, row: LongRow, column: str, value: str) -> None:
        if not value:
            return
        key = (column, row.participant_id, row.scenario)
        known, earlier = self.trials.setdefault(key, (value, number))
        if known != value:
            raise BundleError(
                file=self.file,
                place=f"row {number}, column {column}",
                found=f"{value}, but {known} in row {earlier} of the same trial",
                allowed="one value for each participant and scenario",
                ids=(row.participant_id,),
            )
