"""Operations about studies: list, create, read, take through their states, watch."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Final

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp.api.base import ApiView, OneStudyView
from studyapp.api.once import once
from studyapp.api.paging import PageQuery, page_answer, paged
from studyapp.api.study_data import (
    DefinitionData,
    NothingBody,
    StudyBody,
    StudyData,
    StudyMoveBody,
    StudyQuery,
    StudyRowData,
)
from studyapp.api.watch_data import ProgressData, WatchData, WatchQuery
from studyapp.domain.permissions import Action
from studyapp.domain.seeds import SEED_LIMIT
from studyapp.selectors.monitor import study_counts
from studyapp.selectors.preregistration import preregistration_get
from studyapp.selectors.study import study_find
from studyapp.selectors.study_list import studies_rows
from studyapp.selectors.watch import watch_get
from studyapp.services.study import (
    UploadedFile,
    study_archive,
    study_close,
    study_open,
    study_pause,
    study_pilot,
    study_redraft,
    study_shared,
    study_upload,
    version_create,
)

_DEFINITION: Final = "definition"
_MOVES: Final[Mapping[str, Callable[..., object]]] = {
    "draft": study_redraft,
    "piloting": study_pilot,
    "open": study_open,
    "paused": study_pause,
    "closed": study_close,
    "archived": study_archive,
}


class StudyListView(ApiView):
    """The studies of whoever holds the token."""

    actions = {"GET": Action.WATCH, "POST": Action.EDIT}

    @extend_schema(
        operation_id="study_list",
        parameters=[StudyQuery, PageQuery],
        responses=paged(StudyRowData),
    )
    def get(self, request: Request) -> Response:
        """List the studies you are a member of, the newest first."""
        asked = self.query(StudyQuery)
        rows = studies_rows(self.actor, **asked)
        return page_answer(request, rows, StudyRowData)

    @extend_schema(operation_id="study_create", request=StudyBody, responses={201: StudyData})
    @once
    def post(self, request: Request) -> Response:
        """Create a study from its definition; you become its owner."""
        body = self.read(StudyBody)
        if not isinstance(body["definition"], dict):
            raise ValidationError({_DEFINITION: ["an object in the format apg-study is needed"]})
        study = study_upload(
            definition=UploadedFile(_DEFINITION, json.dumps(body["definition"]).encode()),
            debates=[files_of(row) for row in body["debates"]],
            seed=secrets.randbelow(SEED_LIMIT),
            owner_id=self.actor_id,
            now=timezone.now(),
        )
        return _created(self, study.slug)


class StudyView(OneStudyView):
    """One study."""

    actions = {"GET": Action.WATCH}

    @extend_schema(operation_id="study_read", responses=StudyData)
    def get(self, request: Request, slug: str) -> Response:
        """Read a study: its state, its scenarios, and whether its arm key is sealed."""
        return Response(StudyData(self.study).data)


class StudyMoveView(OneStudyView):
    """A study taken from state to state."""

    actions = {"POST": Action.RUN}

    @extend_schema(operation_id="study_move", request=StudyMoveBody, responses=StudyData)
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Take a study to another state; going `open` the first time freezes its design."""
        move = _MOVES[self.read(StudyMoveBody)["state"]]
        move(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return Response(StudyData(study_find(self.actor, slug)).data)


class VersionListView(OneStudyView):
    """The versions of a study."""

    actions = {"POST": Action.EDIT}

    @extend_schema(operation_id="version_create", request=NothingBody, responses={201: StudyData})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Make the next version of a launched study: a draft with its design and another seed."""
        self.read(NothingBody)
        made = version_create(
            study_id=self.study.id,
            seed=secrets.randbelow(SEED_LIMIT),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _created(self, made.slug)


class DefinitionView(OneStudyView):
    """The definition of a study."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(operation_id="definition_read", responses=DefinitionData)
    def get(self, request: Request, slug: str) -> Response:
        """Read a study's definition and debates, as the body from which another is created."""
        shared = study_shared(study_id=self.study.id)
        debates = [{"file_name": row.name, "content": row.data.decode()} for row in shared.debates]
        return Response({"definition": json.loads(shared.definition.data), "debates": debates})


class PreregistrationView(OneStudyView):
    """The preregistration of a study."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(operation_id="preregistration_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:
        """Read what was written down at launch; the seed stands in it once nothing is sealed."""
        found = preregistration_get(self.study.id)
        if found is None:
            raise NotFound
        return Response(found)


class ProgressView(OneStudyView):
    """How far participants are."""

    actions = {"GET": Action.WATCH}

    @extend_schema(operation_id="progress_read", responses=ProgressData)
    def get(self, request: Request, slug: str) -> Response:
        """Count participants by how far they are. No count is split by arm."""
        return Response(ProgressData(study_counts(self.study.id)).data)


class WatchView(OneStudyView):
    """What is watched while a study runs."""

    actions = {"GET": Action.WATCH}

    @extend_schema(operation_id="watch_read", parameters=[WatchQuery], responses=WatchData)
    def get(self, request: Request, slug: str) -> Response:
        """Read participants by cohort, day and trial, times, and what waits for a worker."""
        asked = self.query(WatchQuery)
        watch = watch_get(
            self.study.id,
            is_test=self.study.takes_test_data or asked["lane"] == "test",
            now=timezone.now(),
            page=asked["page"] - 1,
        )
        return Response(WatchData(watch).data)


def _created(view: ApiView, slug: str) -> Response:
    address = view.site(reverse("api:study", kwargs={"slug": slug}))
    page = study_find(view.actor, slug)
    return Response(StudyData(page).data, status=201, headers={"Location": address})


def files_of(row: dict[str, str]) -> UploadedFile:
    """Return a file that came as text."""
    return UploadedFile(row["file_name"], row["content"].encode())
