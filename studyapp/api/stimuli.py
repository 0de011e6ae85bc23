"""Operations about debates and pairs: upload and read."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp.api.base import OneStudyView
from studyapp.api.once import once
from studyapp.api.paging import PageQuery, page_answer, paged
from studyapp.api.stimulus_data import PairData, TraceData, TraceRowData
from studyapp.api.studies import files_of
from studyapp.api.study_data import FileBody
from studyapp.domain.permissions import Action
from studyapp.selectors.stimulus_rows import pair_record, pairs_list, trace_record, traces_list
from studyapp.services.study import debates_add


class TraceListView(OneStudyView):
    """The debates of a study."""

    actions = {"GET": Action.STIMULI, "POST": Action.EDIT}

    @extend_schema(operation_id="trace_list", parameters=[PageQuery], responses=paged(TraceRowData))
    def get(self, request: Request, slug: str) -> Response:
        """List a study's debates."""
        return page_answer(request, traces_list(self.study.id), TraceRowData)

    @extend_schema(operation_id="trace_upload", request=FileBody, responses={201: TraceRowData})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Add a debate as a scenario of a study that has never been open."""
        file = files_of(self.read(FileBody))
        added = debates_add(
            study_id=self.study.id, debates=[file], actor_id=self.actor_id, now=timezone.now()
        )
        key = added[0].key
        row = next(row for row in traces_list(self.study.id) if row.scenario == key)
        address = self.site(reverse("api:trace", kwargs={"slug": slug, "scenario": key}))
        return Response(TraceRowData(row).data, status=201, headers={"Location": address})


class TraceView(OneStudyView):
    """One debate."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(operation_id="trace_read", responses=TraceData)
    def get(self, request: Request, slug: str, scenario: str) -> Response:
        """Read a debate whole, private traces included."""
        found = trace_record(study_id=self.study.id, scenario=scenario)
        if found is None:
            raise NotFound
        return Response(TraceData(found).data)


class PairListView(OneStudyView):
    """The frozen pairs of a study."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(operation_id="pair_list", parameters=[PageQuery], responses=paged(PairData))
    def get(self, request: Request, slug: str) -> Response:
        """List a study's frozen pairs, both texts under their arms."""
        return page_answer(request, pairs_list(self.study.id), PairData)


class PairView(OneStudyView):
    """One frozen pair."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(operation_id="pair_read", responses=PairData)
    def get(self, request: Request, slug: str, scenario: str) -> Response:
        """Read the frozen pair of a scenario."""
        found = pair_record(study_id=self.study.id, scenario=scenario)
        if found is None:
            raise NotFound
        return Response(PairData(found).data)
