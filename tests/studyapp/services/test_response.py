"""Steps are taken in order, and answers are stored once, complete, or not at all."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction

from studyapp.errors import (
    AlreadyAnsweredError,
    AnswerError,
    FrozenError,
    StepOrderError,
    StudyNotOpenError,
    UnknownLinkError,
)
from studyapp.models import Assignment, Draft, Event, Participant, Response, Study
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.response import (
    background_record,
    draft_save,
    pair_open,
    response_record,
    trial_open,
)
from tests.parallel import at_once
from tests.sample_study import THEN, SampleStudy, sample_study

BACKGROUND = {"age_group": "25-34", "field": "computing", "llm_literacy": "regular"}
ANSWERS = {
    "act_on": "left",
    "faithful": "both",
    "fluent": "right",
    "trust.left": "5",
    "trust.right": "1",
    "fluency.left": "3",
    "fluency.right": "4",
    "comment": "  Two lines\r\nof text ",
}
LATER = THEN + timedelta(minutes=5)


class Taken:
    """A participant who has come as far as the first pair."""

    def __init__(self, study: SampleStudy) -> None:
        self.person = participant_enrol(
            cohort_token=study.cohort.token, visit="one", newcomer=Newcomer(), now=THEN
        )
        self.token = self.person.token
        self.trials = list(self.person.assignments.order_by("order"))

    def to_pair(self, trial: int = 0) -> Taken:
        if trial == 0:
            background_record(participant=self.token, sent=BACKGROUND, now=THEN)
        trial_open(**self.at(trial), now=THEN)
        pair_open(**self.at(trial), now=THEN)
        return self

    def at(self, trial: int = 0) -> dict[str, str]:
        return {"participant": self.token, "trial": self.trials[trial].token}

    def answer(self, trial: int = 0, **changes: str) -> None:
        self.send({**ANSWERS, **changes}, trial)

    def send(self, answers: dict[str, str], trial: int = 0) -> None:
        response_record(**self.at(trial), sent=answers, now=LATER)


@pytest.fixture
def taken(db: None) -> Taken:
    return Taken(sample_study())


def test_every_answer_is_stored_with_its_side_and_time(taken: Taken) -> None:
    taken.to_pair().answer()
    rows = Response.objects.filter(assignment=taken.trials[0])
    assert {(row.measure, row.side): row.value for row in rows} == {
        ("act_on", ""): "left",
        ("faithful", ""): "both",
        ("fluent", ""): "right",
        ("trust", "left"): "5",
        ("trust", "right"): "1",
        ("fluency", "left"): "3",
        ("fluency", "right"): "4",
        ("comment", ""): "Two lines\nof text",
    }
    assert {row.answered_at for row in rows} == {LATER}
    assert Assignment.objects.get(pk=taken.trials[0].pk).answered_at == LATER


def test_an_optional_text_may_stay_empty(taken: Taken) -> None:
    taken.to_pair().answer(comment="   ")
    assert not Response.objects.filter(measure="comment").exists()
    assert Response.objects.count() == 7


def test_it_refuses_a_second_answer_to_the_same_pair(taken: Taken) -> None:
    taken.to_pair().answer()
    with pytest.raises(AlreadyAnsweredError):
        taken.answer(act_on="right")
    assert Response.objects.get(measure="act_on").value == "left"
    assert Response.objects.count() == 8


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("act_on", "", "no answer"),
        ("act_on", "both", "not one of the offered answers"),
        ("act_on", "apg", "not one of the offered answers"),
        ("trust.left", "6", "not one of the offered answers"),
        ("trust.left", "0", "not one of the offered answers"),
        ("trust.left", "4.5", "not one of the offered answers"),
        ("fluent", "neither", "not one of the offered answers"),
        ("comment", "x" * 4001, "longer than 4000 characters"),
    ],
)
def test_one_bad_answer_stores_none(taken: Taken, field: str, value: str, problem: str) -> None:
    taken.to_pair()
    with pytest.raises(AnswerError) as refused:
        taken.send({**ANSWERS, field: value})
    assert refused.value.problems == {field: problem}
    assert Response.objects.count() == 0
    assert Assignment.objects.filter(answered_at__isnull=False).count() == 0


def test_the_last_answer_completes_the_participation(taken: Taken) -> None:
    taken.to_pair().answer()
    assert Participant.objects.get().completed_at is None
    taken.to_pair(1).answer(1)
    assert Participant.objects.get().completed_at == LATER
    kinds = list(Event.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == [
        "participant.enrolled",
        "background.recorded",
        *["trace.opened", "pair.opened", "response.recorded"] * 2,
        "participant.completed",
    ]


def test_background_comes_first(taken: Taken) -> None:
    with pytest.raises(StepOrderError):
        trial_open(**taken.at(), now=THEN)


def test_the_pair_waits_for_the_debate(taken: Taken) -> None:
    background_record(participant=taken.token, sent=BACKGROUND, now=THEN)
    with pytest.raises(StepOrderError):
        pair_open(**taken.at(), now=THEN)
    with pytest.raises(StepOrderError):
        taken.answer()
    with pytest.raises(StepOrderError):
        draft_save(**taken.at(), sent=ANSWERS, now=THEN)


def test_the_second_trial_waits_for_the_first(taken: Taken) -> None:
    taken.to_pair()
    with pytest.raises(StepOrderError):
        trial_open(**taken.at(1), now=THEN)


def test_the_first_opening_counts(taken: Taken) -> None:
    taken.to_pair()
    trial_open(**taken.at(), now=LATER)
    pair_open(**taken.at(), now=LATER)
    trial = Assignment.objects.get(pk=taken.trials[0].pk)
    assert (trial.trace_opened_at, trial.pair_opened_at) == (THEN, THEN)


def test_background_is_stored_once(taken: Taken) -> None:
    background_record(participant=taken.token, sent={**BACKGROUND, "extra": "x"}, now=THEN)
    with pytest.raises(AlreadyAnsweredError):
        background_record(participant=taken.token, sent=BACKGROUND, now=LATER)
    person = Participant.objects.get()
    assert (person.background, person.background_at) == (BACKGROUND, THEN)


def test_background_that_was_not_offered_is_refused(taken: Taken) -> None:
    with pytest.raises(AnswerError) as refused:
        background_record(
            participant=taken.token, sent={**BACKGROUND, "field": "sorcery"}, now=THEN
        )
    assert refused.value.problems == {"field": "not one of the offered answers"}
    assert Participant.objects.get().background is None


def test_a_draft_keeps_what_was_entered_and_nothing_else(taken: Taken) -> None:
    taken.to_pair()
    draft_save(**taken.at(), sent={"act_on": "left", "arm": "x", "fluent": ""}, now=THEN)
    draft_save(**taken.at(), sent={"act_on": "right", "trust.left": "2"}, now=LATER)
    draft = Draft.objects.get()
    assert draft.answers == {"act_on": "right", "trust.left": "2"}
    assert draft.saved_at == LATER
    assert Response.objects.count() == 0


def test_submitting_ends_the_draft_and_a_late_one_is_refused(taken: Taken) -> None:
    taken.to_pair()
    draft_save(**taken.at(), sent={"act_on": "left"}, now=THEN)
    taken.answer()
    with pytest.raises(AlreadyAnsweredError):
        draft_save(**taken.at(), sent={"act_on": "left"}, now=LATER)
    assert Draft.objects.count() == 0


def test_what_no_file_can_hold_is_replaced_with_a_warning(
    taken: Taken, caplog: pytest.LogCaptureFixture
) -> None:
    taken.to_pair().answer(comment="a\x00b\ud800c\rd")
    assert Response.objects.get(measure="comment").value == "a\ufffdb\ufffdc\nd"
    assert "2 characters that no UTF-8 file can hold became U+FFFD" in caplog.text


def test_somebody_elses_trial_is_an_unknown_link(taken: Taken) -> None:
    taken.to_pair()
    with pytest.raises(UnknownLinkError):
        trial_open(participant="somebody", trial=taken.trials[0].token, now=THEN)
    with pytest.raises(UnknownLinkError):
        background_record(participant="somebody", sent=BACKGROUND, now=THEN)


def test_a_pause_lets_those_finish_who_have_begun(taken: Taken) -> None:
    taken.to_pair()
    Study.objects.update(state="paused")
    taken.answer()
    assert Response.objects.count() == 8


def test_a_closed_study_takes_no_answers(taken: Taken) -> None:
    taken.to_pair()
    Study.objects.update(state="closed")
    with pytest.raises(StudyNotOpenError):
        taken.answer()
    assert Response.objects.count() == 0


def test_a_stored_answer_cannot_be_changed(taken: Taken) -> None:
    taken.to_pair().answer()
    row = Response.objects.get(measure="act_on")
    row.value = "right"
    with pytest.raises(FrozenError):
        row.save()


def test_the_database_itself_refuses_a_second_value(taken: Taken) -> None:
    taken.to_pair().answer()
    row = Response.objects.get(measure="act_on")
    with pytest.raises(IntegrityError), transaction.atomic():
        Response.objects.create(
            assignment=row.assignment, measure="act_on", value="right", answered_at=LATER
        )


@pytest.mark.slow
def test_ten_submissions_at_once_store_one(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip(
            "needs PostgreSQL: threads cannot share an in-memory SQLite; unset DATABASE_URL"
        )
    taken = Taken(sample_study()).to_pair()

    def submit(choice: str) -> str:
        try:
            taken.answer(act_on=choice)
        except AlreadyAnsweredError:
            return ""
        return choice

    jobs = [partial(submit, choice) for choice in ["left", "right"] * 5]
    winners = [choice for choice in at_once(jobs) if choice]
    assert len(winners) == 1
    assert Response.objects.get(measure="act_on").value == winners[0]
    assert Response.objects.count() == 8
    assert Event.objects.filter(kind="response.recorded").count() == 1
