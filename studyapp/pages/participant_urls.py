"""Addresses of the participant's side: opaque tokens, no names."""

from __future__ import annotations

from django.urls import path

from studyapp.pages.participant_ends import DonePage, PausePage, ResumePage
from studyapp.pages.participant_join import JoinPage
from studyapp.pages.participant_rights import OwnRightsPage, RightsPage, withdrawn
from studyapp.pages.participant_steps import (
    BackgroundPage,
    DebatePage,
    DraftEndpoint,
    IntroductionPage,
    ReportsPage,
)

urlpatterns = [
    path("rights/", RightsPage.as_view(), name="participant-rights"),
    path("rights/withdrawn/", withdrawn, name="participant-withdrawn"),
    path("p/<str:participant>/rights/", OwnRightsPage.as_view(), name="participant-own-rights"),
    path("s/<str:cohort>/", JoinPage.as_view(), name="join"),
    path("p/<str:participant>/", ResumePage.as_view(), name="participant-resume"),
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
]
