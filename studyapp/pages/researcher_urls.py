"""Addresses of the researcher's pages. Every one of a study begins with the study's slug."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path, register_converter
from django.urls.converters import IntConverter, StringConverter

from studyapp.domain.passages import TextPage
from studyapp.pages import researcher_cohorts as cohorts
from studyapp.pages import researcher_debates as held
from studyapp.pages import researcher_exports as exports
from studyapp.pages import researcher_launch as launch
from studyapp.pages import researcher_members as members
from studyapp.pages import researcher_notices as notices
from studyapp.pages import researcher_previews as previews
from studyapp.pages import researcher_reports as reports
from studyapp.pages import researcher_retention as retention
from studyapp.pages import researcher_runs as runs
from studyapp.pages import researcher_scenarios as scenarios
from studyapp.pages import researcher_stimuli as stimuli
from studyapp.pages import researcher_studies as studies
from studyapp.pages import researcher_texts as texts
from studyapp.pages import researcher_tokens as tokens
from studyapp.pages import researcher_watch as watching
from studyapp.pages.second_factor import SecondFactorPage, SecondFactorSetPage


class KeyConverter(IntConverter):
    """A primary key: a number that fits into the database's 64 bits."""

    regex = "[0-9]{1,18}"


class WordsConverter(StringConverter):
    """One of the pages on which participants read the words of a study."""

    regex = "|".join(TextPage)


register_converter(KeyConverter, "key")
register_converter(WordsConverter, "words")

