"""Which browser enters answers, where others may know the link that leads to them.

What was entered and not yet submitted is shown in the browser that entered it, and to its holder:
whoever agreed in this browser, or has entered the receipt code in it. Everybody else who comes by a
shared link goes on with an empty form.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from studyapp.domain.tokens import token_new
from studyapp.pages.place_cookie import place_is_own
from studyapp.selectors.own_data import link_is_shared

# The holder's name among the writers of a trial.
HOLDER: Final = ""
_COOKIE: Final = "writer"
_LETTERS: Final = 32
_SECONDS: Final = 90 * 24 * 3600


def writer_of(request: HttpRequest, participant: str) -> str:
    """Return a name for who writes: the holder's, or a digest of this browser's own cookie.

    A browser without the cookie is nobody who comes again, so its name is made up.
    """
    if place_is_own(request, participant) or not link_is_shared(participant):
        return HOLDER
    word = request.COOKIES.get(_COOKIE) or token_new()
    return salted_hmac("studyapp.writer", word, algorithm="sha256").hexdigest()[:_LETTERS]


def writer_remember(response: HttpResponseBase, request: HttpRequest) -> None:
    """Let this browser be known again by what it enters."""
    if isinstance(response, HttpResponse) and _COOKIE not in request.COOKIES:
        response.set_cookie(
            _COOKIE,
            token_new(),
            max_age=_SECONDS,
            path="/p/",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
