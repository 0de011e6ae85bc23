"""A study's cohorts: built while it is a draft, opened, paused and closed while it runs."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from studyapp.domain.background import background_load
from studyapp.domain.definition import LINK_KINDS, PANEL, CohortPlan
from studyapp.domain.panel import panel_load
from studyapp.domain.permissions import Action
from studyapp.domain.states import COHORT_MOVES, move_refusal, states_before
from studyapp.domain.time_pressure import time_pressure_load
from studyapp.domain.translations import COHORTS
from studyapp.errors import CohortError
from studyapp.models import Cohort, Study
from studyapp.services.study.record import (
    cohort_plan,
    cohort_record,
    event_log,
    frozen_check,
    study_locked,
    words_drop,
)


@transaction.atomic
def cohort_create(
    *, study_id: int, plan: CohortPlan, actor_id: int | None, now: datetime
) -> Cohort:
    """Add a cohort to a study that has never been open; the design's hash will cover it.

    Raises:
        FrozenError: the study has been opened, so its design is frozen.
        CohortError: the name is taken, or the panel is missing or belongs to another kind of link.
        MeasureError: the panel, the background questions or the time pressure cannot be read.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    _plan_check(study, plan)
    cohort = Cohort.objects.create(
        study=study,
        name=plan.name,
        kind=plan.kind,
        link_kind=plan.link,
        quota=plan.quota,
        panel=dict(plan.panel),
        background=None if plan.background is None else [dict(row) for row in plan.background],
        instructions=plan.instructions,
        time_pressure=dict(plan.time_pressure),
    )
    event_log(
        study,
        "cohort.created",
        now=now,
        actor_id=actor_id,
        before=None,
        after=cohort_record(cohort_plan(cohort)),
        cohort=cohort.name,
    )
    return cohort


@transaction.atomic
def cohort_remove(*, study_id: int, name: str, actor_id: int | None, now: datetime) -> None:
    """Take a cohort out of a study that has never been open, with its invitations.

    Raises:
        FrozenError: the study has been opened, so its design is frozen.
        CohortError: it is the study's only cohort.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    if not study.cohorts.exclude(name=name).exists():
        raise CohortError(f"{name} is the study's only cohort; a study needs at least one")
    cohort = study.cohorts.get(name=name)
    before = cohort_record(cohort_plan(cohort))
    cohort.delete()
    words_drop(study, COHORTS, name)
    event_log(
        study, "cohort.removed", now=now, actor_id=actor_id, before=before, after=None, cohort=name
    )


@transaction.atomic
def cohort_move(
    *, study_id: int, name: str, target: str, actor_id: int | None, now: datetime
) -> None:
    """Open, pause or close a cohort. Who has begun may finish until the study closes.

    Raises:
        IllegalMoveError: the cohort is closed, or is there already.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.RUN)
    cohort = study.cohorts.get(name=name)
    allowed = states_before(COHORT_MOVES, target)
    moved = Cohort.objects.filter(pk=cohort.pk, state__in=allowed).update(state=target)
    if moved != 1:
        raise move_refusal(
            what=f"cohort {name}", found=cohort.state, target=target, allowed=allowed
        )
    event_log(
        study,
        f"cohort.{target}",
        now=now,
        actor_id=actor_id,
        before=cohort.state,
        after=target,
        cohort=name,
    )


def _plan_check(study: Study, plan: CohortPlan) -> None:
    if study.cohorts.filter(name=plan.name).exists():
        raise CohortError(f"the name {plan.name} is taken by another cohort of this study")
    if plan.link not in LINK_KINDS:
        raise CohortError(f"link is {plan.link!r}; allowed are {', '.join(LINK_KINDS)}")
    if (plan.link == PANEL) != bool(plan.panel):
        raise CohortError("a cohort has the settings of a panel exactly where its link is panel")
    if plan.panel:
        panel_load(plan.panel)
    background_load(plan.background or ())
    time_pressure_load(plan.time_pressure)
