"""Bring files in: a definition with its debates from a folder, or from an upload."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify

from studyapp.domain.definition import definition_load
from studyapp.domain.definition_file import definition_parse
from studyapp.errors import DefinitionError, StudyExistsError
from studyapp.models import Scenario, Study, StudyKind
from studyapp.services.generation import trace_store
from studyapp.services.study.building import study_create
from studyapp.services.study.scenarios import scenario_add
from studyapp.services.study.sharing import is_shared, shared_read
from studyapp.services.study.uploads import UploadedFile


@transaction.atomic
def study_load(*, path: Path, seed: int, owner_id: int | None, now: datetime) -> Study:
    """Store the debates a definition file names and create its study, once.

    Args:
        path: the definition, whose traces are named relative to it, or a shared study.
        seed: the study's, where the definition names none.
        owner_id: who will see the study besides superusers.
        now: when.

    Raises:
        DefinitionError: the definition, or a file it names, cannot be read.
        TraceRefusedError: a debate cannot be read.
        StudyExistsError: the slug belongs to another design.
    """
    content = _bytes_read(path, path.name)
    if is_shared(UploadedFile(path.name, content)):
        shared = UploadedFile(path.name, content)
        return _shared_load(shared, seed=seed, owner_id=owner_id, now=now, is_fork=False)
    data = _seeded(definition_parse(content, file_name=path.name), seed, may_be_there=True)
    plan = definition_load(data, file_name=path.name)
    trace_ids = {
        name: trace_store(data=_bytes_read(path, name), file_name=Path(name).name, now=now).pk
        for name in dict.fromkeys(scenario.trace for scenario in plan.scenarios)
    }
    return study_create(
        definition=data, trace_ids=trace_ids, owner_id=owner_id, now=now, file_name=path.name
    )


@transaction.atomic
def study_build(
    *, title: str, debates: Sequence[UploadedFile], seed: int, owner_id: int | None, now: datetime
) -> Study:
    """Create a test study about uploaded debates, with the demo study's questions.

    The demo study's texts and plan are about its own debates, so they are left out: a test study
    gets plain texts when it opens. One that collects data brings its own by `study_upload`.

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
        "texts": {},
        "plan": {},
    }
    study = study_create(definition=definition, trace_ids={}, owner_id=owner_id, now=now)
    for trace in traces:
        scenario_add(study_id=study.pk, trace_id=trace.pk, actor_id=owner_id, now=now)
    return study


@transaction.atomic
def study_upload(
    *,
    definition: UploadedFile,
    debates: Sequence[UploadedFile],
    seed: int,
    owner_id: int,
    now: datetime,
) -> Study:
    """Create a study from an uploaded definition and the debates it names, by file name.

    A shared study is one zip with both; where its slug is taken it gets another, as a fork. Where
    the definition names no seed it is `seed`, which then nobody knows who could draw from it.

    Raises:
        DefinitionError: the definition cannot be read, or names a debate that was not uploaded.
        TraceRefusedError: a debate cannot be read; nothing was stored.
        StudyExistsError: the slug is taken.
    """
    if is_shared(definition):
        return _shared_load(definition, seed=seed, owner_id=owner_id, now=now, is_fork=True)
    data = _seeded(definition_parse(definition.data, file_name=definition.name), seed)
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
        scenario_add(study_id=study_id, trace_id=trace.pk, actor_id=actor_id, now=now)
        for trace in traces
    ]


def _shared_load(
    file: UploadedFile, *, seed: int, owner_id: int | None, now: datetime, is_fork: bool
) -> Study:
    shared = shared_read(file=file, most_bytes=4 * settings.TRACE_MAX_BYTES)
    name = shared.definition.name
    parsed = definition_parse(shared.definition.data, file_name=name)
    data = _seeded(parsed, seed, may_be_there=not is_fork)
    plan = definition_load(data, file_name=name)
    stored = {
        debate.name: trace_store(
            data=debate.data,
            file_name=debate.name,
            now=now,
            produced=shared.produced.get(debate.name),
        ).pk
        for debate in shared.debates
    }
    trace_ids = {
        scenario.trace: stored[Path(scenario.trace).name]
        for scenario in plan.scenarios
        if Path(scenario.trace).name in stored
    }
    if is_fork and Study.objects.filter(slug=plan.slug).exists():
        data = {**data, "slug": _slug_free(plan.slug)}
    return study_create(
        definition=data, trace_ids=trace_ids, owner_id=owner_id, now=now, file_name=name
    )


def _seeded(data: Mapping[str, Any], seed: int, *, may_be_there: bool = False) -> Mapping[str, Any]:
    """Give a definition without a seed one; on the server a study that is there keeps its own.

    An upload never gets the seed of a study that is there: it could show it, and with it the sides.
    """
    if data.get("seed") is not None:
        return data
    there = Study.objects.filter(slug=str(data.get("slug"))).first() if may_be_there else None
    return {**data, "seed": seed if there is None else there.seed}


def _json_read(path: Path) -> Mapping[str, Any]:
    return definition_parse(_bytes_read(path, path.name), file_name=path.name)


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


def _slug_free(title: str) -> str:
    wanted = slugify(title)[:30].strip("-_") or "study"
    taken = set(Study.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    names = itertools.chain([wanted], (f"{wanted}-{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
