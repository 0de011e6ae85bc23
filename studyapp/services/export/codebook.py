"""What each column and value of a bundle means, from the study's own questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from studyapp.domain.background import background_load
from studyapp.domain.measures import Measure, MeasureKind, measures_load
from studyapp.models import Study
from studyapp.seams import analysis
from studyapp.seams.analysis import LONG_FILE, WIDE_FILE, CodebookRow

_ID_COLUMNS: Final = {
    "study": "Short name of the study",
    "design_hash": "SHA-256 of texts, pairs, measures, scenarios and seed, fixed at first opening",
    "participant_id": "Random code of the participant",
    "cohort": "Group whose link the participant used",
    "language": "Language of the participant's pages",
    "scenario": "Which debate; empty for background answers",
    "trial_order": "Place of the scenario in the participant's order, from 1",
    "left_arm": "Arm shown as Report A in this trial",
    "presented_at": "When the pair was first opened, UTC",
    "answered_at": "When the answer was stored, UTC",
    "status": "Whether the participant reached the end",
    "is_test": "Test data, no finding",
    "is_bot": "Answered by a program",
    "models": "Whether rule-based offline models or language models wrote the texts",
}
_LONG_COLUMNS: Final = {
    "measure": "What was asked; background questions are called background.<key>",
    "kind": "How it was answered: rating, choice, text or background",
    "arm": "For ratings: the arm of the rated report",
    "position": "For ratings: where the rated report stood, left is Report A",
}
_CHOICE_LABELS: Final = {"neither": "neither report", "both": "both reports"}


def codebook_rows(study: Study) -> list[CodebookRow]:
    """Describe every column of both tables, with the labels of all listed values."""
    return [
        *(_column(LONG_FILE, name, text) for name, text in (_ID_COLUMNS | _LONG_COLUMNS).items()),
        *_values(study, long=True),
        *(_column(WIDE_FILE, name, text) for name, text in _ID_COLUMNS.items()),
        *_values(study, long=False),
    ]


def wide_columns(study: Study) -> tuple[str, ...]:
    """Name the wide table's columns after the ids: background, then measures in their order."""
    background = [_background_name(row.key) for row in background_load(study.background)]
    measures = [
        name for measure in measures_load(study.measures) for name in _names(study, measure)
    ]
    return (*background, *measures)


def _values(study: Study, *, long: bool) -> Iterator[CodebookRow]:
    for question in background_load(study.background):
        name = _background_name(question.key)
        entry = (name, analysis.BACKGROUND, question.question)
        for option in question.options:
            yield _value("value" if long else name, entry, option.value, option.label, long=long)
    for measure in measures_load(study.measures):
        entry = (measure.key, measure.kind.value, measure.question)
        for column in ("value",) if long else _names(study, measure):
            for value, label in _labels(study, measure):
                yield _value(column, entry, value, label, long=long)


def _labels(study: Study, measure: Measure) -> Iterator[tuple[str, str]]:
    if measure.kind is MeasureKind.RATING:
        yield from ((str(point), label) for point, label in enumerate(measure.anchors, start=1))
    elif measure.kind is MeasureKind.CHOICE:
        for arm in (study.reference_arm, study.treatment_arm):
            yield arm, f"the report of the arm {arm}"
        undecided = [choice for choice in measure.choices if choice in _CHOICE_LABELS]
        yield from ((choice.value, _CHOICE_LABELS[choice]) for choice in undecided)
    else:
        yield "", ""


def _names(study: Study, measure: Measure) -> tuple[str, ...]:
    if measure.kind is MeasureKind.RATING:
        return (f"{measure.key}_{study.reference_arm}", f"{measure.key}_{study.treatment_arm}")
    return (measure.key,)


def _background_name(key: str) -> str:
    return f"{analysis.BACKGROUND_PREFIX}{key}"


def _column(file: str, name: str, text: str) -> CodebookRow:
    return CodebookRow(
        file=file, column=name, measure="", kind="", question=text, value="", label=""
    )


def _value(
    column: str, entry: tuple[str, str, str], value: str, label: str, *, long: bool
) -> CodebookRow:
    measure, kind, question = entry
    return CodebookRow(
        file=LONG_FILE if long else WIDE_FILE,
        column=column,
        measure=measure,
        kind=kind,
        question=question,
        value=value,
        label=label,
    )
