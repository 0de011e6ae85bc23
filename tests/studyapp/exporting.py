"""A study in every kind of state that an export may meet, stored row by row from given dice."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from studyapp.domain.randomise import trials_draw
from studyapp.models import (
    Assignment,
    Change,
    Cohort,
    Event,
    EvidenceLink,
    Exposure,
    Participant,
    Response,
    Study,
    Tombstone,
)
from studyapp.selectors.words import cohort_background
from tests.sample_study import THEN, sample_study

MEASURES: Final[list[dict[str, Any]]] = [
    {"key": "trust", "kind": "rating", "question": "How far do you trust this report?",
     "anchors": ["not at all", "a little", "half", "much", "fully"]},
    {"key": "preferred", "kind": "choice", "question": "Which report do you prefer?",
     "choices": ["left", "right", "neither", "both"]},
    {"key": "sure", "kind": "confidence", "question": "How sure are you?",
     "anchors": ["not", "rather", "very"]},
    {"key": "awake", "kind": "attention", "question": "Please tick the second answer.",
     "options": [{"value": "a", "label": "first"}, {"value": "b", "label": "second"}],
     "correct": "b"},
    {"key": "why", "kind": "text", "question": "Why?", "required": False},
]  # fmt: skip
BACKGROUND: Final[list[dict[str, Any]]] = [
    {"key": "age", "question": "How old are you?",
     "options": [{"value": "young", "label": "under 40"}, {"value": "old", "label": "40 or more"}]},
    {"key": "field", "question": "What is your field?",
     "options": [{"value": "-hci", "label": "HCI"}, {"value": "nlp", "label": "NLP"}]},
]  # fmt: skip
EXPERTS: Final[list[dict[str, Any]]] = [
    {"key": "years", "question": "For how many years?",
     "options": [{"value": "5", "label": "5"}, {"value": "10", "label": "10"}]},
]  # fmt: skip
NASTY: Final = (
    '=HYPERLINK("http://x")', "+1", "-1", "@a", "'=quoted", "''--twice", "\uff1d1", 'say "hi", you',
    "two\nlines", "Nəxʷsƛ̕ay̓ 你好 😀 العربية", "NA", "null", " x", "a\u2028b", "\\.", "%s {x}",
    "comma, semicolon; tab\there", "\ufeffmark", "1,5", "\x01control",
)  # fmt: skip


@dataclass
class Expected:
    """What was stored, counted while it was stored: what an export of it must come to."""

    study: Study
    people: dict[str, list[Participant]] = field(default_factory=dict)
    background: int = 0
    answers: int = 0
    trials: int = 0
    withdrawn: int = 0
    withdrawn_complete: int = 0


def study_state(dice: random.Random, *, slug: str = "state", people: int = 8) -> Expected:
    """Store a study with cohorts, dropouts, withdrawals, test participants, readings, changes."""
    study = sample_study(slug=slug, debates=dice.choice((1, 2))).study
    study.measures, study.background = MEASURES, BACKGROUND
    study.kind, study.is_test = "study", False
    study.save()
    cohorts = [
        study.cohorts.get(),
        Cohort.objects.create(
            study=study, name="experts", kind="experts", link_kind="personal", background=EXPERTS,
            time_pressure={"seconds": 180, "at_zero": "record"},
        ),
        Cohort.objects.create(
            study=study, name="-crowd", kind="crowd", link_kind="panel",
            panel={"provider": "prolific", "codes": {
                "complete": "C1", "screened_out": "C2", "failed_attention": "C3",
                "no_consent": "C4"}},
        ),
    ]  # fmt: skip
    expected = Expected(study)
    for number in range(1, people + 1):
        _person_store(expected, dice, dice.choice(cohorts), number)
    return expected


def _person_store(expected: Expected, dice: random.Random, cohort: Cohort, number: int) -> None:
    study = expected.study
    fate = dice.choice(("complete", "complete", "partial", "consent", "withdrawn", "failed"))
    is_test = dice.random() < 0.2
    draw = trials_draw(
        seed=study.seed, cohort=cohort.name, enrolment=number, scenarios=study.scenarios.count()
    )
    keys = list(study.scenarios.values_list("key", flat=True))
    trials: list[dict[str, Any]] = [
        {"scenario": keys[trial.scenario], "treatment_is_left": trial.treatment_is_left}
        for trial in draw
    ]
    began = THEN + timedelta(hours=number, microseconds=dice.randrange(1_000_000))
    if fate == "withdrawn":
        _withdrawn_store(expected, dice, cohort, number, trials, is_test=is_test)
        return
    person = Participant.objects.create(
        study=study,
        cohort=cohort,
        enrolment=number,
        is_test=is_test,
        is_bot=dice.random() < 0.1,
        language=dice.choice(("en", "pl")),
        device=dice.choice(("phone", "desktop")),
        external_id=f"PID-{slug_word(dice)}" if cohort.link_kind == "panel" else "",
        captured={"SESSION_ID": f"SID-{slug_word(dice)}"} if cohort.link_kind == "panel" else {},
        consented_at=began,
    )
    expected.people.setdefault(cohort.name, []).append(person)
    _event(study, person.code, "participant.enrolled", began, trials=trials,
           external_id=person.external_id)  # fmt: skip
    assignments = [
        Assignment.objects.create(
            participant=person,
            scenario=study.scenarios.get(key=trial["scenario"]),
            order=order,
            treatment_is_left=trial["treatment_is_left"],
        )
        for order, trial in enumerate(trials, start=1)
    ]
    expected.trials += len(assignments)
    if fate == "consent":
        return
    _background_store(expected, dice, person, began)
    done = len(assignments) if fate == "complete" else dice.randrange(len(assignments) + 1)
    for assignment in assignments[:done]:
        _trial_store(expected, dice, assignment, began + timedelta(minutes=10 * assignment.order))
    if fate == "complete":
        person.completed_at, person.outcome = began + timedelta(minutes=50), "complete"
        _event(study, person.code, "participant.completed", person.completed_at)
    elif fate == "failed":
        person.outcome = "failed_attention"
    person.save()


def _withdrawn_store(
    expected: Expected,
    dice: random.Random,
    cohort: Cohort,
    number: int,
    trials: list[dict[str, Any]],
    *,
    is_test: bool,
) -> None:
    was_complete = dice.random() < 0.5
    Tombstone.objects.create(
        study=expected.study, cohort=cohort, is_test=is_test, enrolment=number, trials=trials,
        was_complete=was_complete,
    )  # fmt: skip
    kinds = ["participant.enrolled", *(["participant.completed"] if was_complete else [])]
    for kind in kinds:
        Event.objects.create(study=expected.study.slug, kind=kind, is_erased=True, sha256="ab" * 32)
    expected.withdrawn += 1
    expected.withdrawn_complete += was_complete


def _background_store(
    expected: Expected, dice: random.Random, person: Participant, began: datetime
) -> None:
    asked = cohort_background(person.cohort)
    # Stored in another order than asked, as a database may give it back.
    person.background = {
        row["key"]: dice.choice(row["options"])["value"] for row in reversed(asked)
    }
    person.background_at = began + timedelta(minutes=1, microseconds=dice.randrange(1_000_000))
    expected.background += len(asked)


def _trial_store(
    expected: Expected, dice: random.Random, assignment: Assignment, began: datetime
) -> None:
    assignment.trace_opened_at = began
    assignment.pair_opened_at = began + timedelta(minutes=4, microseconds=dice.randrange(10**6))
    assignment.answered_at = began + timedelta(minutes=7)
    assignment.save()
    answers = [
        ("trust", "left", str(dice.randint(1, 5))),
        ("trust", "right", str(dice.randint(1, 5))),
        ("preferred", "", dice.choice(("left", "right", "neither", "both"))),
        ("sure", "", str(dice.randint(1, 3))),
        ("awake", "", dice.choice(("a", "b", "b"))),
    ]
    if dice.random() < 0.7:
        answers.append(("why", "", dice.choice(NASTY)))
    dice.shuffle(answers)
    for measure, side, value in answers:
        Response.objects.create(
            assignment=assignment, measure=measure, side=side, value=value,
            answered_at=assignment.answered_at + timedelta(microseconds=dice.randrange(10**6)),
        )  # fmt: skip
    expected.answers += len(answers)
    _readings_store(dice, assignment, began)


def _readings_store(dice: random.Random, assignment: Assignment, began: datetime) -> None:
    for item in ("page:debate", "page:reports", "left", "right", "T1", "T2"):
        for view in range(dice.randrange(3)):
            Exposure.objects.create(
                assignment=assignment, view=f"v{view}", item=item,
                visible_ms=dice.randrange(90_000), scrolled=dice.randrange(101),
            )  # fmt: skip
    for sequence in range(dice.randrange(3)):
        Change.objects.create(
            assignment=assignment, view="v0", sequence=sequence, value="2", after_ms=100,
            field=dice.choice(("trust.left", "trust.right", "preferred")),
        )  # fmt: skip
    if dice.random() < 0.5:
        EvidenceLink.objects.create(
            assignment=assignment, side="left", address="T1", relation="supports", marked_at=began
        )


def _event(study: Study, participant: str, kind: str, at: datetime, **payload: Any) -> None:
    Event.objects.create(
        study=study.slug, participant=participant, kind=kind, at=at, payload=payload
    )


def slug_word(dice: random.Random) -> str:
    """Return a word that no other text of the study holds."""
    return "".join(dice.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(12))
