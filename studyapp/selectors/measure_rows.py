"""A study's questions about its reports, as the researcher's page lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from studyapp.domain.measures import Measure, MeasureOption, measures_load


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One question of a study as the researcher's page lists it."""

    key: str
    kind: str
    question: str
    answers: str


def measure_rows(stored: Sequence[dict[str, Any]]) -> tuple[MeasureRow, ...]:
    """List stored measures."""
    return tuple(
        MeasureRow(
            key=measure.key,
            kind=measure.kind.value,
            question=measure.question,
            answers=_answers(measure),
        )
        for measure in measures_load(stored)
    )


def _answers(measure: Measure) -> str:
    if measure.anchors:
        return f"1 {measure.anchors[0]} … {len(measure.anchors)} {measure.anchors[-1]}"
    if measure.options:
        return ", ".join(_option(measure, option) for option in measure.options)
    names = {"left": "Report A", "right": "Report B"}
    return ", ".join(names.get(choice, choice) for choice in measure.choices) or "free text"


def _option(measure: Measure, option: MeasureOption) -> str:
    return f"{option.label} ✓" if option.value == measure.correct else option.label
