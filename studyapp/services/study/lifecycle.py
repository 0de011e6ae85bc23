"""Open a study, pause it, close it: each move is guarded, conditional and logged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from studyapp.domain.background import background_load
from studyapp.domain.digest import json_sha256
from studyapp.domain.measures import measures_load
from studyapp.domain.plan import PlanScope, plan_check
from studyapp.domain.states import STUDY_MOVES, move_refusal, states_before
from studyapp.domain.texts import texts_load
from studyapp.domain.titles import title_problem
from studyapp.errors import MeasureError, NoContrastError, PlanError, StudyNotReadyError
from studyapp.models import Scenario, Study, StudyState
from studyapp.selectors.texts import texts_of
from studyapp.services.sealing import logs_seal
from studyapp.services.study.record import design_record, event_log, study_locked


@transaction.atomic
def study_open(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """Let participants in. The first opening freezes the design and stores its hash.

    A test study without texts gets plain ones, which count what it has now.

    Raises:
        IllegalMoveError: the study is open or closed.
        NoContrastError: both texts of a scenario are one text.
        StudyNotReadyError: something a participant needs is missing; lists everything.
    """
    study = study_locked(study_id)
    if study.opened_at is not None:
        return _study_move(study, StudyState.OPEN, actor_id=actor_id, now=now)
    _ready_check(study)
    study.texts = texts_of(study)
    Study.objects.filter(pk=study_id, opened_at__isnull=True).update(
        design_sha256=json_sha256(design_record(study)), opened_at=now, texts=study.texts
    )
    return _study_move(study, StudyState.OPEN, actor_id=actor_id, now=now)


@transaction.atomic
def study_pause(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """Take no new participants for now.

    Raises:
        IllegalMoveError: the study is not open.
    """
    return _study_move(study_locked(study_id), StudyState.PAUSED, actor_id=actor_id, now=now)


@transaction.atomic
def study_close(*, study_id: int, actor_id: int | None, now: datetime) -> Study:
    """End data collection for good.

    Raises:
        IllegalMoveError: the study was never opened or is closed.
    """
    study = _study_move(study_locked(study_id), StudyState.CLOSED, actor_id=actor_id, now=now)
    transaction.on_commit(lambda: logs_seal(now=now))
    return study


def _study_move(study: Study, target: StudyState, *, actor_id: int | None, now: datetime) -> Study:
    allowed = states_before(STUDY_MOVES, target)
    moved = Study.objects.filter(pk=study.pk, state__in=allowed).update(state=target)
    if moved != 1:
        raise move_refusal(
            what=f"study {study.slug}", found=study.state, target=target, allowed=allowed
        )
    before = study.state
    study.refresh_from_db()
    event_log(
        study,
        f"study.{target}",
        now=now,
        actor_id=actor_id,
        before=before,
        after=target,
        design_sha256=study.design_sha256,
    )
    return study


def _ready_check(study: Study) -> None:
    scenarios = list(study.scenarios.select_related("pair", "trace").order_by("position"))
    equal = [row.label for row in scenarios if row.pair and not row.pair.has_contrast]
    if equal:
        raise NoContrastError(
            f"no contrast in {', '.join(equal)}: the first draft passed the gate, so both reports "
            "are one text and there is nothing to compare. Take the scenario out of the study."
        )
    problems = [f"{row.label} has no texts yet." for row in scenarios if row.pair is None]
    if not scenarios:
        problems.append("The study has no scenario.")
    problems += _titles_problems(study, scenarios)
    problems += _questions_problems(study)
    if problems:
        raise StudyNotReadyError(problems)


def _titles_problems(study: Study, scenarios: Sequence[Scenario]) -> list[str]:
    arms = (study.reference_arm, study.treatment_arm)
    found = ((row.title, title_problem(row.title, arms=arms)) for row in scenarios)
    return [
        f"Participants would read the title {title!r}: {problem}."
        for title, problem in found
        if problem
    ]


def _questions_problems(study: Study) -> list[str]:
    try:
        measures = measures_load(study.measures)
        background = background_load(study.background)
        texts_load(texts_of(study))
    except MeasureError as error:
        return [f"The questions or texts are not complete: {error}."]
    if not measures:
        return ["The study asks nothing about its reports."]
    return _plan_problems(study, PlanScope(measures, background, _scenario_keys(study)))


def _plan_problems(study: Study, scope: PlanScope) -> list[str]:
    """A scenario may have been taken out since the plan was read."""
    try:
        plan_check(study.plan, scope)
    except PlanError as error:
        return [f"The plan does not fit the study: {error}."]
    return []


def _scenario_keys(study: Study) -> list[str]:
    return list(study.scenarios.order_by("position").values_list("key", flat=True))
