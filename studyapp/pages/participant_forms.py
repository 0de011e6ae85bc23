"""A study's questions as a page shows them: legends, options, what was entered, what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from studyapp.domain.answers import TEXT_LIMIT, AnswerField, Problem, answer_fields
from studyapp.domain.background import BackgroundQuestion
from studyapp.domain.measures import Measure, MeasureKind
from studyapp.domain.screening import ScreeningQuestion


@dataclass(frozen=True, slots=True)
class OptionView:
    """One radio button. The first of a field has the field's name as id, for links to it."""

    id: str
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FieldView:
    """One group of radio buttons, or one text field; `label` says which report it is about.

    `described_by` names the elements that hold its hint and its error.
    """

    name: str
    label: str
    options: tuple[OptionView, ...]
    value: str
    error: str
    described_by: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question; a rating has one field for each report, every other question one field."""

    kind: str
    key: str
    title: str
    hint: str
    is_required: bool
    fields: tuple[FieldView, ...]


@dataclass(frozen=True, slots=True)
class ErrorView:
    """One line of the error summary; `target` is the id of the field to go to."""

    target: str
    text: str


def background_questions(
    questions: Sequence[BackgroundQuestion] | Sequence[ScreeningQuestion],
    entered: Mapping[str, str],
    problems: Mapping[str, Problem],
) -> tuple[QuestionView, ...]:
    """Show the background questions."""
    return tuple(
        QuestionView(
            kind="list",
            key=question.key,
            title=question.question,
            hint=question.hint,
            is_required=question.required,
            fields=(_background_field(question, entered, problems),),
        )
        for question in questions
    )


def measure_questions(
    measures: Sequence[Measure], entered: Mapping[str, str], problems: Mapping[str, Problem]
) -> tuple[QuestionView, ...]:
    """Show a study's measures."""
    return tuple(
        QuestionView(
            kind=measure.kind.value,
            key=measure.key,
            title=measure.question,
            hint=measure.hint,
            is_required=measure.required,
            fields=tuple(
                _measure_field(field, entered, problems) for field in answer_fields([measure])
            ),
        )
        for measure in measures
    )


def error_list(questions: Sequence[QuestionView]) -> tuple[ErrorView, ...]:
    """List what is wrong, in the order of the page."""
    return tuple(
        ErrorView(field.name, _error_line(question, field))
        for question in questions
        for field in question.fields
        if field.error
    )


def _background_field(
    question: BackgroundQuestion | ScreeningQuestion,
    entered: Mapping[str, str],
    problems: Mapping[str, Problem],
) -> FieldView:
    value, problem = entered.get(question.key, ""), problems.get(question.key)
    labels = [(option.value, option.label) for option in question.options]
    return FieldView(
        name=question.key,
        label="",
        options=_options(question.key, labels, chosen=value),
        value=value,
        error=_problem_text(problem, is_text=False),
        described_by=_described_by(question.key, question.key, question.hint, problem),
    )


def _measure_field(
    field: AnswerField, entered: Mapping[str, str], problems: Mapping[str, Problem]
) -> FieldView:
    measure, name = field.measure, field.name
    value, problem = entered.get(name, ""), problems.get(name)
    is_text = measure.kind is MeasureKind.TEXT
    return FieldView(
        name=name,
        label=_side_labels()[field.side] if field.side else "",
        options=() if is_text else _options(name, _option_labels(field), chosen=value),
        value=value,
        error=_problem_text(problem, is_text=is_text),
        described_by=_described_by(measure.key, name, measure.hint, problem),
    )


def _options(
    name: str, labels: Sequence[tuple[str, str]], *, chosen: str
) -> tuple[OptionView, ...]:
    return tuple(
        OptionView(f"{name}-{i}" if i else name, value, label, value == chosen)
        for i, (value, label) in enumerate(labels)
    )


def _option_labels(field: AnswerField) -> list[tuple[str, str]]:
    if field.measure.anchors:
        return list(zip(field.offered, field.measure.anchors, strict=True))
    if field.measure.options:
        return [(option.value, option.label) for option in field.measure.options]
    labels = _side_labels() | {"neither": _("Neither"), "both": _("Both")}
    return [(value, labels[value]) for value in field.offered]


def _side_labels() -> dict[str, str]:
    return {"left": _("Report A"), "right": _("Report B")}


def _described_by(key: str, name: str, hint: str, problem: Problem | None) -> str:
    ids = [f"{key}-hint"] if hint else []
    return " ".join(ids + ([f"{name}-error"] if problem else []))


def _problem_text(problem: Problem | None, *, is_text: bool) -> str:
    if problem is None:
        return ""
    if problem is Problem.MISSING:
        return _("Enter an answer") if is_text else _("Select an answer")
    if problem is Problem.TOO_LONG:
        return _("Shorten your answer to %(limit)d characters or fewer") % {"limit": TEXT_LIMIT}
    return _("Select one of the answers shown here")


def _error_line(question: QuestionView, field: FieldView) -> str:
    parts = {"question": question.title, "report": field.label, "error": field.error}
    if field.label:
        return _("%(question)s %(report)s: %(error)s") % parts
    return _("%(question)s %(error)s") % parts
