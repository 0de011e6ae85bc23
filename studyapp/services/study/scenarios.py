"""Choose a study's debates, as long as it has never been open."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from studyapp.domain.permissions import Action
from studyapp.domain.titles import title_problem
from studyapp.domain.translations import SCENARIOS
from studyapp.errors import TitleError
from studyapp.models import DebateTrace, Scenario, Study
from studyapp.services.study.record import event_log, frozen_check, study_locked, words_drop

_TITLE_LIMIT = 200


@transaction.atomic
def scenario_add(
    *, study_id: int, trace_id: int, title: str = "", actor_id: int | None, now: datetime
) -> Scenario:
    """Add a debate to a study that has never been open; its key, for records, is the trace's.

    Without a title participants read which of their debates it is: a trace's own title may be the
    id of a run.

    Raises:
        FrozenError: the study has been opened, so its design is frozen.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    trace = DebateTrace.objects.only("title", "sha256").get(pk=trace_id)
    position = (study.scenarios.aggregate(last=Max("position"))["last"] or 0) + 1
    scenario = Scenario.objects.create(
        study=study,
        trace=trace,
        key=_key_free(study, title or trace.title, position=position),
        title=title[:_TITLE_LIMIT],
        position=position,
    )
    event_log(
        study,
        "scenario.added",
        now=now,
        actor_id=actor_id,
        before=None,
        after={"title": scenario.title, "trace__sha256": trace.sha256},
        scenario=scenario.key,
    )
    return scenario


@transaction.atomic
def scenario_name(
    *, study_id: int, key: str, title: str, actor_id: int | None, now: datetime
) -> None:
    """Give a debate the title that participants read; an empty one takes it away.

    Raises:
        FrozenError: the study has been opened, so its design is frozen.
        TitleError: the title looks like an id, or names what is compared.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    title = " ".join(title.split())
    problem = title_problem(title, arms=(study.reference_arm, study.treatment_arm))
    if problem:
        raise TitleError(f"{title!r} cannot be a title: {problem}")
    if len(title) > _TITLE_LIMIT:
        raise TitleError(f"a title has {len(title)} characters; allowed: {_TITLE_LIMIT}")
    found = study.scenarios.filter(key=key)
    before = found.values_list("title", flat=True).first()
    found.update(title=title)
    event_log(
        study,
        "scenario.named",
        now=now,
        actor_id=actor_id,
        before=before,
        after=title,
        scenario=key,
    )


@transaction.atomic
def scenario_remove(*, study_id: int, key: str, actor_id: int | None, now: datetime) -> None:
    """Take a debate out of a study that has never been open; its trace stays stored.

    Raises:
        FrozenError: the study has been opened, so its design is frozen.
    """
    study = study_locked(study_id, actor_id=actor_id, action=Action.EDIT)
    frozen_check(study)
    found = study.scenarios.filter(key=key)
    before = found.values("title", "trace__sha256").first()
    found.delete()
    words_drop(study, SCENARIOS, key)
    event_log(
        study,
        "scenario.removed",
        now=now,
        actor_id=actor_id,
        before=before,
        after=None,
        scenario=key,
    )


def _key_free(study: Study, title: str, *, position: int) -> str:
    taken = set(study.scenarios.values_list("key", flat=True))
    wanted = slugify(title)[:30].strip("-_") or "scenario"
    return wanted if wanted not in taken else f"{wanted}-{position}"
