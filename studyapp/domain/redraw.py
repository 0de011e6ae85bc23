"""Draw a participant's trials again from the study's design, and tell what differs from a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from studyapp.domain.randomise import measure_order_draw, trials_draw


@dataclass(frozen=True, slots=True)
class DrawDesign:
    """All that a draw depends on: `scenarios` and `measures` are keys in their stored order."""

    seed: int
    scenarios: tuple[str, ...]
    measures: tuple[str, ...]
    shuffles_measures: bool


@dataclass(frozen=True, slots=True)
class DrawnTrial:
    """One trial as it is drawn, and as an assignment holds it; `order` counts from 1."""

    order: int
    scenario: str
    treatment_is_left: bool
    measure_order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One cell of a stored row that is not what follows from seed and log.

    `row` names the row as a person would look it up; `column` is empty where the row itself is
    one too many or missing.
    """

    row: str
    column: str
    found: str
    derived: str

    def __str__(self) -> str:
        where = f"{self.row}: {self.column}" if self.column else self.row
        return f"{where}: found {self.found}, derived {self.derived}"


def trials_redraw(design: DrawDesign, *, cohort: str, enrolment: int) -> tuple[DrawnTrial, ...]:
    """Return what was drawn for number `enrolment` of a cohort; nothing is, below 1."""
    if enrolment < 1:
        return ()
    drawn = trials_draw(
        seed=design.seed, cohort=cohort, enrolment=enrolment, scenarios=len(design.scenarios)
    )
    return tuple(
        DrawnTrial(
            order=order,
            scenario=design.scenarios[trial.scenario],
            treatment_is_left=trial.treatment_is_left,
            measure_order=_measures(design, cohort, enrolment, design.scenarios[trial.scenario]),
        )
        for order, trial in enumerate(drawn, start=1)
    )


def trials_compare(
    who: str, *, stored: Sequence[DrawnTrial], derived: Sequence[DrawnTrial]
) -> Iterator[Difference]:
    """Compare somebody's stored trials with the drawn ones, place by place of the order."""
    found = {trial.order: trial for trial in stored}
    expected = {trial.order: trial for trial in derived}
    for order in sorted(found | expected):
        row = f"assignment of {who}, trial {order}"
        if order not in found:
            yield Difference(row, "", "no row", expected[order].scenario)
        elif order not in expected:
            yield Difference(row, "", found[order].scenario, "no row")
        else:
            names = (field.name for field in fields(DrawnTrial))
            yield from cells_compare(
                row,
                {
                    name: (getattr(found[order], name), getattr(expected[order], name))
                    for name in names
                },
            )


def cells_compare(row: str, cells: Mapping[str, tuple[object, object]]) -> Iterator[Difference]:
    """Compare the cells of one row, each given as (found, derived) by column."""
    for column, (found, derived) in cells.items():
        if found != derived:
            yield Difference(row, column, repr(found), repr(derived))


def _measures(design: DrawDesign, cohort: str, enrolment: int, scenario: str) -> tuple[str, ...]:
    if not design.shuffles_measures:
        return design.measures
    return tuple(
        measure_order_draw(
            seed=design.seed,
            cohort=cohort,
            enrolment=enrolment,
            scenario=scenario,
            measures=design.measures,
        )
    )
