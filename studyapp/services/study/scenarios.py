"""Choose a study's debates, as long as it has never been open."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from studyapp.models import Scenario, Study
from studyapp.services.study.record import event_log, frozen_check, study_locked


@transaction.atomic
def scenario_add(
    *, study_id: int, trace_id: int, title: str, actor_id: int | None, now: datetime
) -> Scenario:
    """Add a debate to a study that has never been open.

    Raises:
        FrozenError: the study has been opened, so its design is frozen.
    """
    study = study_locked(study_id)
    frozen_check(study)
    position = (study.scenarios.aggregate(last=Max("position"))["last"] or 0) + 1
    scenario = Scenario.objects.create(
        study=study,
        trace_id=trace_id,
        key=_key_free(study, title, position=position),
        title=title[:200],
        position=position,
    )
    event_log(study, "scenario.added", now=now, actor_id=actor_id, scenario=scenario.key)
    return scenario


@transaction.atomic
def scenario_remove(*, study_id: int, key: str, actor_id: int | None, now: datetime) -> None:
    """Take a debate out of a study that has never been open; its trace stays stored.

    Raises:
        FrozenError: the study has been opened, so its design is frozen.
    """
    study = study_locked(study_id)
    frozen_check(study)
    study.scenarios.filter(key=key).delete()
    event_log(study, "scenario.removed", now=now, actor_id=actor_id, scenario=key)


def _key_free(study: Study, title: str, *, position: int) -> str:
    taken = set(study.scenarios.values_list("key", flat=True))
    wanted = slugify(title)[:30].strip("-_") or "scenario"
    return wanted if wanted not in taken else f"{wanted}-{position}"
