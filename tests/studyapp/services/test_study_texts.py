"""A draft gets its debates, and each of them one run for its two texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from studyapp.errors import (
    FrozenError,
)
from studyapp.models import (
    Event,
    GenerationRun,
    StimulusPair,
)
from studyapp.seams.engine import config_preset
from studyapp.services.generation import run_execute
from studyapp.services.study import (
    debates_add,
    generation_cancel,
    generation_retry,
    scenario_add,
    scenario_remove,
    study_generate,
    study_pause,
    texts_generate,
)
from tests.studyapp.debates import START, Clock, WorkerKilled
from tests.studyapp.lab import member_of
from tests.studyapp.services.studies import (
    LATER,
    deadlock_file,
    runs_asked,
    study_opened,
    study_stored,
    study_with_texts,
)

pytestmark = pytest.mark.django_db


class TestScenarios:
    def test_debates_are_added_and_taken_out_before_the_first_opening(self) -> None:
        study = study_stored()

        added = debates_add(
            study_id=study.pk, debates=[deadlock_file()], actor_id=member_of(study).pk, now=START
        )
        scenario_remove(study_id=study.pk, key="one", actor_id=None, now=START)

        assert [row.key for row in study.scenarios.all()] == ["two", added[0].key]

    def test_after_the_first_opening_the_design_is_frozen(self) -> None:
        study = study_opened()
        study_pause(study_id=study.pk, actor_id=None, now=LATER)
        attempts: list[Callable[[], object]] = [
            lambda: scenario_add(
                study_id=study.pk, trace_id=1, title="x", actor_id=None, now=LATER
            ),
            lambda: scenario_remove(study_id=study.pk, key="one", actor_id=None, now=LATER),
            lambda: study_generate(
                study_id=study.pk, config=config_preset("offline"), actor_id=None, now=LATER
            ),
        ]

        for attempt in attempts:
            with pytest.raises(FrozenError, match="frozen"):
                attempt()


class TestTexts:
    def test_each_scenario_gets_one_run_however_often_it_is_asked_for(self) -> None:
        study = study_stored()

        assert len(runs_asked(study)) == 2
        assert runs_asked(study) == []
        assert GenerationRun.objects.count() == 2

    def test_the_pair_reaches_the_scenario(self) -> None:
        study = study_with_texts()

        pairs = [scenario.pair for scenario in study.scenarios.select_related("pair")]
        outcomes = [pair.manifest["outcome"] for pair in pairs if pair]
        assert outcomes == ["synthesis", "divergence"]

    def test_a_worker_that_dies_before_the_freezing_is_followed_by_one_that_does_it(self) -> None:
        study = study_stored()
        run_id = runs_asked(study)[0]
        run_execute(run_id=run_id, now=Clock(), environment={})

        texts_generate(run_id=run_id, now=Clock(), environment={})
        texts_generate(run_id=run_id, now=Clock(), environment={})

        assert StimulusPair.objects.count() == 1
        assert study.scenarios.get(key="one").pair is not None

    def test_a_worker_that_dies_while_freezing_is_followed_too(self) -> None:
        study = study_stored()
        run_id = runs_asked(study)[0]
        run_execute(run_id=run_id, now=Clock(), environment={})
        with pytest.raises(WorkerKilled):
            texts_generate(run_id=run_id, now=Clock(kill_at=2), environment={})

        texts_generate(run_id=run_id, now=Clock(), environment={})

        assert study.scenarios.get(key="one").pair is not None

    def test_a_run_that_was_not_judged_is_replaced_when_asked_again(self) -> None:
        study = study_stored()
        silent = {"kind": "scripted", "name": "silent", "script": [""]}
        first = study_generate(
            study_id=study.pk, config={"proposer": silent}, actor_id=None, now=START
        )
        for run_id in first:
            texts_generate(run_id=run_id, now=Clock(), environment={})

        second = runs_asked(study)

        assert len(second) == 2
        assert not set(first) & set(second)

    def test_cancelling_and_retrying_are_logged_with_who_did_it(self) -> None:
        study = study_stored()
        actor = member_of(study).pk
        run_id = runs_asked(study)[0]

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
