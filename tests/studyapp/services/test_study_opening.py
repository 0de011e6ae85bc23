"""Studies open when they are whole, and are frozen from then on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest

from studyapp.errors import (
    IllegalMoveError,
    NoContrastError,
    StudyAppError,
    StudyNotReadyError,
)
from studyapp.models import (
    Cohort,
    Event,
    StimulusPair,
    Study,
    StudyState,
)
from studyapp.services.study import (
    scenario_remove,
    study_close,
    study_open,
    study_pause,
)
from tests.sample_study import sample_study
from tests.studyapp.debates import START
from tests.studyapp.lab import member_of
from tests.studyapp.racing import at_once
from tests.studyapp.services.studies import (
    LATER,
    study_opened,
    study_stored,
    study_with_texts,
)

pytestmark = pytest.mark.django_db


class TestOpening:
    def test_a_whole_study_opens_and_its_design_gets_a_hash(self) -> None:
        study = study_opened()

        assert study.state == StudyState.OPEN
        assert len(study.design_sha256) == 64
        assert study.opened_at == LATER

    def test_the_hash_covers_texts_questions_pairs_and_seed(self) -> None:
        hashes = {_hash_after(slug, change) for slug, change in _CHANGES.items()}

        assert len(hashes) == len(_CHANGES)

    def test_what_is_missing_is_listed(self) -> None:
        study = study_stored(texts={}, measures=[])

        with pytest.raises(StudyNotReadyError) as refusal:
            study_open(study_id=study.pk, actor_id=None, now=LATER)

        assert len(refusal.value.problems) == 3
        assert "First has no texts yet." in refusal.value.problems
        study.refresh_from_db()
        assert (study.state, study.design_sha256) == (StudyState.DRAFT, "")

    def test_a_study_without_scenarios_does_not_open(self) -> None:
        study = study_stored(scenarios=[])

        with pytest.raises(StudyNotReadyError, match="no scenario"):
            study_open(study_id=study.pk, actor_id=None, now=LATER)

    def test_a_scenario_without_contrast_keeps_the_study_shut(self) -> None:
        study = study_with_texts()
        StimulusPair.objects.filter(scenarios__key="two").update(has_contrast=False)

        with pytest.raises(NoContrastError, match="Second"):
            study_open(study_id=study.pk, actor_id=None, now=LATER)

        assert Study.objects.get().state == StudyState.DRAFT
        scenario_remove(study_id=study.pk, key="two", actor_id=None, now=LATER)
        assert study_open(study_id=study.pk, actor_id=None, now=LATER).state == StudyState.OPEN

    @pytest.mark.parametrize(
        ("pressure", "rules", "is_refused"),
        [
            ({"seconds": 50, "turn_seconds": 10}, {}, True),
            ({"seconds": 51, "turn_seconds": 10}, {}, False),
            ({"seconds": 60}, {"debate_seconds": 40, "reports_seconds": 20}, True),
            ({"seconds": 61}, {"debate_seconds": 40, "reports_seconds": 20}, False),
            ({"seconds": 30, "turn_seconds": 10, "at_zero": "warn"}, {}, False),
            ({"turn_seconds": 10}, {}, False),
        ],
    )
    def test_a_lock_before_anybody_could_answer_is_refused(
        self, pressure: dict[str, Any], rules: dict[str, Any], is_refused: bool
    ) -> None:
        study = sample_study(state="draft").study
        Study.objects.update(rules=rules)
        Cohort.objects.update(time_pressure={"at_zero": "lock", **pressure})
        problems: list[str] = []
        try:
            study_open(study_id=study.pk, actor_id=None, now=LATER)
        except StudyNotReadyError as refusal:
            problems = list(refusal.problems)
        assert any("nobody could answer" in problem for problem in problems) is is_refused

    def test_a_paused_study_opens_again_with_the_same_design(self) -> None:
        study = study_opened()

        study_pause(study_id=study.pk, actor_id=None, now=LATER)
        again = study_open(study_id=study.pk, actor_id=None, now=LATER + timedelta(hours=1))

        assert again.state == StudyState.OPEN
        assert (again.design_sha256, again.opened_at) == (study.design_sha256, study.opened_at)

    @pytest.mark.parametrize(
        ("state", "move"),
        [
            ("draft", study_pause),
            ("draft", study_close),
            ("open", study_open),
            ("paused", study_pause),
            ("closed", study_open),
            ("closed", study_pause),
            ("closed", study_close),
        ],
    )
    def test_a_move_that_the_table_does_not_hold_is_refused(
        self, state: str, move: Callable[..., Study]
    ) -> None:
        study = sample_study(state=state).study
        Study.objects.filter(pk=study.pk).exclude(state="draft").update(opened_at=START)

        with pytest.raises(IllegalMoveError, match=f"is {state}"):
            move(study_id=study.pk, actor_id=None, now=LATER)

        study.refresh_from_db()
        assert study.state == state

    def test_every_move_is_logged_with_actor_and_state_before(self) -> None:
        study = study_with_texts()
        actor = member_of(study).pk
        for move in (study_open, study_pause, study_close):
            move(study_id=study.pk, actor_id=actor, now=LATER)

        moves = Event.objects.filter(
            kind__in=("study.open", "study.paused", "study.closed")
        ).order_by("pk")
        assert [(row.kind, row.payload["before"]) for row in moves] == [
            ("study.open", "draft"),
            ("study.paused", "open"),
            ("study.closed", "paused"),
        ]
        assert {row.payload["actor"] for row in moves} == {"ada"}


@pytest.mark.django_db(transaction=True)
def test_of_two_who_open_at_once_one_is_refused() -> None:
    study = study_with_texts()
    outcomes: list[str] = []

    def open_it() -> None:
        try:
            study_open(study_id=study.pk, actor_id=None, now=LATER)
        except StudyAppError as error:
            outcomes.append(type(error).__name__)
        else:
            outcomes.append("opened")

    at_once([open_it, open_it])

    assert sorted(outcomes) == ["IllegalMoveError", "opened"]
    assert Event.objects.filter(kind="study.open").count() == 1


_CHANGES: Mapping[str, dict[str, Any]] = {
    "same": {},
    "seed": {"seed": 2},
    "title": {"title": "Another"},
    "cohort": {"cohorts": [{"name": "open", "quota": 5}]},
    "plan": {"plan": {"equivalence_bound": 0.4}},
}


def _hash_after(slug: str, change: dict[str, Any]) -> str:
    study = study_with_texts(slug="views", **change)
    opened = study_open(study_id=study.pk, actor_id=None, now=LATER)
    Study.objects.filter(pk=study.pk).update(slug=f"done-{slug}")
    return opened.design_sha256
