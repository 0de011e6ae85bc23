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
from studyapp.api.stimulus_data import BroughtData, PairData, TitleBody, TraceData, TraceRowData
from studyapp.api.studies import files_of
from studyapp.api.study_data import FileBody, NothingBody
from studyapp.domain.permissions import Action
from studyapp.selectors.stimulus_rows import (
    TraceRow,
    pair_record,
    pairs_rows,
    trace_record,
    trace_row,
    traces_rows,
)
from studyapp.services.study import debates_add, pairs_load, scenario_name, scenario_remove


class TraceListView(OneStudyView):
    """The debates of a study."""

    actions = {"GET": Action.STIMULI, "POST": Action.EDIT}

    @extend_schema(operation_id="trace_list", parameters=[PageQuery], responses=paged(TraceRowData))
    def get(self, request: Request, slug: str) -> Response:
        """List a study's debates."""
        return page_answer(request, traces_rows(self.study.id), TraceRowData)

    @extend_schema(operation_id="trace_upload", request=FileBody, responses={201: TraceRowData})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Add a debate as a scenario of a study that has never been open."""
        file = files_of(self.read(FileBody))
        added = debates_add(
            study_id=self.study.id, debates=[file], actor_id=self.actor_id, now=timezone.now()
        )
        key = added[0].key
        address = self.site(reverse("api:trace", kwargs={"slug": slug, "scenario": key}))
        row = _trace_found(self, key)
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


class TraceNameView(OneStudyView):
    """The title of a debate."""

    actions = {"POST": Action.EDIT}

    @extend_schema(operation_id="trace_name", request=TitleBody, responses=TraceRowData)
    @once
    def post(self, request: Request, slug: str, scenario: str) -> Response:
        """Give a debate the title that participants read; an empty one takes it away."""
        title = self.read(TitleBody)["title"]
        scenario_name(
            study_id=self.study.id,
            key=_trace_found(self, scenario).scenario,
            title=title,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return Response(TraceRowData(_trace_found(self, scenario)).data)


class TraceRemoveView(OneStudyView):
    """A debate taken out."""

    actions = {"POST": Action.EDIT}

    @extend_schema(operation_id="trace_remove", request=NothingBody, responses={204: None})
    @once
    def post(self, request: Request, slug: str, scenario: str) -> Response:
        """Take a debate out of a study that has never been open."""
        self.read(NothingBody)
        scenario_remove(
            study_id=self.study.id,
            key=_trace_found(self, scenario).scenario,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return Response(status=204)


class PairListView(OneStudyView):
    """The frozen pairs of a study."""

    actions = {"GET": Action.STIMULI, "POST": Action.EDIT}

    @extend_schema(operation_id="pair_list", parameters=[PageQuery], responses=paged(PairData))
    def get(self, request: Request, slug: str) -> Response:
        """List a study's frozen pairs, both texts under their arms."""
        return page_answer(request, pairs_rows(self.study.id), PairData)

    @extend_schema(operation_id="pair_upload", request=FileBody, responses={201: BroughtData})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Bring texts of your own, as CSV or JSON, in place of generated ones: all or none."""
        keys = pairs_load(
            study_id=self.study.id,
            file=files_of(self.read(FileBody)),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        address = self.site(request.path)
        return Response({"scenarios": keys}, status=201, headers={"Location": address})


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


def _trace_found(view: OneStudyView, scenario: str) -> TraceRow:
    row = trace_row(study_id=view.study.id, scenario=scenario)
    if row is None:
        raise NotFound
    return row
