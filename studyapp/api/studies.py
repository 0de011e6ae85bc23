"""Operations about studies: list, create, read, take through their states, watch."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp.api.base import ApiView, OneStudyView
from studyapp.api.once import once
from studyapp.api.paging import PageQuery, page_answer, paged
from studyapp.api.study_data import (
    NothingBody,
    ProgressData,
    StudyBody,
    StudyData,
    StudyQuery,
    StudyRowData,
)
from studyapp.domain.permissions import Action
from studyapp.selectors.monitor import study_counts
from studyapp.selectors.study import StudyPage, studies_list, study_find
from studyapp.services.study import (
    UploadedFile,
    study_close,
    study_open,
    study_pause,
    study_upload,
)

_DEFINITION: Final = "definition"


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
        query = StudyQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = {key: value for key, value in query.validated_data.items() if value is not None}
        rows = studies_list(self.actor)
        shown = [row for row in rows if all(getattr(row, key) == wanted[key] for key in wanted)]
        return page_answer(request, shown, StudyRowData)

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
            owner_id=self.actor_id,
            now=timezone.now(),
        )
        page = study_find(self.actor, study.slug)
        address = self.site(reverse("api:study", kwargs={"slug": study.slug}))
        return Response(StudyData(page).data, status=201, headers={"Location": address})


class StudyView(OneStudyView):
    """One study."""

    actions = {"GET": Action.WATCH}

    @extend_schema(operation_id="study_read", responses=StudyData)
    def get(self, request: Request, slug: str) -> Response:
        """Read a study: its state, its scenarios, and whether its arm key is sealed."""
        return Response(StudyData(self.study).data)


class _MoveView(OneStudyView):
    actions = {"POST": Action.RUN}

    def moved(self, move: Callable[..., Any]) -> Response:
        """Move the study, and answer what it is now."""
        move(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return Response(StudyData(self._again()).data)

    def _again(self) -> StudyPage:
        page = study_find(self.actor, self.study.slug)
        if page is None:
            raise NotFound
        return page


class StudyOpenView(_MoveView):
    """Participants let in."""

    @extend_schema(operation_id="study_open", request=NothingBody, responses=StudyData)
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Open a study; the first time freezes its design."""
        self.read(NothingBody)
        return self.moved(study_open)


class StudyPauseView(_MoveView):
    """No newcomers for now."""

    @extend_schema(operation_id="study_pause", request=NothingBody, responses=StudyData)
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Pause a study; who has begun may finish."""
        self.read(NothingBody)
        return self.moved(study_pause)


class StudyCloseView(_MoveView):
    """The end of data collection."""

    @extend_schema(operation_id="study_close", request=NothingBody, responses=StudyData)
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Close a study for good; its arm key is no longer sealed."""
        self.read(NothingBody)
        return self.moved(study_close)


class ProgressView(OneStudyView):
    """How far participants are."""

    actions = {"GET": Action.WATCH}

    @extend_schema(operation_id="progress_read", responses=ProgressData)
    def get(self, request: Request, slug: str) -> Response:
        """Count participants by how far they are. No count is split by arm."""
        return Response(ProgressData(study_counts(self.study.id)).data)


def files_of(row: dict[str, str]) -> UploadedFile:
    """Return a file that came as text."""
    return UploadedFile(row["file_name"], row["content"].encode())
