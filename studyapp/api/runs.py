"""Operations about runs: have texts generated, look at a run, cancel it, retry it."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp import tasks
from studyapp.api.base import OneStudyView
from studyapp.api.once import once
from studyapp.api.paging import PageQuery, page_answer, paged
from studyapp.api.schema import ID_PARAMETER
from studyapp.api.stimulus_data import GenerateBody, QueuedData, RunData, RunQuery, RunRowData
from studyapp.api.study_data import NothingBody
from studyapp.domain.permissions import Action
from studyapp.selectors.generation import RunView as RunFound
from studyapp.selectors.generation import preset_config, run_find
from studyapp.selectors.stimulus_rows import runs_rows
from studyapp.services.study import generation_cancel, generation_retry, study_generate


class RunListView(OneStudyView):
    """The runs of a study's scenarios."""

    actions = {"GET": Action.STIMULI, "POST": Action.EDIT}

    @extend_schema(
        operation_id="run_list", parameters=[RunQuery, PageQuery], responses=paged(RunRowData)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the runs that a study's texts come from."""
        asked = self.query(RunQuery)
        rows = runs_rows(self.study.id, **asked)
        return page_answer(request, rows, RunRowData)

    @extend_schema(operation_id="run_generate", request=GenerateBody, responses={202: QueuedData})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Queue a run for every scenario that has no texts and no run that may still give some."""
        preset = self.read(GenerateBody)["preset"]
        runs = study_generate(
            study_id=self.study.id,
            config=preset_config(preset),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        for run_id in runs:
            tasks.run_execute.delay_on_commit(run_id=run_id)
        return Response({"runs": runs}, status=202)


class _OneRunView(OneStudyView):
    def found(self) -> RunFound:
        """Return the run, if it is one of this study's.

        Raises:
            NotFound: it is not.
        """
        run = run_find(study_id=self.study.id, run_id=self.kwargs["id"])
        if run is None:
            raise NotFound
        return run


class RunView(_OneRunView):
    """One run."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(operation_id="run_read", parameters=[ID_PARAMETER], responses=RunData)
    def get(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Read a run: how far it is, and draft by draft how it came to its result."""
        return Response(RunData(self.found()).data)


class RunCancelView(_OneRunView):
    """A run stopped."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="run_cancel",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses=RunData,
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Cancel a run; what it has recorded is kept and used by a retry."""
        self.read(NothingBody)
        generation_cancel(
            study_id=self.study.id,
            run_id=self.found().id,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return Response(RunData(self.found()).data)


class RunRetryView(_OneRunView):
    """A failed or cancelled run taken up again."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="run_retry",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses=RunData,
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Queue a failed or cancelled run again; recorded calls are not repeated."""
        self.read(NothingBody)
        run = self.found()
        generation_retry(
            study_id=self.study.id, run_id=run.id, actor_id=self.actor_id, now=timezone.now()
        )
        tasks.run_execute.delay_on_commit(run_id=run.id)
        return Response(RunData(self.found()).data)