urlpatterns = [
    path("login/code/", SecondFactorPage.as_view(), name="second-factor"),
    path("login/second-factor/", SecondFactorSetPage.as_view(), name="second-factor-set"),
    path("m/<str:token>/", members.MemberAcceptPage.as_view(), name="member-accept"),
    path("account/tokens/", tokens.TokensPage.as_view(), name="api-tokens"),
    path(
        "account/tokens/<key:token>/revoke/",
        tokens.TokenRevokeAction.as_view(),
        name="api-token-revoke",
    ),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("studies/", studies.StudyListPage.as_view(), name="study-list"),
    # Not under studies/, where a study could have this slug.
    path("new-study/", studies.StudyCreatePage.as_view(), name="study-create"),
    path("studies/<slug:slug>/", studies.StudyDetailPage.as_view(), name="study-detail"),
    path(
        "studies/<slug:slug>/retention/",
        retention.RetentionPage.as_view(),
        name="study-retention",
    ),
    path("studies/<slug:slug>/log/", members.LogPage.as_view(), name="study-log"),
    path("studies/<slug:slug>/members/", members.MembersPage.as_view(), name="study-members"),
    path(
        "studies/<slug:slug>/members/<key:member>/role/",
        members.MemberRoleAction.as_view(),
        name="member-role",
    ),
    path(
        "studies/<slug:slug>/members/<key:member>/remove/",
        members.MemberRemoveAction.as_view(),
        name="member-remove",
    ),
    path(
        "studies/<slug:slug>/members/invitations/<key:invitation>/revoke/",
        members.MemberInvitationRevokeAction.as_view(),
        name="member-invitation-revoke",
    ),
    path("studies/<slug:slug>/notices/", notices.NoticesPage.as_view(), name="study-notices"),
    path(
        "studies/<slug:slug>/notices/mail/",
        notices.NoticesMailAction.as_view(),
        name="notices-mail",
    ),
    path(
        "studies/<slug:slug>/notices/new-webhook/",
        notices.WebhookCreatePage.as_view(),
        name="webhook-create",
    ),
    path(
        "studies/<slug:slug>/notices/webhooks/<key:webhook>/",
        notices.WebhookDetailPage.as_view(),
        name="webhook-detail",
    ),
    path(
        "studies/<slug:slug>/notices/webhooks/<key:webhook>/test/",
        notices.WebhookTestAction.as_view(),
        name="webhook-test",
    ),
    path(
        "studies/<slug:slug>/notices/webhooks/<key:webhook>/remove/",
        notices.WebhookRemoveAction.as_view(),
        name="webhook-remove",
    ),
    path("studies/<slug:slug>/watch/", watching.StudyWatchPage.as_view(), name="study-watch"),
    path(
        "studies/<slug:slug>/watch/live/",
        watching.StudyWatchLivePage.as_view(),
        name="watch-live",
    ),
    path("studies/<slug:slug>/preview/", previews.FlowPreviewPage.as_view(), name="study-preview"),
    path("studies/<slug:slug>/words/", texts.WordsPage.as_view(), name="study-words"),
    path(
        "studies/<slug:slug>/words/<slug:language>/remove/",
        texts.TranslationRemoveAction.as_view(),
        name="translation-remove",
    ),
    path(
        "studies/<slug:slug>/words/<slug:language>/<words:page>/",
        texts.WordsEditPage.as_view(),
        name="words-edit",
    ),
    path(
        "studies/<slug:slug>/words/<slug:language>/<words:page>/preview/",
        texts.WordsPreviewPage.as_view(),
        name="words-preview",
    ),
    path("studies/<slug:slug>/live/", studies.StudyLivePage.as_view(), name="study-live"),
    path("studies/<slug:slug>/generate/", studies.GenerateAction.as_view(), name="study-generate"),
    path("studies/<slug:slug>/open/", studies.OpenAction.as_view(), name="study-open"),
    path("studies/<slug:slug>/pause/", studies.PauseAction.as_view(), name="study-pause"),
    path("studies/<slug:slug>/close/", studies.CloseAction.as_view(), name="study-close"),
    path("studies/<slug:slug>/pilot/", launch.PilotAction.as_view(), name="study-pilot"),
    path("studies/<slug:slug>/redraft/", launch.RedraftAction.as_view(), name="study-redraft"),
    path("studies/<slug:slug>/archive/", launch.ArchiveAction.as_view(), name="study-archive"),
    path(
        "studies/<slug:slug>/new-version/",
        launch.VersionCreateAction.as_view(),
        name="version-create",
    ),
    path(
        "studies/<slug:slug>/preregistration.<slug:form>",
        launch.PreregistrationPage.as_view(),
        name="preregistration",
    ),
    path("studies/<slug:slug>/texts/", scenarios.PairsLoadPage.as_view(), name="pairs-load"),
    path("studies/<slug:slug>/exports/", exports.ExportsPage.as_view(), name="study-exports"),
    path(
        "studies/<slug:slug>/exports/live/", exports.ExportsLivePage.as_view(), name="exports-live"
    ),
    path(
        "studies/<slug:slug>/exports/request/",
        exports.ExportRequestPage.as_view(),
        name="export-request",
    ),
    path(
        "studies/<slug:slug>/exports/<key:export>/",
        exports.ExportFileAction.as_view(),
        name="export-file",
    ),
    path(
        "studies/<slug:slug>/arm-key/unseal/",
        exports.ArmKeyUnsealPage.as_view(),
        name="arm-key-unseal",
    ),
    path("studies/<slug:slug>/export/", studies.ExportAction.as_view(), name="study-export"),
    path(
        "studies/<slug:slug>/new-committee/",
        held.CommitteeCreatePage.as_view(),
        name="committee-create",
    ),
    path("studies/<slug:slug>/new-trial/", held.TrialCreatePage.as_view(), name="trial-create"),
    path(
        "studies/<slug:slug>/held/<key:debate>/",
        held.DebateDetailPage.as_view(),
        name="debate-detail",
    ),
    path(
        "studies/<slug:slug>/held/<key:debate>/live/",
        held.DebateLivePage.as_view(),
        name="debate-live",
    ),
    path(
        "studies/<slug:slug>/held/<key:debate>/cancel/",
        held.DebateCancelAction.as_view(),
        name="debate-cancel",
    ),
    path(
        "studies/<slug:slug>/held/<key:debate>/retry/",
        held.DebateRetryAction.as_view(),
        name="debate-retry",
    ),
    path(
        "studies/<slug:slug>/held/<key:debate>/take/",
        held.DebateTakeAction.as_view(),
        name="debate-take",
    ),
    path("studies/<slug:slug>/design.zip", studies.StudySharePage.as_view(), name="study-share"),
    path("studies/<slug:slug>/debates/", scenarios.DebatesAddPage.as_view(), name="debates-add"),
    # Not under cohorts/, where a cohort could have this name.
    path(
        "studies/<slug:slug>/new-cohort/", cohorts.CohortCreatePage.as_view(), name="cohort-create"
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/",
        cohorts.CohortDetailPage.as_view(),
        name="cohort-detail",
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/code.svg",
        cohorts.CohortCodePage.as_view(),
        name="cohort-code",
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/move/<slug:move>/",
        cohorts.CohortMoveAction.as_view(),
        name="cohort-move",
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/remove/",
        cohorts.CohortRemoveAction.as_view(),
        name="cohort-remove",
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/invitations/",
        cohorts.InvitationsAddPage.as_view(),
        name="invitations-add",
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/invitations.csv",
        cohorts.InvitationsFilePage.as_view(),
        name="invitations-file",
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/invitations/<key:invitation>/code.svg",
        cohorts.InvitationCodePage.as_view(),
        name="invitation-code",
    ),
    path(
        "studies/<slug:slug>/cohorts/<slug:cohort>/invitations/<key:invitation>/revoke/",
        cohorts.InvitationRevokeAction.as_view(),
        name="invitation-revoke",
    ),
    path("studies/<slug:slug>/report/", reports.ReportPage.as_view(), name="study-report"),
    path("studies/<slug:slug>/report/live/", reports.ReportLivePage.as_view(), name="report-live"),
    path(
        "studies/<slug:slug>/report/request/",
        reports.ReportRequestAction.as_view(),
        name="report-request",
    ),
    path(
        "studies/<slug:slug>/report/<key:report>/",
        reports.ReportReadPage.as_view(),
        name="report-read",
    ),
    path(
        "studies/<slug:slug>/report/<key:report>/<slug:form>/",
        reports.ReportFilePage.as_view(),
        name="report-file",
    ),
    path(
        "studies/<slug:slug>/scenarios/<slug:key>/title/",
        scenarios.ScenarioNameAction.as_view(),
        name="scenario-name",
    ),
    path(
        "studies/<slug:slug>/scenarios/<slug:key>/remove/",
        scenarios.ScenarioRemoveAction.as_view(),
        name="scenario-remove",
    ),
    path(
        "studies/<slug:slug>/scenarios/<slug:key>/trace/",
        stimuli.TracePage.as_view(),
        name="trace-detail",
    ),
    path(
        "studies/<slug:slug>/scenarios/<slug:key>/pair/",
        stimuli.PairPage.as_view(),
        name="pair-detail",
    ),
    path("studies/<slug:slug>/runs/<key:run>/", runs.RunDetailPage.as_view(), name="run-detail"),
    path("studies/<slug:slug>/runs/<key:run>/live/", runs.RunLivePage.as_view(), name="run-live"),
    path(
        "studies/<slug:slug>/runs/<key:run>/cancel/",
        runs.RunCancelAction.as_view(),
        name="run-cancel",
    ),
    path(
        "studies/<slug:slug>/runs/<key:run>/retry/",
        runs.RunRetryAction.as_view(),
        name="run-retry",
    ),
]
