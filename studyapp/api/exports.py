"""Operations about exports: ask for one, see how far it is, take it along."""

from __future__ import annotations

from typing import Final

from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp import tasks
from studyapp.api.base import OneStudyView
from studyapp.api.export_data import ExportBody, ExportData, ExportQuery
from studyapp.api.once import once
from studyapp.api.paging import PageQuery, page_answer, paged
from studyapp.api.schema import ID_PARAMETER
from studyapp.domain.export_options import options_load
from studyapp.domain.permissions import Action
from studyapp.selectors.export import ExportRow, export_find, exports_rows
from studyapp.services.export.jobs import export_request, export_take

FILE_TYPE: Final = "application/octet-stream"


class AnyFile(JSONRenderer):
    """Lets a client ask for whatever type it wants to have the file in; errors stay JSON."""

    media_type = "*/*"


class ExportListView(OneStudyView):
    """The exports of a study."""

    actions = {"GET": Action.ANALYSE, "POST": Action.ANALYSE}

    @extend_schema(
        operation_id="export_list",
        parameters=[ExportQuery, PageQuery],
        responses=paged(ExportData),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List a study's exports, the newest first."""
        asked = self.query(ExportQuery)
        rows = exports_rows(self.study.id, **asked)
        return page_answer(request, rows, ExportData)

    @extend_schema(operation_id="export_request", request=ExportBody, responses={202: ExportData})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Have a worker build an export; refused where it would tell what is sealed."""
        body = self.read(ExportBody)
        lane = body.pop("lane")
        options = options_load({**body, "data": lane})
        job_id = export_request(
            study_id=self.study.id,
            options=options,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        tasks.export_build.delay_on_commit(job_id=job_id)
        address = self.site(reverse("api:export", kwargs={"slug": slug, "id": job_id}))
        data = ExportData(_found(self.study.id, job_id)).data
        return Response(data, status=202, headers={"Location": address})


class ExportView(OneStudyView):
    """One export."""

    actions = {"GET": Action.ANALYSE}

    @extend_schema(operation_id="export_read", parameters=[ID_PARAMETER], responses=ExportData)
    def get(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Read how far an export is."""
        return Response(ExportData(_found(self.study.id, id)).data)


class ExportFileView(OneStudyView):
    """The file of an export."""

    actions = {"GET": Action.ANALYSE}
    renderer_classes = [JSONRenderer, AnyFile]
    http_method_names = ["get"]

    @extend_schema(
        operation_id="export_download",
        parameters=[ID_PARAMETER],
        responses={(200, FILE_TYPE): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str, id: int) -> HttpResponseBase:  # noqa: A002
        """Download a finished export; each download is logged."""
        row = _found(self.study.id, id)
        path = export_take(
            study_id=self.study.id,
            job_id=row.id,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return FileResponse(
            path.open("rb"), as_attachment=True, filename=row.name, content_type=FILE_TYPE
        )


def _found(study_id: int, job_id: int) -> ExportRow:
    row = export_find(study_id, job_id)
    if row is None:
        raise NotFound
    return row
