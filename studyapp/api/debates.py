"""Operations about debates held here: ask for them, look at one, stop it, retry it, use it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp import tasks
from studyapp.api.base import OneStudyView
from studyapp.api.debate_data import (
    CommitteeBody,
    DebateData,
    DebateRowData,
    QueuedDebatesData,
    TrialsBody,
    committee_wish,
    trial_wish,
)
from studyapp.api.once import once
from studyapp.api.paging import PageQuery, page_answer, paged
from studyapp.api.schema import ID_PARAMETER
from studyapp.api.stimulus_data import RunQuery
from studyapp.api.studies import files_of
from studyapp.api.study_data import NothingBody
from studyapp.domain.permissions import Action
from studyapp.selectors.debate_views import DebateView as DebateFound
from studyapp.selectors.debates import debate_find, debates_rows
from studyapp.services.debates import (
    Trunk,
    committee_request,
    debate_cancel,
    debate_retry,
    debate_take,
    trials_request,
)


class DebateListView(OneStudyView):
    """The debates a study has had held."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(
        operation_id="debate_list", parameters=[RunQuery, PageQuery], responses=paged(DebateRowData)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the debates held here for a study, the newest first."""
        asked = self.query(RunQuery)
        return page_answer(request, debates_rows(self.study.id, **asked), DebateRowData)


class CommitteeView(OneStudyView):
    """A debate of the crisis committee asked for."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="debate_hold_committee",
        request=CommitteeBody,
        responses={202: QueuedDebatesData},
    )
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Queue a debate; it becomes a scenario of the study when its rules have ended it."""
        wish = committee_wish(self.read(CommitteeBody))
        trunk = committee_request(
            study_id=self.study.id, wish=wish, actor_id=self.actor_id, now=timezone.now()
        )
        return _queued([trunk])


class TrialsView(OneStudyView):
    """Trials of claims asked for."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="debate_hold_trials", request=TrialsBody, responses={202: QueuedDebatesData}
    )
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Queue a trial of each claim, all or none."""
        asked = self.read(TrialsBody)
        trunks = trials_request(
            study_id=self.study.id,
            claims=asked["claims"],
            corpus=files_of(asked["corpus"]),
            wish=trial_wish(asked),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _queued(trunks)


class _OneDebateView(OneStudyView):
    def found(self) -> DebateFound:
        """Return the debate, if it is one of this study's.

        Raises:
            NotFound: it is not.
        """
        debate = debate_find(study_id=self.study.id, debate_id=self.kwargs["id"])
        if debate is None:
            raise NotFound
        return debate

    def subject(self) -> dict[str, Any]:
        """Name the debate, who acts and when."""
        return {
            "study_id": self.study.id,
            "debate_id": self.found().row.id,
            "actor_id": self.actor_id,
            "now": timezone.now(),
        }


class DebateView(_OneDebateView):
    """One debate."""

    actions = {"GET": Action.STIMULI}

    @extend_schema(operation_id="debate_read", parameters=[ID_PARAMETER], responses=DebateData)
    def get(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Read a debate: how far it is, call by call, and how it ended."""
        return Response(DebateData(self.found()).data)


class DebateCancelView(_OneDebateView):
    """A debate stopped."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="debate_cancel",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses=DebateData,
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Cancel a debate; what it has recorded is kept and used by a retry."""
        self.read(NothingBody)
        debate_cancel(**self.subject())
        return Response(DebateData(self.found()).data)


class DebateRetryView(_OneDebateView):
    """A failed or cancelled debate taken up again."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="debate_retry",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses=DebateData,
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Queue a failed or cancelled debate again; recorded calls are not repeated."""
        self.read(NothingBody)
        trunk = debate_retry(**self.subject())
        tasks.branch_execute.delay_on_commit(branch_id=trunk.branch_id)
        return Response(DebateData(self.found()).data)


class DebateTakeView(_OneDebateView):
    """The trace of an ended debate added to the study."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="debate_take",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses=DebateData,
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Add a debate's trace as a scenario, though a limit or a failure ended it."""
        self.read(NothingBody)
        debate_take(**self.subject())
        return Response(DebateData(self.found()).data)


def _queued(trunks: list[Trunk]) -> Response:
    for trunk in trunks:
        tasks.branch_execute.delay_on_commit(branch_id=trunk.branch_id)
    return Response({"debates": [trunk.debate_id for trunk in trunks]}, status=202)
