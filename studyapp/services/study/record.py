"""What is kept about a study: the row under lock, its design as hashed, its log."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model

from studyapp.domain.definition import CohortPlan
from studyapp.domain.permissions import Action
from studyapp.domain.translations import translations_without
from studyapp.errors import FrozenError, RoleRefusedError
from studyapp.models import Cohort, Event, Study, StudyState
from studyapp.selectors.permissions import may

# Whoever acts without an account works on the server itself, where everything is open to them.
SHELL: Final = "shell"


def study_locked(study_id: int, *, actor_id: int | None, action: Action) -> Study:
    """Fetch a study for somebody who may change it, and keep others from it meanwhile.

    Raises:
        RoleRefusedError: the actor's role in the study does not allow the action.
    """
    # Not for its key: whoever enrols holds the cohort, for which a pilot's end waits in turn.
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    role_check(study, actor_id=actor_id, action=action)
    return study


def study_read(study_id: int, *, actor_id: int | None, action: Action) -> Study:
    """Fetch a study for somebody who takes something out of it, or asks for something beside it.

    Raises:
        RoleRefusedError: the actor's role in the study does not allow the action.
    """
    study = Study.objects.get(pk=study_id)
    role_check(study, actor_id=actor_id, action=action)
    return study


def role_check(study: Study, *, actor_id: int | None, action: Action) -> None:
    """Refuse what the actor's role does not allow; every service of researchers comes by here.

    Raises:
        RoleRefusedError: the actor is no member, is not active, or has another role.
    """
    if actor_id is None:
        return
    actor = get_user_model().objects.get(pk=actor_id)
    if not may(actor, study.pk, action):
        raise RoleRefusedError(
            f"{actor.get_username()} may not do this in study {study.slug}: it needs {action}"
        )


def frozen_check(study: Study) -> None:
    """Refuse to touch the design of a study that was launched, or that somebody may be walking.

    Raises:
        FrozenError: participants may have seen the design, or a pilot runs.
    """
    launched_check(study)
    if study.state == StudyState.PILOTING:
        raise FrozenError(
            f"study {study.slug} is piloting, so its design rests; take it back to a draft first"
        )


def launched_check(study: Study) -> None:
    """Refuse to touch the words of a study that was launched; a pilot is there to mend them.

    Raises:
        FrozenError: participants may have read them.
    """
    if study.opened_at is not None:
        raise FrozenError(
            f"study {study.slug} has been launched, so its design is frozen; make a new version"
        )


def words_drop(study: Study, part: str, key: str) -> None:
    """Take what translations say of a scenario or a cohort out with it."""
    kept = translations_without(study.translations, part, key)
    if kept != study.translations:
        Study.objects.filter(pk=study.pk).update(translations=kept)


def event_log(
    study: Study,
    kind: str,
    *,
    now: datetime,
    actor_id: int | None,
    before: Any,
    after: Any,
    **details: Any,
) -> None:
    """Append what a researcher did to the log.

    Args:
        study: the study.
        kind: what was done.
        now: when.
        actor_id: who did it; None is the server's shell.
        before: what was there, as JSON data; None where something is new.
        after: what is there now; None where something is gone, or nothing was changed.
        details: what else says which of the study's things it was.
    """
    payload = {"actor": actor_name(actor_id), "before": before, "after": after, **details}
    Event.objects.create(study=study.slug, kind=kind, payload=payload, at=now)


def actor_name(actor_id: int | None) -> str:
    """Return under which name somebody stands in the log."""
    if actor_id is None:
        return SHELL
    return str(get_user_model().objects.get(pk=actor_id).get_username())


def design_record(study: Study) -> dict[str, Any]:
    """Return everything that makes up the design, as the data its hash covers."""
    # Only what is set: the hash of a study without it stays what it was before the part existed.
    later = {
        "plan": study.plan,
        "screening": study.screening,
        "translations": study.translations,
        "rules": study.rules,
        "quota": study.quota,
        "family": study.family,
    }
    return {
        **{key: value for key, value in later.items() if value},
        **({"version": study.version} if study.family else {}),
        "slug": study.slug,
        "title": study.title,
        "kind": study.kind,
        "test": study.is_test,
        "seed": study.seed,
        "arms": {"reference": study.reference_arm, "treatment": study.treatment_arm},
        "measures": study.measures,
        "background": study.background,
        "texts": study.texts,
        "cohorts": [cohort_record(cohort_plan(row)) for row in study.cohorts.order_by("pk")],
        "scenarios": [
            [row.key, row.title, row.trace.sha256, row.pair.sha256 if row.pair else ""]
            for row in study.scenarios.select_related("trace", "pair").order_by("position")
        ],
    }


def cohort_plan(cohort: Cohort) -> CohortPlan:
    """Return a stored cohort as the plan that would create it."""
    return CohortPlan(
        name=cohort.name,
        quota=cohort.quota,
        kind=cohort.kind,
        link=cohort.link_kind,
        panel=cohort.panel,
        background=None if cohort.background is None else tuple(cohort.background),
        instructions=cohort.instructions,
        time_pressure=cohort.time_pressure,
    )


def cohort_record(plan: CohortPlan) -> list[Any]:
    """Return a cohort as the design's hash covers it: name, quota, and what is not the default."""
    usual = asdict(CohortPlan(name=plan.name, quota=plan.quota))
    own = {key: value for key, value in asdict(plan).items() if value != usual[key]}
    return [plan.name, plan.quota, *([own] if own else [])]
