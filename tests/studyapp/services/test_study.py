"""Studies: built from a definition, given texts, opened when whole, frozen from then on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from studyapp.errors import (
    DefinitionError,
    FrozenError,
    IllegalMoveError,
    NoContrastError,
    StudyAppError,
    StudyExistsError,
    StudyNotReadyError,
    TraceRefusedError,
)
from studyapp.models import (
    DebateTrace,
    Event,
    GenerationRun,
    Scenario,
    StimulusPair,
    Study,
    StudyState,
)
from studyapp.seams.engine import config_preset
from studyapp.services.generation import run_execute
from studyapp.services.study import (
    UploadedFile,
    debates_add,
    generation_cancel,
    generation_retry,
    scenario_add,
    scenario_remove,
    study_build,
    study_close,
    study_create,
    study_generate,
    study_load,
    study_open,
    study_pause,
    study_upload,
    texts_generate,
)
from tests.sample_study import DEMO, sample_study
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock, WorkerKilled, trace_stored
from tests.studyapp.lab import member_of
from tests.studyapp.racing import at_once

pytestmark = pytest.mark.django_db

_LATER = START + timedelta(hours=2)


class TestLoading:
    def test_the_demo_study_s_file_loads_and_is_marked_as_test_data(self) -> None:
        study = study_load(path=DEMO, seed=5, owner_id=None, now=START)

        assert (study.slug, study.kind, study.is_test) == ("demo", "demo", True)
        assert study.scenarios.count() == 2
        assert study.state == StudyState.DRAFT

    def test_loading_it_twice_changes_nothing(self) -> None:
        first = study_load(path=DEMO, seed=5, owner_id=None, now=START)
        second = study_load(path=DEMO, seed=5, owner_id=None, now=_LATER)

        assert first.pk == second.pk
        assert (Study.objects.count(), Scenario.objects.count()) == (1, 2)
        assert Event.objects.filter(kind="study.created").count() == 1

    def test_a_different_design_under_the_same_slug_is_refused_and_told_apart(self) -> None:
        _created()

        with pytest.raises(StudyExistsError, match="title, seed"):
            _created(title="Another title", seed=99)

        assert Study.objects.get().title == "Two views"

    @pytest.mark.parametrize(
        ("change", "place"),
        [
            ({"version": 2}, "version"),
            ({"format": "other"}, "format"),
            ({"slug": "Not A Slug"}, "slug"),
            ({"slug": None}, "slug"),
            ({"title": " "}, "title"),
            ({"kind": "replica"}, "kind"),
            ({"seed": "7"}, "seed"),
            ({"seed": True}, "seed"),
            ({"arms": {"reference": "a", "treatment": "a"}}, "arms"),
            ({"arms": {"reference": "both", "treatment": "a"}}, "arms"),
            ({"cohorts": []}, "cohorts"),
            ({"cohorts": [{"name": "a", "quota": 0}]}, "quota"),
            ({"scenarios": "none"}, "scenarios"),
            ({"measures": [{"key": "x", "kind": "essay"}]}, "questions"),
            ({"texts": {"title": ""}}, "texts"),
            ({"test": "yes"}, "test"),
        ],
    )
    def test_a_definition_that_cannot_be_read_names_the_place(
        self, change: dict[str, Any], place: str
    ) -> None:
        with pytest.raises(DefinitionError, match=place) as refusal:
            _created(**change)

        assert "allowed" in str(refusal.value)
        assert not Study.objects.exists()

    def test_a_definition_that_names_a_missing_file_stores_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "study.json").write_text(json.dumps(_definition()), encoding="utf-8")

        with pytest.raises(DefinitionError, match=r"study\.json: agrees\.json"):
            study_load(path=tmp_path / "study.json", seed=5, owner_id=None, now=START)

        assert not DebateTrace.objects.exists()

    def test_one_bad_debate_among_good_ones_stores_nothing(self) -> None:
        files = [_upload(AGREES), UploadedFile("broken.json", b'{"turns": [')]

        with pytest.raises(TraceRefusedError, match=r"broken\.json"):
            study_build(title="T", debates=files, seed=1, owner_id=_user(), now=START)

        assert not DebateTrace.objects.exists()
        assert not Study.objects.exists()

    def test_a_study_built_from_debates_is_a_test_study_with_the_demo_questions(self) -> None:
        study = study_build(
            title="My first study", debates=[_upload(AGREES)], seed=1, owner_id=_user(), now=START
        )

        assert (study.slug, study.is_test, study.kind) == ("my-first-study", True, "study")
        assert study.measures

    def test_two_studies_of_one_title_get_two_slugs(self) -> None:
        slugs = [
            study_build(
                title="Same", debates=[_upload(AGREES)], seed=1, owner_id=None, now=START
            ).slug
            for _ in range(3)
        ]

        assert slugs == ["same", "same-2", "same-3"]

    def test_an_uploaded_definition_finds_its_debates_by_name(self) -> None:
        definition = UploadedFile("study.json", json.dumps(_definition()).encode())
        debates = [UploadedFile("agrees.json", AGREES.read_bytes()), _deadlock()]

        study = study_upload(
            definition=definition, debates=debates, seed=5, owner_id=_user(), now=START
        )

        assert [row.key for row in study.scenarios.all()] == ["one", "two"]

    def test_an_uploaded_definition_cannot_take_an_existing_study_s_slug(self) -> None:
        _created()
        definition = UploadedFile("study.json", json.dumps(_definition()).encode())

        with pytest.raises(StudyExistsError, match="taken"):
            study_upload(
                definition=definition, debates=[_deadlock()], seed=5, owner_id=_user(), now=START
            )

    def test_an_uploaded_definition_without_its_debate_is_refused(self) -> None:
        definition = UploadedFile("study.json", json.dumps(_definition()).encode())

        with pytest.raises(DefinitionError, match=r"agrees\.json"):
            study_upload(
                definition=definition, debates=[_deadlock()], seed=5, owner_id=_user(), now=START
            )

        assert not DebateTrace.objects.exists()


class TestScenarios:
    def test_debates_are_added_and_taken_out_before_the_first_opening(self) -> None:
        study = _created()

        added = debates_add(
            study_id=study.pk, debates=[_deadlock()], actor_id=member_of(study).pk, now=START
        )
        scenario_remove(study_id=study.pk, key="one", actor_id=None, now=START)

        assert [row.key for row in study.scenarios.all()] == ["two", added[0].key]

    def test_after_the_first_opening_the_design_is_frozen(self) -> None:
        study = _opened()
        study_pause(study_id=study.pk, actor_id=None, now=_LATER)
        attempts: list[Callable[[], object]] = [
            lambda: scenario_add(
                study_id=study.pk, trace_id=1, title="x", actor_id=None, now=_LATER
            ),
            lambda: scenario_remove(study_id=study.pk, key="one", actor_id=None, now=_LATER),
            lambda: study_generate(
                study_id=study.pk, config=config_preset("offline"), actor_id=None, now=_LATER
            ),
        ]

        for attempt in attempts:
            with pytest.raises(FrozenError, match="frozen"):
                attempt()


class TestTexts:
    def test_each_scenario_gets_one_run_however_often_it_is_asked_for(self) -> None:
        study = _created()

        assert len(_generate(study)) == 2
        assert _generate(study) == []
        assert GenerationRun.objects.count() == 2

    def test_the_pair_reaches_the_scenario(self) -> None:
        study = _with_texts()

        pairs = [scenario.pair for scenario in study.scenarios.select_related("pair")]
        outcomes = [pair.manifest["outcome"] for pair in pairs if pair]
        assert outcomes == ["synthesis", "divergence"]

    def test_a_worker_that_dies_before_the_freezing_is_followed_by_one_that_does_it(self) -> None:
        study = _created()
        run_id = _generate(study)[0]
        run_execute(run_id=run_id, now=Clock(), environment={})

        texts_generate(run_id=run_id, now=Clock(), environment={})
        texts_generate(run_id=run_id, now=Clock(), environment={})

        assert StimulusPair.objects.count() == 1
        assert study.scenarios.get(key="one").pair is not None

    def test_a_worker_that_dies_while_freezing_is_followed_too(self) -> None:
        study = _created()
        run_id = _generate(study)[0]
        run_execute(run_id=run_id, now=Clock(), environment={})
        with pytest.raises(WorkerKilled):
            texts_generate(run_id=run_id, now=Clock(kill_at=2), environment={})

        texts_generate(run_id=run_id, now=Clock(), environment={})

        assert study.scenarios.get(key="one").pair is not None

    def test_a_run_that_was_not_judged_is_replaced_when_asked_again(self) -> None:
        study = _created()
        silent = {"kind": "scripted", "name": "silent", "script": [""]}
        first = study_generate(
            study_id=study.pk, config={"proposer": silent}, actor_id=None, now=START
        )
        for run_id in first:
            texts_generate(run_id=run_id, now=Clock(), environment={})

        second = _generate(study)

        assert len(second) == 2
        assert not set(first) & set(second)

    def test_cancelling_and_retrying_are_logged_with_who_did_it(self) -> None:
        study = _created()
        actor = member_of(study).pk
        run_id = _generate(study)[0]

        generation_cancel(study_id=study.pk, run_id=run_id, actor_id=actor, now=START)
        generation_retry(study_id=study.pk, run_id=run_id, actor_id=actor, now=START)

        moves = {
            "run.cancelled": ("queued", "cancelled"),
            "run.retried": ("cancelled", "queued"),
        }
        for kind in moves:
            event = Event.objects.get(kind=kind)
            told = (event.payload["actor"], event.payload["before"], event.payload["after"])
            assert told == ("ada", *moves[kind])


class TestOpening:
    def test_a_whole_study_opens_and_its_design_gets_a_hash(self) -> None:
        study = _opened()

        assert study.state == StudyState.OPEN
        assert len(study.design_sha256) == 64
        assert study.opened_at == _LATER

    def test_the_hash_covers_texts_questions_pairs_and_seed(self) -> None:
        hashes = {_hash_after(slug, change) for slug, change in _CHANGES.items()}

        assert len(hashes) == len(_CHANGES)

    def test_what_is_missing_is_listed(self) -> None:
        study = _created(texts={}, measures=[])

        with pytest.raises(StudyNotReadyError) as refusal:
            study_open(study_id=study.pk, actor_id=None, now=_LATER)

        assert len(refusal.value.problems) == 3
        assert "First has no texts yet." in refusal.value.problems
        study.refresh_from_db()
        assert (study.state, study.design_sha256) == (StudyState.DRAFT, "")

    def test_a_study_without_scenarios_does_not_open(self) -> None:
        study = _created(scenarios=[])

        with pytest.raises(StudyNotReadyError, match="no scenario"):
            study_open(study_id=study.pk, actor_id=None, now=_LATER)

    def test_a_scenario_without_contrast_keeps_the_study_shut(self) -> None:
        study = _with_texts()
        StimulusPair.objects.filter(scenarios__key="two").update(has_contrast=False)

        with pytest.raises(NoContrastError, match="Second"):
            study_open(study_id=study.pk, actor_id=None, now=_LATER)

        assert Study.objects.get().state == StudyState.DRAFT
        scenario_remove(study_id=study.pk, key="two", actor_id=None, now=_LATER)
        assert study_open(study_id=study.pk, actor_id=None, now=_LATER).state == StudyState.OPEN

    def test_a_paused_study_opens_again_with_the_same_design(self) -> None:
        study = _opened()

        study_pause(study_id=study.pk, actor_id=None, now=_LATER)
        again = study_open(study_id=study.pk, actor_id=None, now=_LATER + timedelta(hours=1))

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
            move(study_id=study.pk, actor_id=None, now=_LATER)

        study.refresh_from_db()
        assert study.state == state

    def test_every_move_is_logged_with_actor_and_state_before(self) -> None:
        study = _with_texts()
        actor = member_of(study).pk
        for move in (study_open, study_pause, study_close):
            move(study_id=study.pk, actor_id=actor, now=_LATER)

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
    study = _with_texts()
    outcomes: list[str] = []

    def open_it() -> None:
        try:
            study_open(study_id=study.pk, actor_id=None, now=_LATER)
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


def _definition(**changes: Any) -> dict[str, Any]:
    demo = json.loads(DEMO.read_text(encoding="utf-8"))
    return {
        **demo,
        "slug": "views",
        "title": "Two views",
        "kind": "study",
        "seed": 1,
        "scenarios": [
            {"key": "one", "title": "First", "trace": "agrees.json"},
            {"key": "two", "title": "Second", "trace": "deadlock.json"},
        ],
        "plan": {},
        **changes,
    }


def _created(**changes: Any) -> Study:
    trace_ids = {
        "agrees.json": trace_stored(AGREES).pk,
        "deadlock.json": trace_stored(DEADLOCK).pk,
    }
    return study_create(
        definition=_definition(**changes), trace_ids=trace_ids, owner_id=None, now=START
    )


def _generate(study: Study) -> list[int]:
    return study_generate(
        study_id=study.pk, config=config_preset("offline"), actor_id=None, now=START
    )


def _with_texts(**changes: Any) -> Study:
    study = _created(**changes)
    for run_id in _generate(study):
        texts_generate(run_id=run_id, now=Clock(), environment={})
    return study


def _opened() -> Study:
    return study_open(study_id=_with_texts().pk, actor_id=None, now=_LATER)


def _hash_after(slug: str, change: dict[str, Any]) -> str:
    study = _with_texts(slug="views", **change)
    opened = study_open(study_id=study.pk, actor_id=None, now=_LATER)
    Study.objects.filter(pk=study.pk).update(slug=f"done-{slug}")
    return opened.design_sha256


def _upload(path: Path) -> UploadedFile:
    return UploadedFile(path.name, path.read_bytes())


def _deadlock() -> UploadedFile:
    return UploadedFile("deadlock.json", DEADLOCK.read_bytes())


def _user() -> int:
    return User.objects.get_or_create(username="ada", defaults={"is_staff": True})[0].pk
