"""Addresses of the participant's side: opaque tokens, no names."""

from __future__ import annotations

from django.urls import path

from studyapp.pages.participant_ends import (
    DonePage,
    EndedPage,
    PausePage,
    ReceiptPage,
    ResumePage,
)
from studyapp.pages.participant_invitation import InvitationPage
from studyapp.pages.participant_join import JoinPage
from studyapp.pages.participant_reading import DebatePage, ReportsPage
from studyapp.pages.participant_rights import OwnRightsPage, RightsPage, withdrawn
from studyapp.pages.participant_screening import ScreeningPage
from studyapp.pages.participant_scripts import DraftEndpoint, MarkEndpoint, ReadingEndpoint
from studyapp.pages.participant_steps import BackgroundPage, IntroductionPage

urlpatterns = [
    path("rights/", RightsPage.as_view(), name="participant-rights"),
    path("rights/withdrawn/", withdrawn, name="participant-withdrawn"),
    path("p/<str:participant>/rights/", OwnRightsPage.as_view(), name="participant-own-rights"),
    path("s/<str:cohort>/", JoinPage.as_view(), name="join"),
    path("i/<str:invitation>/", InvitationPage.as_view(), name="invitation"),
    path("p/<str:participant>/", ResumePage.as_view(), name="participant-resume"),
    path(
        "p/<str:participant>/questions-first/",
        ScreeningPage.as_view(),
        name="participant-screening",
    ),
    path("p/<str:participant>/receipt/", ReceiptPage.as_view(), name="participant-receipt"),
    path("p/<str:participant>/ended/", EndedPage.as_view(), name="participant-ended"),
    path("p/<str:participant>/about-you/", BackgroundPage.as_view(), name="participant-background"),
    path("p/<str:participant>/later/", PausePage.as_view(), name="participant-pause"),
    path("p/<str:participant>/thanks/", DonePage.as_view(), name="participant-done"),
    path(
        "p/<str:participant>/t/<str:trial>/", IntroductionPage.as_view(), name="participant-trial"
    ),
    path(
        "p/<str:participant>/t/<str:trial>/debate/", DebatePage.as_view(), name="participant-trace"
    ),
    path(
        "p/<str:participant>/t/<str:trial>/reports/", ReportsPage.as_view(), name="participant-pair"
    ),
    path(
        "p/<str:participant>/t/<str:trial>/draft/",
        DraftEndpoint.as_view(),
        name="participant-draft",
    ),
    path(
        "p/<str:participant>/t/<str:trial>/reading/",
        ReadingEndpoint.as_view(),
        name="participant-reading",
    ),
    path(
        "p/<str:participant>/t/<str:trial>/mark/",
        MarkEndpoint.as_view(),
        name="participant-mark",
    ),
]
