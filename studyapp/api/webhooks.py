"""Operations about webhooks: make one, change it, try it out, see what arrived, remove it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
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
from studyapp.api.study_data import NothingBody
from studyapp.api.webhook_data import DeliveryData, NewWebhookData, WebhookBody, WebhookData
from studyapp.domain.permissions import Action
from studyapp.selectors.notices import WebhookRow, deliveries_rows, webhook_find, webhooks_rows
from studyapp.services.notices import (
    webhook_change,
    webhook_create,
    webhook_remove,
    webhook_test,
)


class WebhookListView(OneStudyView):
    """The webhooks of a study. An address often is a secret of its own: not for all."""

    actions = {"GET": Action.EDIT, "POST": Action.EDIT}
    _secret: str | None = None

    @extend_schema(
        operation_id="webhook_list", parameters=[PageQuery], responses=paged(WebhookData)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List a study's webhooks."""
        return page_answer(request, webhooks_rows(self.study.id), WebhookData)

    @extend_schema(
        operation_id="webhook_create", request=WebhookBody, responses={201: NewWebhookData}
    )
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Have an address told; the answer has the secret that signs what it is told."""
        body = WebhookBody(data=request.data)
        body.is_valid(raise_exception=True)
        made = webhook_create(
            study_id=self.study.id, plan=body.plan(), actor_id=self.actor_id, now=timezone.now()
        )
        self._secret = made.secret
        address = reverse("api:webhook", kwargs={"slug": slug, "id": made.id})
        data = WebhookData(webhook_find(self.study.id, made.id)).data
        return Response(data, status=201, headers={"Location": self.site(address)})

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Response:
        """Add the secret beside what was kept for an idempotency key: it is stored nowhere."""
        answered = super().finalize_response(request, response, *args, **kwargs)
        if answered.status_code == HTTPStatus.CREATED:
            answered.data = {**answered.data, "secret": self._secret}
        return answered


class _OneWebhookView(OneStudyView):
    def found(self) -> WebhookRow:
        """Return the webhook, if it is one of this study's.

        Raises:
            NotFound: it is not.
        """
        row = webhook_find(self.study.id, self.kwargs["id"])
        if row is None:
            raise NotFound
        return row


class WebhookView(_OneWebhookView):
    """One webhook."""

    actions = {"GET": Action.EDIT, "POST": Action.EDIT}

    @extend_schema(operation_id="webhook_read", parameters=[ID_PARAMETER], responses=WebhookData)
    def get(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Read a webhook."""
        return Response(WebhookData(self.found()).data)

    @extend_schema(
        operation_id="webhook_change",
        parameters=[ID_PARAMETER],
        request=WebhookBody,
        responses=WebhookData,
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Change a webhook; its secret stays."""
        found, body = self.found(), WebhookBody(data=request.data)
        body.is_valid(raise_exception=True)
        webhook_change(
            study_id=self.study.id,
            webhook_id=found.id,
            plan=body.plan(),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return Response(WebhookData(self.found()).data)


class WebhookRemoveView(_OneWebhookView):
    """A webhook removed."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="webhook_remove",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses={204: None},
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Remove a webhook; what is on its way to it is dropped."""
        self.read(NothingBody)
        webhook_remove(
            study_id=self.study.id,
            webhook_id=self.found().id,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return Response(status=204)


class WebhookTestView(_OneWebhookView):
    """A test sent to a webhook."""

    actions = {"POST": Action.EDIT}

    @extend_schema(
        operation_id="webhook_test",
        parameters=[ID_PARAMETER],
        request=NothingBody,
        responses={202: WebhookData},
    )
    @once
    def post(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """Put a test on its way; the webhook's deliveries say whether it has arrived."""
        self.read(NothingBody)
        delivery_id = webhook_test(
            study_id=self.study.id,
            webhook_id=self.found().id,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        tasks.notice_deliver.delay_on_commit(delivery_id=delivery_id)
        return Response(WebhookData(self.found()).data, status=202)


class DeliveryListView(_OneWebhookView):
    """What was sent to a webhook."""

    actions = {"GET": Action.EDIT}

    @extend_schema(
        operation_id="webhook_delivery_list",
        parameters=[ID_PARAMETER, PageQuery],
        responses=paged(DeliveryData),
    )
    def get(self, request: Request, slug: str, id: int) -> Response:  # noqa: A002 - the address
        """List the messages to a webhook, the newest first."""
        return page_answer(request, deliveries_rows(self.found().id), DeliveryData)
