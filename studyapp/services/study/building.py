"""Create a study from its definition, once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from studyapp.domain.definition import StudyDefinition, definition_load
from studyapp.domain.digest import json_sha256
from studyapp.errors import DefinitionError, StudyExistsError
from studyapp.models import Cohort, DebateTrace, MemberRole, Scenario, Study, StudyMember
from studyapp.services.study.record import cohort_record, design_record, event_log

_UNSET: Final[Mapping[str, Any]] = {
    "plan": {},
    "screening": [],
    "translations": {},
    "rules": {},
    "quota": None,
}


@transaction.atomic
def study_create(
    *,
    definition: Mapping[str, Any],
    trace_ids: Mapping[str, int],
    owner_id: int | None,
    now: datetime,
    file_name: str = "study definition",
) -> Study:
    """Create a study as its definition says; an equal study that exists is returned.

    Args:
        definition: JSON data in the format `apg-study`.
        trace_ids: primary key of the stored trace for each name the scenarios use.
        owner_id: who will see the study besides superusers.
        now: when.
        file_name: what errors call the definition.

    Raises:
        DefinitionError: a key is missing or holds something that is not allowed.
        StudyExistsError: the slug belongs to a study with another design; names the differences.
    """
    plan = definition_load(definition, file_name=file_name)
    traces = _traces(plan, trace_ids, file_name=file_name)
    found = Study.objects.filter(slug=plan.slug).first()
    if found is not None:
        _same_or_refuse(found, plan, traces)
        return found
    study = _study_insert(plan, owner_id=owner_id, now=now)
    _parts_insert(study, plan, traces)
    if owner_id is not None:
        StudyMember.objects.create(
            study=study, user_id=owner_id, role=MemberRole.OWNER, added_at=now
        )
    event_log(
        study,
        "study.created",
        now=now,
        actor_id=owner_id,
        before=None,
        after=json_sha256(design_record(study)),
        definition=file_name,
    )
    return study


def _traces(
    plan: StudyDefinition, trace_ids: Mapping[str, int], *, file_name: str
) -> dict[str, DebateTrace]:
    names = [scenario.trace for scenario in plan.scenarios]
    unknown = [name for name in names if name not in trace_ids]
    if unknown:
        raise DefinitionError(
            file=file_name,
            place="scenarios: trace",
            found=unknown[0],
            allowed=", ".join(sorted(trace_ids)) or "a stored trace",
        )
    stored = DebateTrace.objects.in_bulk([trace_ids[name] for name in names])
    return {name: stored[trace_ids[name]] for name in names}


def _same_or_refuse(study: Study, plan: StudyDefinition, traces: Mapping[str, DebateTrace]) -> None:
    found = {**_UNSET, **design_record(study)}
    found["scenarios"] = [row[:3] for row in found["scenarios"]]
    wanted = {
        "title": plan.title,
        "kind": plan.kind,
        "test": plan.is_test,
        "seed": plan.seed,
        "arms": {"reference": plan.reference_arm, "treatment": plan.treatment_arm},
        "measures": [dict(row) for row in plan.measures],
        "background": [dict(row) for row in plan.background],
        "texts": dict(plan.texts),
        "plan": dict(plan.plan),
        "screening": [dict(row) for row in plan.screening],
        "translations": dict(plan.translations),
        "rules": dict(plan.rules),
        "quota": plan.quota,
        "cohorts": [cohort_record(cohort) for cohort in plan.cohorts],
        "scenarios": [[row.key, row.title, traces[row.trace].sha256] for row in plan.scenarios],
    }
    differing = [key for key, value in wanted.items() if found[key] != value]
    if differing:
        raise StudyExistsError(
            f"study {plan.slug} exists and differs in {', '.join(differing)}; "
            "give this one another slug"
        )


def _study_insert(plan: StudyDefinition, *, owner_id: int | None, now: datetime) -> Study:
    return Study.objects.create(
        slug=plan.slug,
        title=plan.title,
        owner_id=owner_id,
        kind=plan.kind,
        is_test=plan.is_test,
        reference_arm=plan.reference_arm,
        treatment_arm=plan.treatment_arm,
        seed=plan.seed,
        measures=[dict(row) for row in plan.measures],
        background=[dict(row) for row in plan.background],
        texts=dict(plan.texts),
        plan=dict(plan.plan),
        screening=[dict(row) for row in plan.screening],
        translations=dict(plan.translations),
        rules=dict(plan.rules),
        quota=plan.quota,
        created_at=now,
    )


def _parts_insert(study: Study, plan: StudyDefinition, traces: Mapping[str, DebateTrace]) -> None:
    Cohort.objects.bulk_create(
        Cohort(
            study=study,
            name=cohort.name,
            quota=cohort.quota,
            kind=cohort.kind,
            link_kind=cohort.link,
            panel=dict(cohort.panel),
            background=None if cohort.background is None else [dict(r) for r in cohort.background],
            instructions=cohort.instructions,
            time_pressure=dict(cohort.time_pressure),
        )
        for cohort in plan.cohorts
    )
    Scenario.objects.bulk_create(
        Scenario(
            study=study,
            trace=traces[scenario.trace],
            key=scenario.key,
            title=scenario.title,
            position=position,
        )
        for position, scenario in enumerate(plan.scenarios, start=1)
    )
