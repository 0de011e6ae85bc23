"""Addresses of the API. Every one of a study begins with the study's slug."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from studyapp.api import cohorts, debates, exports, runs, stimuli, studies, webhooks
from studyapp.api.missing import MissingView


class RowConverter(IntConverter):
    """A primary key: a number that fits into the database's 64 bits."""

    regex = "[0-9]{1,18}"


register_converter(RowConverter, "row")

app_name = "api"
_STUDY = "studies/<slug:slug>"
_COHORT = f"{_STUDY}/cohorts/<slug:cohort>"
_WEBHOOK = f"{_STUDY}/webhooks/<row:id>"
_TRACE = f"{_STUDY}/traces/<slug:scenario>"
_DEBATE = f"{_STUDY}/debates/<row:id>"

urlpatterns = [
    path("studies", studies.StudyListView.as_view(), name="studies"),
    path(_STUDY, studies.StudyView.as_view(), name="study"),
    path(f"{_STUDY}/state", studies.StudyMoveView.as_view(), name="study-move"),
    path(f"{_STUDY}/versions", studies.VersionListView.as_view(), name="versions"),
    path(f"{_STUDY}/definition", studies.DefinitionView.as_view(), name="definition"),
    path(
        f"{_STUDY}/preregistration", studies.PreregistrationView.as_view(), name="preregistration"
    ),
    path(f"{_STUDY}/progress", studies.ProgressView.as_view(), name="progress"),
    path(f"{_STUDY}/watch", studies.WatchView.as_view(), name="watch"),
    path(f"{_STUDY}/cohorts", cohorts.CohortListView.as_view(), name="cohorts"),
    path(_COHORT, cohorts.CohortView.as_view(), name="cohort"),
    path(f"{_COHORT}/remove", cohorts.CohortRemoveView.as_view(), name="cohort-remove"),
    path(f"{_COHORT}/state", cohorts.CohortMoveView.as_view(), name="cohort-move"),
    path(f"{_COHORT}/links", cohorts.InvitationListView.as_view(), name="invitations"),
    path(
        f"{_COHORT}/links/<row:id>/revoke",
        cohorts.InvitationRevokeView.as_view(),
        name="invitation-revoke",
    ),
    path(f"{_STUDY}/traces", stimuli.TraceListView.as_view(), name="traces"),
    path(_TRACE, stimuli.TraceView.as_view(), name="trace"),
    path(f"{_TRACE}/title", stimuli.TraceNameView.as_view(), name="trace-name"),
    path(f"{_TRACE}/remove", stimuli.TraceRemoveView.as_view(), name="trace-remove"),
    path(f"{_STUDY}/debates", debates.DebateListView.as_view(), name="debates"),
    path(f"{_STUDY}/debates/committee", debates.CommitteeView.as_view(), name="debate-committee"),
    path(f"{_STUDY}/debates/trials", debates.TrialsView.as_view(), name="debate-trials"),
    path(_DEBATE, debates.DebateView.as_view(), name="debate"),
    path(f"{_DEBATE}/cancel", debates.DebateCancelView.as_view(), name="debate-cancel"),
    path(f"{_DEBATE}/retry", debates.DebateRetryView.as_view(), name="debate-retry"),
    path(f"{_DEBATE}/take", debates.DebateTakeView.as_view(), name="debate-take"),
    path(f"{_STUDY}/pairs", stimuli.PairListView.as_view(), name="pairs"),
    path(f"{_STUDY}/pairs/<slug:scenario>", stimuli.PairView.as_view(), name="pair"),
    path(f"{_STUDY}/runs", runs.RunListView.as_view(), name="runs"),
    path(f"{_STUDY}/runs/<row:id>", runs.RunView.as_view(), name="run"),
    path(f"{_STUDY}/runs/<row:id>/cancel", runs.RunCancelView.as_view(), name="run-cancel"),
    path(f"{_STUDY}/runs/<row:id>/retry", runs.RunRetryView.as_view(), name="run-retry"),
    path(f"{_STUDY}/exports", exports.ExportListView.as_view(), name="exports"),
    path(f"{_STUDY}/exports/<row:id>", exports.ExportView.as_view(), name="export"),
    path(f"{_STUDY}/exports/<row:id>/file", exports.ExportFileView.as_view(), name="export-file"),
    path(f"{_STUDY}/webhooks", webhooks.WebhookListView.as_view(), name="webhooks"),
    path(_WEBHOOK, webhooks.WebhookView.as_view(), name="webhook"),
    path(f"{_WEBHOOK}/remove", webhooks.WebhookRemoveView.as_view(), name="webhook-remove"),
    path(f"{_WEBHOOK}/test", webhooks.WebhookTestView.as_view(), name="webhook-test"),
    path(f"{_WEBHOOK}/deliveries", webhooks.DeliveryListView.as_view(), name="deliveries"),
    path("", MissingView.as_view()),
    path("<path:rest>", MissingView.as_view()),
]
