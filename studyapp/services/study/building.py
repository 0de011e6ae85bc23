"""Create a study from its definition and choose its debates."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from studyapp.domain.definition import StudyDefinition, definition_load
from studyapp.errors import DefinitionError, StudyExistsError
from studyapp.models import Cohort, DebateTrace, Scenario, Study, StudyKind
from studyapp.services.generation import trace_store
from studyapp.services.study.record import design_record, event_log, frozen_check, study_locked


@transaction.atomic
def study_load(*, path: Path, owner_id: int | None, now: datetime) -> Study:
    """Store the debates a definition file names and create its study, once.

    Args:
        path: the definition; traces are named relative to it.
        owner_id: who will see the study besides superusers.
        now: when.

    Raises:
        DefinitionError: the definition, or a file it names, cannot be read.
        TraceRefusedError: a debate cannot be read.
        StudyExistsError: the slug belongs to another design.
    """
    data = _json_read(path)
    plan = definition_load(data, file_name=path.name)
    trace_ids = {
        name: trace_store(data=_bytes_read(path, name), file_name=Path(name).name, now=now).pk
        for name in dict.fromkeys(scenario.trace for scenario in plan.scenarios)
    }
    return study_create(
        definition=data, trace_ids=trace_ids, owner_id=owner_id, now=now, file_name=path.name
    )


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
    event_log(study, "study.created", now=now, actor_id=owner_id, definition=file_name)
    return study


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it came: its name and its bytes."""

    name: str
    data: bytes


@transaction.atomic
def study_build(
    *, title: str, debates: Sequence[UploadedFile], seed: int, owner_id: int, now: datetime
) -> Study:
    """Create a test study about uploaded debates, with the demo study's questions and texts.

    Those texts tell participants that their answers are test data, so the study is marked as
    that; a study that collects data brings its own texts by `study_upload`.

    Raises:
        TraceRefusedError: a debate cannot be read; nothing was stored.
    """
    standard = _json_read(settings.BASE_DIR / "fixtures" / "demo_study.json")
    traces = [trace_store(data=file.data, file_name=file.name, now=now) for file in debates]
    definition = {
        **standard,
        "slug": _slug_free(title),
        "title": title,
        "kind": StudyKind.STUDY,
        "test": True,
        "seed": seed,
        "scenarios": [],
    }
    study = study_create(definition=definition, trace_ids={}, owner_id=owner_id, now=now)
    for trace in traces:
        scenario_add(
            study_id=study.pk, trace_id=trace.pk, title=trace.title, actor_id=owner_id, now=now
        )
    return study


@transaction.atomic
def study_upload(
    *, definition: UploadedFile, debates: Sequence[UploadedFile], owner_id: int, now: datetime
) -> Study:
    """Create a study from an uploaded definition and the debates it names, by file name.

    Raises:
        DefinitionError: the definition cannot be read, or names a debate that was not uploaded.
        TraceRefusedError: a debate cannot be read; nothing was stored.
        StudyExistsError: the slug is taken.
    """
    data = _json_parse(definition.data, file_name=definition.name)
    if Study.objects.filter(slug=data.get("slug")).exists():
        raise StudyExistsError(f"the slug {data.get('slug')!r} is taken; choose another one")
    plan = definition_load(data, file_name=definition.name)
    stored = {
        file.name: trace_store(data=file.data, file_name=file.name, now=now).pk for file in debates
    }
    names = {scenario.trace: Path(scenario.trace).name for scenario in plan.scenarios}
    trace_ids = {trace: stored[name] for trace, name in names.items() if name in stored}
    return study_create(
        definition=data,
        trace_ids=trace_ids,
        owner_id=owner_id,
        now=now,
        file_name=definition.name,
    )


@transaction.atomic
def debates_add(
    *, study_id: int, debates: Sequence[UploadedFile], actor_id: int, now: datetime
) -> list[Scenario]:
    """Store uploaded debates and add each as a scenario, all or none.

    Raises:
        TraceRefusedError: a debate cannot be read; nothing was stored.
        FrozenError: the study has been opened, so its design is frozen.
    """
    traces = [trace_store(data=file.data, file_name=file.name, now=now) for file in debates]
    return [
        scenario_add(
            study_id=study_id, trace_id=trace.pk, title=trace.title, actor_id=actor_id, now=now
        )
        for trace in traces
    ]


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


def _json_read(path: Path) -> Mapping[str, Any]:
    return _json_parse(_bytes_read(path, path.name), file_name=path.name)


def _json_parse(content: bytes, *, file_name: str) -> Mapping[str, Any]:
    try:
        data = json.loads(content)
    except ValueError as error:
        raise DefinitionError(
            file=file_name, place="the file", found=str(error), allowed="UTF-8 JSON"
        ) from error
    if not isinstance(data, dict):
        raise DefinitionError(
            file=file_name, place="the file", found=type(data).__name__, allowed="a JSON object"
        )
    return data


def _bytes_read(definition: Path, name: str) -> bytes:
    file = definition.parent / name
    try:
        return file.read_bytes()
    except OSError as error:
        raise DefinitionError(
            file=definition.name,
            place=name,
            found=error.strerror or str(error),
            allowed="a readable file next to the definition",
        ) from error


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
    found = design_record(study)
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
        "cohorts": [[cohort.name, cohort.quota] for cohort in plan.cohorts],
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
        created_at=now,
    )


def _parts_insert(study: Study, plan: StudyDefinition, traces: Mapping[str, DebateTrace]) -> None:
    Cohort.objects.bulk_create(
        Cohort(study=study, name=cohort.name, quota=cohort.quota) for cohort in plan.cohorts
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


def _slug_free(title: str) -> str:
    wanted = slugify(title)[:30].strip("-_") or "study"
    taken = set(Study.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    names = itertools.chain([wanted], (f"{wanted}-{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _key_free(study: Study, title: str, *, position: int) -> str:
    taken = set(study.scenarios.values_list("key", flat=True))
    wanted = slugify(title)[:30].strip("-_") or "scenario"
    return wanted if wanted not in taken else f"{wanted}-{position}"
