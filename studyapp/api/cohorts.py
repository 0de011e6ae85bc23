"""Operations about cohorts and links: build, open, pause and close, invite, take back."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp.api.base import OneStudyView
from studyapp.api.cohort_data import (
    CohortBody,
    CohortData,
    CohortMoveBody,
    CohortQuery,
    InvitationData,
    InvitationQuery,
    InvitationsBody,
    InvitedData,
    cohort_data,
)
from studyapp.api.once import once
from studyapp.api.paging import PageQuery, page_answer, paged
from studyapp.api.schema import ID_PARAMETER
from studyapp.api.study_data import NothingBody
from studyapp.domain.permissions import Action
from studyapp.selectors.cohorts import (
    CohortPage,
    InvitationRow,
    cohort_find,
    cohorts_rows,
    invitation_find,
    invitations_rows,
)
from studyapp.services.invitation import invitation_revoke, invitations_create
from studyapp.services.study import cohort_create, cohort_move, cohort_remove


class CohortListView(OneStudyView):
    """The cohorts of a study."""

    actions = {"GET": Action.WATCH, "POST": Action.EDIT}

    @extend_schema(
        operation_id="cohort_list",
        parameters=[CohortQuery, PageQuery],
        responses=paged(CohortData),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List a study's cohorts with their links and counts."""
        asked = self.query(CohortQuery)
        rows = cohorts_rows(self.study.id, now=timezone.now(), **asked)
        return page_answer(request, rows, CohortData)

    @extend_schema(operation_id="cohort_create", request=CohortBody, responses={201: CohortData})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Add a cohort to a study that has never been open."""
        body = CohortBody(data=request.data)
        body.is_valid(raise_exception=True)
        plan = body.plan()
        cohort_create(study_id=self.study.id, plan=plan, actor_id=self.actor_id, now=timezone.now())
        address = reverse("api:cohort", kwargs={"slug": slug, "cohort": plan.name})
        cohort = _found(self.study.id, plan.name)
        return Response(
            cohort_data(cohort, {"request": request}),
            status=201,
            headers={"Location": self.site(address)},
        )


class OneCohortView(OneStudyView):
    """An operation about one cohort."""

    def found(self) -> CohortPage:
        """Return the cohort of the address.

        Raises:
            NotFound: the study has none of this name.
        """
        return _found(self.study.id, self.kwargs["cohort"])

    def answer(self) -> Response:
        """Answer the cohort as it is now."""
        return Response(cohort_data(self.found(), {"request": self.request}))


class CohortView(OneCohortView):
    """One cohort."""

    actions = {"GET": Action.WATCH}

    @extend_schema(operation_id="cohort_read", responses=CohortData)
    def get(self, request: Request, slug: str, cohort: str) -> Response:
        """Read a cohort."""
        return self.answer()


class CohortMoveView(OneCohortView):
    """A cohort opened, paused or closed."""

    actions = {"POST": Action.RUN}

    @extend_schema(operation_id="cohort_move", request=CohortMoveBody, responses=CohortData)
    @once
    def post(self, request: Request, slug: str, cohort: str) -> Response:
        """Open, pause or close a cohort."""
        target = self.read(CohortMoveBody)["state"]
        cohort_move(
            study_id=self.study.id,
            name=self.found().name,
            target=target,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return self.answer()


class CohortRemoveView(OneCohortView):
    """A cohort taken out."""

    actions = {"POST": Action.EDIT}

    @extend_schema(operation_id="cohort_remove", request=NothingBody, responses={204: None})
    @once
    def post(self, request: Request, slug: str, cohort: str) -> Response:
        """Take a cohort with its links out of a study that has never been open."""
        self.read(NothingBody)
        cohort_remove(
            study_id=self.study.id,
            name=self.found().name,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return Response(status=204)


class InvitationListView(OneCohortView):
    """The personal links of a cohort. They lead to what their holders answered: not for all."""

    actions = {"GET": Action.EDIT, "POST": Action.EDIT}

    @extend_schema(
        operation_id="invitation_list",
        parameters=[InvitationQuery, PageQuery],
        responses=paged(InvitationData),
    )
    def get(self, request: Request, slug: str, cohort: str) -> Response:
        """List a cohort's personal links."""
        asked = self.query(InvitationQuery)
        rows = invitations_rows(self.found().id, **asked)
        return page_answer(request, rows, InvitationData)

    @extend_schema(
        operation_id="invitation_create", request=InvitationsBody, responses={201: InvitedData}
    )
    @once
    def post(self, request: Request, slug: str, cohort: str) -> Response:
        """Make a personal link for each person; nobody is written to."""
        body = InvitationsBody(data=request.data)
        body.is_valid(raise_exception=True)
        number = invitations_create(
            cohort_id=self.found().id,
            plans=body.plans(),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return Response(
            {"created": number}, status=201, headers={"Location": self.site(request.path)}
        )


class InvitationRevokeView(OneCohortView):
    """A personal link taken back."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="invitation_revoke",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses=InvitationData,
    )
    @once
    def post(self, request: Request, slug: str, cohort: str, id: int) -> Response:  # noqa: A002
        """Take a personal link back: it lets nobody in, and nobody back."""
        self.read(NothingBody)
        found = self.found()
        self._find(found, id)
        invitation_revoke(
            cohort_id=found.id, invitation_id=id, actor_id=self.actor_id, now=timezone.now()
        )
        data = InvitationData(self._find(found, id), context={"request": request}).data
        # Kept for its idempotency key for a day: without whose link it was.
        return Response({**data, "name": "", "role": "", "credential": ""})

    def _find(self, cohort: CohortPage, wanted: int) -> InvitationRow:
        row = invitation_find(cohort.id, wanted)
        if row is None:
            raise NotFound
        return row


def _found(study_id: int, name: str) -> CohortPage:
    cohort = cohort_find(study_id, name, now=timezone.now())
    if cohort is None:
        raise NotFound
    return cohort
