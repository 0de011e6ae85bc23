"""Addresses of the participant's side: opaque tokens, no names."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from studyapp.domain.tokens import LINK_WORD
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


class TokenConverter(StringConverter):
    """What can be a token: a database need not be asked for anything else, and may not take it."""

    regex = LINK_WORD


register_converter(TokenConverter, "token")

urlpatterns = [
    path("rights/", RightsPage.as_view(), name="participant-rights"),
    path("rights/withdrawn/", withdrawn, name="participant-withdrawn"),
    path("p/<token:participant>/rights/", OwnRightsPage.as_view(), name="participant-own-rights"),
    path("s/<token:cohort>/", JoinPage.as_view(), name="join"),
    path("i/<token:invitation>/", InvitationPage.as_view(), name="invitation"),
    path("p/<token:participant>/", ResumePage.as_view(), name="participant-resume"),
    path(
        "p/<token:participant>/questions-first/",
        ScreeningPage.as_view(),
        name="participant-screening",
    ),
    path("p/<token:participant>/receipt/", ReceiptPage.as_view(), name="participant-receipt"),
    path("p/<token:participant>/ended/", EndedPage.as_view(), name="participant-ended"),
    path(
        "p/<token:participant>/about-you/", BackgroundPage.as_view(), name="participant-background"
    ),
    path("p/<token:participant>/later/", PausePage.as_view(), name="participant-pause"),
    path("p/<token:participant>/thanks/", DonePage.as_view(), name="participant-done"),
    path(
        "p/<token:participant>/t/<token:trial>/",
        IntroductionPage.as_view(),
        name="participant-trial",
    ),
    path(
        "p/<token:participant>/t/<token:trial>/debate/",
        DebatePage.as_view(),
        name="participant-trace",
    ),
    path(
        "p/<token:participant>/t/<token:trial>/reports/",
        ReportsPage.as_view(),
        name="participant-pair",
    ),
    path(
        "p/<token:participant>/t/<token:trial>/draft/",
        DraftEndpoint.as_view(),
        name="participant-draft",
    ),
    path(
        "p/<token:participant>/t/<token:trial>/reading/",
        ReadingEndpoint.as_view(),
        name="participant-reading",
    ),
    path(
        "p/<token:participant>/t/<token:trial>/mark/",
        MarkEndpoint.as_view(),
        name="participant-mark",
    ),
]
