"""Questions that decide who may take part: eligibility, and whether the task was understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studyapp.domain.answers import Problem, text_clean, value_problem
from studyapp.domain.background import Option
from studyapp.errors import MeasureError

# A comprehension check gives two tries (Prolific's policy, which others follow).
ATTEMPTS: Final = 2


class ScreeningKind(StrEnum):
    """Eligibility is asked once; a comprehension question may be answered a second time."""

    ELIGIBILITY = "eligibility"
    COMPREHENSION = "comprehension"


@dataclass(frozen=True, slots=True)
class ScreeningQuestion:
    """One question; `accepts` holds the values that let somebody in, and never leaves the server.

    An eligibility question that accepts every value turns nobody away: it is there for its quota.
    """

    key: str
    kind: ScreeningKind
    question: str
    options: tuple[Option, ...]
    accepts: tuple[str, ...]
    hint: str = ""
    required: bool = True


class Stage(StrEnum):
    """Which form is due: eligibility first, then comprehension, which has two tries."""

    ELIGIBILITY = "eligibility"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class ScreeningForm:
    """The questions that are due, all on one page."""

    stage: Stage
    questions: tuple[ScreeningQuestion, ...]


@dataclass(frozen=True, slots=True)
class ScreeningSheet:
    """What was sent, read: values, problems by field, and the questions that were not passed."""

    values: dict[str, str]
    problems: Mapping[str, Problem]
    failed: tuple[ScreeningQuestion, ...]


def screening_load(rows: Sequence[Mapping[str, object]]) -> tuple[ScreeningQuestion, ...]:
    """Read a study's stored screening questions.

    Raises:
        MeasureError: a key is used twice, or a row does not describe a question.
    """
    questions = tuple(_question_load(row) for row in rows)
    keys = [question.key for question in questions]
    doubled = sorted({key for key in keys if keys.count(key) > 1})
    if doubled:
        raise MeasureError(f"screening keys must be unique; used twice: {', '.join(doubled)}")
    return questions


def screening_due(
    questions: Sequence[ScreeningQuestion], *, answered: Mapping[str, str], attempts: int
) -> ScreeningForm | None:
    """Return the form that comes next, or None where nothing is left to ask.

    Args:
        questions: the study's.
        answered: the stored answers.
        attempts: how often the comprehension questions were answered.
    """
    kinds = {
        kind: tuple(question for question in questions if question.kind is kind)
        for kind in ScreeningKind
    }
    eligibility = kinds[ScreeningKind.ELIGIBILITY]
    if any(question.key not in answered for question in eligibility):
        return ScreeningForm(Stage.ELIGIBILITY, eligibility)
    comprehension = kinds[ScreeningKind.COMPREHENSION]
    passed = all(answered.get(question.key, "") in question.accepts for question in comprehension)
    if passed or attempts >= ATTEMPTS:
        return None
    return ScreeningForm(Stage.SECOND if attempts else Stage.FIRST, comprehension)


def stratum_of(
    strata: Mapping[str, Mapping[str, int]], answers: Mapping[str, str]
) -> tuple[str, int | None]:
    """Return the stratum `<question>=<value>` that a quota counts, and the quota if it has one."""
    for key, quotas in strata.items():
        if key in answers:
            return f"{key}={answers[key]}", quotas.get(answers[key])
    return "", None


def screening_read(
    questions: Sequence[ScreeningQuestion], sent: Mapping[str, str]
) -> ScreeningSheet:
    """Check what was sent against the questions. Unknown fields are ignored."""
    values = {question.key: text_clean(sent.get(question.key, "")) for question in questions}
    problems = {
        question.key: problem
        for question in questions
        if (problem := _problem(question, values[question.key])) is not None
    }
    failed = tuple(
        question for question in questions if values[question.key] not in question.accepts
    )
    return ScreeningSheet(values, problems, () if problems else failed)


def _problem(question: ScreeningQuestion, value: str) -> Problem | None:
    return value_problem(
        value, offered=[option.value for option in question.options], required=True
    )


def _question_load(row: Mapping[str, object]) -> ScreeningQuestion:
    try:
        question = ScreeningQuestion(
            key=str(row["key"]),
            kind=ScreeningKind(str(row["kind"])),
            question=str(row["question"]),
            options=_options(row["options"]),
            accepts=tuple(str(value) for value in _listed(row["accepts"])),
            hint=str(row.get("hint", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise MeasureError(f"screening question {row.get('key', '(no key)')!r}: {error}") from error
    offered = {option.value for option in question.options}
    if len(offered) < 2 or not question.accepts or set(question.accepts) - offered:
        raise MeasureError(
            f"screening question {question.key!r} needs at least two options, and accepts some"
        )
    return question


def _options(rows: object) -> tuple[Option, ...]:
    return tuple(Option(value=str(row["value"]), label=str(row["label"])) for row in _listed(rows))


def _listed(rows: object) -> Sequence[Mapping[str, object]]:
    if not isinstance(rows, list | tuple):
        raise TypeError("options and accepts must be lists")
    return rows
