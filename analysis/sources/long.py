"""Read a long table into answers, refusing every cell that a study could not have stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from analysis import schema
from analysis.errors import BundleError
from analysis.schema import LongRow
from analysis.sources.cells import Line
from analysis.sources.tables import Table, integer_from

REQUIRED: Final = ("participant_id", "measure", "arm", "value")
DEFAULT_SCENARIO: Final = "all"
_LAST_PLACE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Design:
    """What the values of a table may be: the arms and the scale of each rating.

    In a `blind` table no arm is named; the positions left and right are its arms.
    """

    arms: tuple[str, str]
    scales: Mapping[str, tuple[int, int]]
    default_scale: tuple[int, int] = schema.DEFAULT_SCALE
    blind: bool = False

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


def is_choice(answers: set[str], arms: tuple[str, str]) -> bool:
    """Tell a choice from free text by its answers.

    One arm's name is enough: the other answers must then be arms too, or are refused. Where nobody
    named an arm, all must be `neither` or `both`.
    """
    given = answers - {""}
    return bool(given & set(arms)) or (bool(given) and given <= set(schema.UNDECIDED))


class _Reader:
    """Keeps what earlier rows said, to find the row that contradicts them."""

    def __init__(self, table: Table, design: Design, *, unfolded: bool) -> None:
        self.file, self.design, self.unfolded = table.file, design, unfolded
        self.index = {name: place for place, name in enumerate(table.head)}
        self.rows: list[LongRow] = []
        self.seen: dict[tuple[str, str, str, str], int] = {}
        self.kinds: dict[str, tuple[str, int]] = {}
        self.trials: dict[tuple[str, str, str], tuple[str, int]] = {}
        self._shown_arms = () if design.blind else design.arms
        self.guesses = {} if "kind" in self.index else self._kinds_guessed(table)

    def read(self, number: int, cells: tuple[str, ...]) -> None:
        values = {name: cells[place].strip() for name, place in self.index.items()}
        if values["value"] == "":
            return
        row = self._row(Line(self.file, number, values), raw=cells[self.index["value"]])
        self._once(number, row)
        self._same_kind(number, row)
        self._same_trial(number, row, "left_arm", row.left_arm)
        self._same_trial(
            number, row, "trial_order", "" if row.trial_order is None else str(row.trial_order)
        )
        self.rows.append(row)

    def _row(self, line: Line, *, raw: str) -> LongRow:
        kind = self._kind(line)
        is_background = kind == schema.BACKGROUND
        scenario = line.name("scenario") or ("" if is_background else DEFAULT_SCENARIO)
        position = self._position(line, kind)
        return LongRow(
            study=line.text("study"),
            design_hash=line.text("design_hash"),
            participant_id=line.filled("participant_id"),
            cohort=line.name("cohort"),
            language=line.text("language"),
            scenario=scenario,
            trial_order=line.whole("trial_order", lowest=1, highest=_LAST_PLACE),
            measure=line.filled("measure"),
            kind=kind,
            arm=self._arm(line, kind, position),
            position=position,
            value=self._value(line, kind, raw),
            left_arm=line.arm("left_arm", self._shown_arms, required=False),
            presented_at=line.text("presented_at"),
            answered_at=line.text("answered_at"),
            status=line.one_of("status", schema.STATUSES, default="complete"),
            is_test=line.flag("is_test"),
            is_bot=line.flag("is_bot"),
            models=line.one_of("models", schema.MODELS, default="live"),
        )

    def _arm(self, line: Line, kind: str, position: str) -> str:
        """The arm that an answer is about; in a blind bundle its position stands for it."""
        rated = kind == schema.RATING
        if self.design.blind:
            line.arm("arm", (), required=False)
            return position if rated else ""
        return line.arm("arm", self.design.arms, required=rated)

    def _value(self, line: Line, kind: str, raw: str) -> int | str:
        measure = line.values["measure"]
        column = f"{measure}_{line.values['arm']}" if kind == schema.RATING else measure
        place = f"row {line.number}, column {column if self.unfolded else f'value ({measure})'}"
        if kind in (schema.RATING, schema.CONFIDENCE):
            lowest, highest = self.design.scale(measure)
            return integer_from(raw, file=self.file, place=place, lowest=lowest, highest=highest)
        allowed = self._answers(kind)
        if not allowed:
            return schema.text_unescape(raw)
        value = line.name("value")
        if value not in allowed:
            raise BundleError(
                file=self.file, place=place, found=repr(value), allowed=", ".join(allowed)
            )
        return value

    def _answers(self, kind: str) -> tuple[str, ...]:
        if kind == schema.CHOICE:
            return (*self.design.arms, *schema.UNDECIDED)
        return (schema.PASSED, schema.FAILED) if kind == schema.ATTENTION else ()

    def _position(self, line: Line, kind: str) -> str:
        sides = schema.POSITIONS if self.design.blind and kind == schema.RATING else ("",)
        value = line.one_of("position", (*schema.POSITIONS, *sides))
        if kind == schema.RATING:
            self._position_check(line, value)
        return value

    def _position_check(self, line: Line, position: str) -> None:
        arm, left = line.name("arm"), line.name("left_arm")
        if position and arm and left and (position == schema.LEFT) != (arm == left):
            raise BundleError(
                file=self.file,
                place=f"row {line.number}, columns arm, position, left_arm",
                found=f"{arm} shown {position} although {left} was left",
                allowed="a position that agrees with left_arm",
                ids=(line.values["participant_id"],),
            )

    def _kind(self, line: Line) -> str:
        if "kind" not in line.values:
            return self.guesses[line.values["measure"]]
        return line.one_of("kind", schema.KINDS)

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
        return schema.CHOICE if is_choice(marks, self.design.arms) else schema.TEXT

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
