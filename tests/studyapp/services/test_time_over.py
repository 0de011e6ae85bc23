"""Time pressure and attention: what the server takes, refuses, keeps and ends."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from studyapp.errors import (
    AlreadyAnsweredError,
    StepOrderError,
    TakingPartEndedError,
    TimeOverError,
)
from studyapp.models import Assignment, Cohort, Draft, Event, Participant, Place, Response, Study
from studyapp.services.response import (
    draft_save,
    pair_open,
    response_record,
    trial_expire,
    trial_open,
)
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import person_enrolled
from tests.studyapp.services.test_paradata import FULL

OPENED = THEN + timedelta(hours=1)
CHECK: dict[str, Any] = {
    "key": "careful",
    "kind": "attention",
    "question": "Choose the second answer.",
    "options": [{"value": "a", "label": "First"}, {"value": "b", "label": "Second"}],
    "correct": "b",
}


class Hurried:
    """Somebody who opened the first debate at OPENED, in a cohort with 100 seconds a trial."""

    def __init__(self, at_zero: str, *, opens_pair: bool = True) -> None:
        self.sample = sample_study()
        Cohort.objects.update(time_pressure={"seconds": 100, "at_zero": at_zero})
        self.person = person_enrolled(self.sample, number=0)
        self.trial = self.person.assignments.earliest("order")
        self.ids = {"participant": self.person.token, "trial": self.trial.token}
        trial_open(**self.ids, now=OPENED)
        if opens_pair:
            pair_open(**self.ids, now=OPENED)

    def stored(self) -> Assignment:
        return Assignment.objects.get(pk=self.trial.pk)


def after(seconds: int) -> Any:
    return OPENED + timedelta(seconds=seconds)


@pytest.mark.django_db
@pytest.mark.parametrize("at_zero", ["record", "warn"])
def test_late_answers_are_taken_and_noted(at_zero: str) -> None:
    hurried = Hurried(at_zero)
    response_record(**hurried.ids, sent=FULL, now=after(101))
    assert hurried.stored().timed_out
    assert Response.objects.count() == 7


@pytest.mark.django_db
@pytest.mark.parametrize("at_zero", ["record", "warn", "lock"])
def test_answers_in_time_are_not_noted(at_zero: str) -> None:
    hurried = Hurried(at_zero)
    response_record(**hurried.ids, sent=FULL, now=after(100))
    assert not hurried.stored().timed_out


@pytest.mark.django_db
def test_a_lock_takes_what_was_on_its_way_and_nothing_later() -> None:
    hurried = Hurried("lock")
    draft_save(**hurried.ids, sent={"act_on": "left"}, now=after(102))
    for refused in (draft_save, response_record):
        with pytest.raises(TimeOverError):
            refused(**hurried.ids, sent={**FULL, "act_on": "right"}, now=after(104))
    assert Draft.objects.get().answers == {"act_on": "left"}
    assert Response.objects.count() == 0


@pytest.mark.django_db
def test_a_whole_draft_becomes_the_answers_at_the_moment_of_the_end() -> None:
    hurried = Hurried("lock")
    draft_save(**hurried.ids, sent=FULL, now=after(90))
    trial_expire(**hurried.ids, now=after(500))
    assert hurried.stored().timed_out
    assert hurried.stored().answered_at == after(100)
    assert {row.answered_at for row in Response.objects.all()} == {after(100)}
    assert Response.objects.count() == 7
    assert Draft.objects.count() == 0


@pytest.mark.django_db
def test_a_text_over_the_limit_stays_whole_in_the_draft_and_is_cut_at_the_end() -> None:
    hurried = Hurried("lock")
    draft_save(**hurried.ids, sent={**FULL, "comment": "x" * 5000}, now=after(40))
    assert len(Draft.objects.get().answers["comment"]) == 5000
    trial_expire(**hurried.ids, now=after(101))
    assert len(Response.objects.get(measure="comment").value) == 4000


@pytest.mark.django_db
def test_what_was_answered_by_then_is_stored_though_required_answers_are_missing() -> None:
    hurried = Hurried("lock")
    draft_save(**hurried.ids, sent={"act_on": "left", "comment": "Half a"}, now=after(90))
    trial_expire(**hurried.ids, now=after(101))
    assert hurried.stored().timed_out
    given = dict(Response.objects.values_list("measure", "value"))
    assert given == {"act_on": "left", "comment": "Half a"}
    assert Draft.objects.count() == 0
    assert Event.objects.get(kind="trial.timed_out").payload == {"order": 1, "stored": 2}


@pytest.mark.django_db
def test_a_debate_that_took_all_the_time_ends_without_a_pair() -> None:
    hurried = Hurried("lock", opens_pair=False)
    with pytest.raises(TimeOverError):
        pair_open(**hurried.ids, now=after(104))
    trial_expire(**hurried.ids, now=after(104))
    stored = hurried.stored()
    assert (stored.timed_out, stored.pair_opened_at) == (True, None)
    second = hurried.person.assignments.get(order=2)
    trial_open(participant=hurried.person.token, trial=second.token, now=after(110))


@pytest.mark.django_db
def test_no_trial_ends_early_or_twice_or_without_a_lock() -> None:
    hurried = Hurried("lock")
    with pytest.raises(StepOrderError):
        trial_expire(**hurried.ids, now=after(90))
    trial_expire(**hurried.ids, now=after(99))  # a browser's clock may be a little early
    with pytest.raises(AlreadyAnsweredError):
        trial_expire(**hurried.ids, now=after(120))
    Cohort.objects.update(time_pressure={"seconds": 100, "at_zero": "warn"})
    with pytest.raises(StepOrderError):
        trial_expire(**hurried.ids, now=after(120))


@pytest.fixture
def checked(db: None) -> SampleStudy:
    sample = sample_study()
    Study.objects.update(measures=[*sample.study.measures, CHECK], rules={"attention_failures": 1})
    sample.study.refresh_from_db()
    return sample


def answer_first(sample: SampleStudy, careful: str) -> Participant:
    person = person_enrolled(sample, number=0)
    trial = person.assignments.earliest("order")
    ids = {"participant": person.token, "trial": trial.token}
    trial_open(**ids, now=OPENED)
    pair_open(**ids, now=OPENED)
    response_record(**ids, sent={**FULL, "careful": careful}, now=after(60))
    return Participant.objects.get(pk=person.pk)


def test_a_passed_check_lets_go_on(checked: SampleStudy) -> None:
    assert answer_first(checked, "b").outcome == "in_progress"


def test_too_many_failed_checks_end_taking_part_and_free_the_place(checked: SampleStudy) -> None:
    person = answer_first(checked, "a")
    assert person.outcome == "failed_attention"
    assert person.completed_at is None
    assert Place.objects.get().participant is None
    assert Response.objects.get(measure="careful").value == "a"
    second = person.assignments.get(order=2)
    with pytest.raises(TakingPartEndedError):
        trial_open(participant=person.token, trial=second.token, now=after(90))


def test_a_study_may_count_failures_without_ending(checked: SampleStudy) -> None:
    Study.objects.update(rules={})
    checked.study.refresh_from_db()
    assert answer_first(checked, "a").outcome == "in_progress"


def test_a_study_may_allow_one_failure(checked: SampleStudy) -> None:
    Study.objects.update(rules={"attention_failures": 2})
    person = answer_first(checked, "a")
    assert person.outcome == "in_progress"
    second = person.assignments.get(order=2)
    ids = {"participant": person.token, "trial": second.token}
    trial_open(**ids, now=after(100))
    pair_open(**ids, now=after(100))
    response_record(**ids, sent={**FULL, "careful": "a"}, now=after(160))
    person.refresh_from_db()
    # Failing on the last page ends it as well: it is not completed.
    assert (person.outcome, person.completed_at) == ("failed_attention", None)
