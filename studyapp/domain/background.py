"""What a study asks about a participant once, before the first debate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studyapp.domain.answers import Problem, text_clean, value_problem
from studyapp.errors import MeasureError


@dataclass(frozen=True, slots=True)
class Option:
    """One answer on offer: what is stored, and what a participant reads."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class BackgroundQuestion:
    """One question with answers to choose from; the bundle calls it `background.<key>`."""

    key: str
    question: str
    options: tuple[Option, ...]
    hint: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True)
class BackgroundSheet:
    """What was sent, read: the values by key, and the problem of each field that has one."""

    values: dict[str, str]
    problems: Mapping[str, Problem]


def background_load(rows: Sequence[Mapping[str, object]]) -> tuple[BackgroundQuestion, ...]:
    """Read a study's stored background questions.

    Raises:
        MeasureError: a key is used twice, or a row does not describe a question.
    """
    questions = tuple(_question_load(row) for row in rows)
    keys = [question.key for question in questions]
    doubled = sorted({key for key in keys if keys.count(key) > 1})
    if doubled:
        raise MeasureError(f"background keys must be unique; used twice: {', '.join(doubled)}")
    return questions


def background_read(
    questions: Sequence[BackgroundQuestion], sent: Mapping[str, str]
) -> BackgroundSheet:
    """Check what was sent against the questions. Unknown fields are ignored."""
    values: dict[str, str] = {}
    problems: dict[str, Problem] = {}
    for question in questions:
        value = text_clean(sent.get(question.key, ""))
        offered = [option.value for option in question.options]
        problem = value_problem(value, offered=offered, required=question.required)
        if problem is not None:
            problems[question.key] = problem
        elif value:
            values[question.key] = value
    return BackgroundSheet(values, problems)


def _question_load(row: Mapping[str, object]) -> BackgroundQuestion:
    try:
        question = BackgroundQuestion(
            key=str(row["key"]),
            question=str(row["question"]),
            options=_options_load(row["options"]),
            hint=str(row.get("hint", "")),
            required=row.get("required", True) is True,
        )
    except (KeyError, TypeError) as error:
        raise MeasureError(
            f"background question {row.get('key', '(no key)')!r}: {error}"
        ) from error
    if len(question.options) < 2:
        raise MeasureError(f"background question {question.key!r} needs at least two options")
    return question


def _options_load(rows: object) -> tuple[Option, ...]:
    if not isinstance(rows, list | tuple):
        raise TypeError("options must be a list of objects with value and label")
    return tuple(Option(value=str(row["value"]), label=str(row["label"])) for row in rows)
