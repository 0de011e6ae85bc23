"""What each column and value of an export means, from the study's own questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

from studyapp.domain.background import BackgroundQuestion, background_load
from studyapp.domain.measures import Measure, MeasureKind
from studyapp.models import Study
from studyapp.seams import analysis
from studyapp.seams.analysis import LONG_FILE, WIDE_FILE, CodebookRow
from studyapp.selectors.words import cohort_background
from studyapp.services.export.codebook_words import COLUMNS, CONVENTIONS
from studyapp.services.export.head import StudyHead

CODEBOOK_JSON: Final = "codebook.json"
_BLIND: Final = "Empty: the export is blind"
_CHOICE_LABELS: Final = {"neither": "neither report", "both": "both reports"}
_SIDE_LABELS: Final = {"left": "Report A, on the left", "right": "Report B, on the right"}
_ATTENTION_LABELS: Final = {
    analysis.PASSED: "the right answer was given",
    analysis.FAILED: "another answer was given",
}


def codebook_rows(
    study: Study, head: StudyHead, tables: Mapping[str, Sequence[str]]
) -> list[CodebookRow]:
    """Describe every column of each table, with the labels of all listed values.

    Args:
        study: the study.
        head: what its rows share.
        tables: the columns of each table by its file.
    """
    described = [
        row for file, columns in tables.items() for row in _columns(study, head, file, columns)
    ]
    return [*described, *(row for file in tables for row in _values(study, head, file))]


def codebook_json(rows: Sequence[CodebookRow]) -> bytes:
    """Write the codebook as JSON."""
    text = json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=1)
    return f"{text}\n".encode()


def column_labels(rows: Sequence[CodebookRow], *, file: str) -> dict[str, str]:
    """Say in words what each column of a table holds."""
    return {row.column: row.question for row in rows if row.file == file and not row.kind}


def wide_columns(study: Study, head: StudyHead) -> tuple[str, ...]:
    """Name the wide table's columns after the ids: background, then measures in their order."""
    background = [_background_name(key) for key in head.background]
    measures = [name for row in head.measures.values() for name in _names(study, row)]
    return (*background, *measures)


def _columns(
    study: Study, head: StudyHead, file: str, columns: Sequence[str]
) -> Iterator[CodebookRow]:
    asked = _asked(study, head) if file == WIDE_FILE else {}
    for name in columns:
        text = asked.get(name) or COLUMNS.get((file, name)) or COLUMNS["", name]
        if head.blind and name in ("arm", "left_arm"):
            text = _BLIND
        yield CodebookRow(
            file=file, column=name, measure="", kind="", question=text, value="", label=""
        )


def _asked(study: Study, head: StudyHead) -> dict[str, str]:
    questions = {_background_name(row.key): row.question for row in _questions(study)}
    for measure in head.measures.values():
        names = _names(study, measure)
        arms = (study.reference_arm, study.treatment_arm) if len(names) > 1 else ("",)
        for name, arm in zip(names, arms, strict=True):
            questions[name] = f"{measure.question} ({arm})" if arm else measure.question
    return questions


def _questions(study: Study) -> list[BackgroundQuestion]:
    """The study's questions, then those of cohorts; the first of a key speaks for it."""
    cohorts = study.cohorts.select_related("study").order_by("pk")
    asked = [study.background, *(cohort_background(row) for row in cohorts)]
    found: dict[str, BackgroundQuestion] = {}
    for question in (row for rows in asked for row in background_load(rows)):
        found.setdefault(question.key, question)
    return list(found.values())


def _values(study: Study, head: StudyHead, file: str) -> Iterator[CodebookRow]:
    if file not in (LONG_FILE, WIDE_FILE):
        return
    for question in _questions(study):
        name = _background_name(question.key)
        for option in question.options:
            entry = (name, analysis.BACKGROUND, question.question)
            column = "value" if file == LONG_FILE else name
            yield _value(file, column, entry, option.value, option.label)
    for measure in head.measures.values():
        entry = (measure.key, measure.kind.value, measure.question)
        for column in ("value",) if file == LONG_FILE else _names(study, measure):
            for value, label in _labels(study, head, measure):
                yield _value(file, column, entry, value, label)


def _labels(study: Study, head: StudyHead, measure: Measure) -> Iterator[tuple[str, str]]:
    if measure.kind in (MeasureKind.RATING, MeasureKind.CONFIDENCE):
        yield from ((str(point), label) for point, label in enumerate(measure.anchors, start=1))
    elif measure.kind is MeasureKind.ATTENTION:
        yield from _ATTENTION_LABELS.items()
    elif measure.kind is MeasureKind.CHOICE:
        yield from _choice_labels(study, head)
        undecided = [choice for choice in measure.choices if choice in _CHOICE_LABELS]
        yield from ((choice.value, _CHOICE_LABELS[choice]) for choice in undecided)
    else:
        yield "", ""


def _choice_labels(study: Study, head: StudyHead) -> Iterator[tuple[str, str]]:
    if head.blind:
        yield from _SIDE_LABELS.items()
        return
    for arm in (study.reference_arm, study.treatment_arm):
        yield arm, f"the report of the arm {arm}"


def _names(study: Study, measure: Measure) -> tuple[str, ...]:
    if measure.kind is MeasureKind.RATING:
        return (f"{measure.key}_{study.reference_arm}", f"{measure.key}_{study.treatment_arm}")
    return (measure.key,)


def _background_name(key: str) -> str:
    return f"{analysis.BACKGROUND_PREFIX}{key}"


def _value(
    file: str, column: str, entry: tuple[str, str, str], value: str, label: str
) -> CodebookRow:
    measure, kind, question = entry
    return CodebookRow(
        file=file,
        column=column,
        measure=measure,
        kind=kind,
        question=question,
        value=value,
        label=label,
    )


__all__ = [
    "CODEBOOK_JSON",
    "CONVENTIONS",
    "codebook_json",
    "codebook_rows",
    "column_labels",
    "wide_columns",
]
