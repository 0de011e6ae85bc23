"""Reading answers to a study's measures: the fields, what may stand in them, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studyapp.domain.characters import text_storable
from studyapp.domain.measures import Measure, MeasureKind

TEXT_LIMIT: Final = 4000
# A draft may be longer: who is over the limit shortens what they wrote, and does not lose its end.
DRAFT_LIMIT: Final = 10 * TEXT_LIMIT
SIDES: Final = ("left", "right")


class Problem(StrEnum):
    """Why an answer cannot be taken; pages say it in the participant's language."""

    MISSING = "no answer"
    NOT_OFFERED = "not one of the offered answers"
    TOO_LONG = f"longer than {TEXT_LIMIT} characters"


@dataclass(frozen=True, slots=True)
class AnswerField:
    """One field of the form: a measure, and for a rating the side it is about."""

    name: str
    measure: Measure
    side: str = ""

    @property
    def offered(self) -> tuple[str, ...]:
        """The values that may be sent; empty for free text."""
        if self.measure.kind in (MeasureKind.RATING, MeasureKind.CONFIDENCE):
            return tuple(str(point) for point in range(1, len(self.measure.anchors) + 1))
        if self.measure.kind is MeasureKind.ATTENTION:
            return tuple(option.value for option in self.measure.options)
        return tuple(choice.value for choice in self.measure.choices)


@dataclass(frozen=True, slots=True)
class Answer:
    """One accepted answer, as it is stored."""

    measure: str
    side: str
    value: str


@dataclass(frozen=True, slots=True)
class AnswerSheet:
    """What was sent, read: either every answer, or the problem of each field that has one."""

    answers: tuple[Answer, ...]
    problems: Mapping[str, Problem]


def answer_fields(measures: Sequence[Measure]) -> tuple[AnswerField, ...]:
    """List the form's fields in the order of the measures, ratings once per side."""
    return tuple(_fields(measures))


def answers_keep(
    measures: Sequence[Measure], sent: Mapping[str, str], *, limit: int = DRAFT_LIMIT
) -> dict[str, str]:
    """Keep what belongs to the form and is not empty, unchecked: the content of a draft.

    What is longer than `limit` characters is cut there.
    """
    names = [field.name for field in answer_fields(measures)]
    texts = {name: text_clean(sent.get(name, ""))[:limit] for name in names}
    return {name: text for name, text in texts.items() if text}


def answers_read(measures: Sequence[Measure], sent: Mapping[str, str]) -> AnswerSheet:
    """Check what was sent against the measures. Unknown fields are ignored."""
    answers: list[Answer] = []
    problems: dict[str, Problem] = {}
    for field in answer_fields(measures):
        value = text_clean(sent.get(field.name, ""))
        problem = value_problem(value, offered=field.offered, required=field.measure.required)
        if problem is not None:
            problems[field.name] = problem
        elif value:
            answers.append(Answer(field.measure.key, field.side, value))
    return AnswerSheet(tuple(answers), problems)


def value_problem(value: str, *, offered: Sequence[str], required: bool) -> Problem | None:
    """Say what is wrong with one value, if anything; nothing offered means free text."""
    if not value:
        return Problem.MISSING if required else None
    if offered and value not in offered:
        return Problem.NOT_OFFERED
    return Problem.TOO_LONG if len(value) > TEXT_LIMIT else None


def text_clean(value: str) -> str:
    """Trim, make every line end LF, and replace what no UTF-8 file can hold by U+FFFD."""
    return text_storable(value).replace("\r\n", "\n").replace("\r", "\n").strip()


def _fields(measures: Sequence[Measure]) -> Iterator[AnswerField]:
    for measure in measures:
        if measure.kind is MeasureKind.RATING:
            # A key is a slug, so a full stop keeps "trust.left" apart from every other key.
            yield from (AnswerField(f"{measure.key}.{side}", measure, side) for side in SIDES)
        else:
            yield AnswerField(measure.key, measure)
