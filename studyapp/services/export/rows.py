"""A study's answers in the order of the bundle: here positions become arms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final

from studyapp.domain.measures import Measure, measures_load
from studyapp.models import Participant, Study
from studyapp.seams import analysis, engine

_CHUNK: Final = 2000
_FIELDS: Final = (
    "code",
    "cohort__name",
    "language",
    "is_test",
    "is_bot",
    "background",
    "consented_at",
    "background_at",
    "completed_at",
    "assignments__scenario__key",
    "assignments__order",
    "assignments__treatment_is_left",
    "assignments__pair_opened_at",
    "assignments__responses__measure",
    "assignments__responses__side",
    "assignments__responses__value",
    "assignments__responses__answered_at",
)


@dataclass(slots=True)
class Counts:
    """What was met on the way through the answers."""

    consented: int = 0
    background: int = 0
    complete: int = 0
    latest: datetime | None = None

    def note(self, *moments: datetime | None) -> None:
        """Keep the latest moment: it dates the state of the data."""
        known = [moment for moment in (self.latest, *moments) if moment is not None]
        self.latest = max(known, default=None)

    def as_dict(self) -> dict[str, int]:
        """Return the counts as the manifest holds them."""
        return {
            "consented": self.consented,
            "background": self.background,
            "complete": self.complete,
        }


@dataclass(frozen=True, slots=True)
class StudyHead:
    """What all rows of a study share."""

    slug: str
    design_hash: str
    reference_arm: str
    treatment_arm: str
    measures: Mapping[str, Measure]
    modes: Mapping[str, str]

    @property
    def mode(self) -> str:
        """`offline` where any text was written by an offline model."""
        return engine.OFFLINE if engine.OFFLINE in self.modes.values() else engine.LIVE

    def arm_at(self, *, left: bool, treatment_is_left: bool) -> str:
        """Name the arm that stood at a position."""
        return self.treatment_arm if left == treatment_is_left else self.reference_arm


def study_head(study: Study) -> StudyHead:
    """Read once what all rows share."""
    scenarios = study.scenarios.filter(pair__isnull=False).values_list("key", "pair__manifest")
    return StudyHead(
        slug=study.slug,
        design_hash=study.design_sha256,
        reference_arm=study.reference_arm,
        treatment_arm=study.treatment_arm,
        measures={measure.key: measure for measure in measures_load(study.measures)},
        modes={key: manifest["models"]["mode"] for key, manifest in scenarios},
    )


def people_rows(
    study: Study, head: StudyHead, counts: Counts, *, include_test: bool
) -> Iterator[list[analysis.LongRow]]:
    """Yield the answers of one participant after the other, in the order of enrolment.

    One statement reads everything, so the rows are one moment's state while people go on
    answering; a cursor keeps memory constant.
    """
    people = Participant.objects.filter(study=study)
    if not include_test:
        people = people.filter(is_test=False)
    order = ("pk", "assignments__order", "assignments__responses__pk")
    records = people.order_by(*order).values_list(*_FIELDS, named=True)
    for _, group in groupby(records.iterator(chunk_size=_CHUNK), key=lambda record: record.code):
        answers = list(group)
        _count(counts, answers)
        yield _person_rows(answers, head)


def _count(counts: Counts, answers: Sequence[Any]) -> None:
    person = answers[0]
    counts.consented += 1
    counts.background += person.background_at is not None
    counts.complete += person.completed_at is not None
    counts.note(person.consented_at, person.background_at, person.completed_at)
    counts.note(*(answer.assignments__responses__answered_at for answer in answers))


def _person_rows(answers: Sequence[Any], head: StudyHead) -> list[analysis.LongRow]:
    places = {key: place for place, key in enumerate(head.measures)}
    given = [answer for answer in answers if answer.assignments__responses__measure is not None]
    given.sort(
        key=lambda answer: (
            answer.assignments__order,
            places[answer.assignments__responses__measure],
            answer.assignments__responses__side,
        )
    )
    rows = [*_background_rows(answers[0], head)]
    return rows + [_answer_row(answer, head) for answer in given]


def _background_rows(person: Any, head: StudyHead) -> Iterator[analysis.LongRow]:
    for key, value in (person.background or {}).items():
        yield analysis.LongRow(
            **_person_cells(person, head),
            scenario="",
            trial_order=None,
            measure=f"{analysis.BACKGROUND_PREFIX}{key}",
            kind=analysis.BACKGROUND,
            arm="",
            position="",
            value=str(value),
            left_arm="",
            presented_at="",
            answered_at=_iso(person.background_at),
            models=head.mode,
        )


def _answer_row(answer: Any, head: StudyHead) -> analysis.LongRow:
    measure = head.measures[answer.assignments__responses__measure]
    side = answer.assignments__responses__side
    swap = answer.assignments__treatment_is_left
    return analysis.LongRow(
        **_person_cells(answer, head),
        scenario=answer.assignments__scenario__key,
        trial_order=answer.assignments__order,
        measure=measure.key,
        kind=measure.kind.value,
        arm=head.arm_at(left=side == "left", treatment_is_left=swap) if side else "",
        position=side,
        value=_value(answer, measure, head),
        left_arm=head.arm_at(left=True, treatment_is_left=swap),
        presented_at=_iso(answer.assignments__pair_opened_at),
        answered_at=_iso(answer.assignments__responses__answered_at),
        models=head.modes[answer.assignments__scenario__key],
    )


def _person_cells(person: Any, head: StudyHead) -> dict[str, Any]:
    return {
        "study": head.slug,
        "design_hash": head.design_hash,
        "participant_id": person.code,
        "cohort": person.cohort__name,
        "language": person.language,
        "status": "complete" if person.completed_at else "partial",
        "is_test": person.is_test,
        "is_bot": person.is_bot,
    }


def _value(answer: Any, measure: Measure, head: StudyHead) -> int | str:
    value: str = answer.assignments__responses__value
    if measure.kind == analysis.RATING:
        return int(value)
    if measure.kind == analysis.CHOICE and value in ("left", "right"):
        swap = answer.assignments__treatment_is_left
        return head.arm_at(left=value == "left", treatment_is_left=swap)
    return value


def _iso(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).isoformat(timespec="milliseconds")
