"""The cookie by which a cohort's link knows a browser again, one for each cohort.

It is sealed where somebody agreed in this very browser. Who came back by a link that others may
know, as a panel's, is led back as well, but is not taken for whoever agreed.
"""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.core.signing import Signer
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from studyapp.domain.tokens import LINK_WORD

# What the cookie holds in the browser of somebody who withdrew.
WITHDRAWN: Final = "withdrawn"
_SECONDS: Final = 90 * 24 * 3600
_SIGNER: Final = Signer(salt="studyapp.place")


def place_cookie_name(cohort: str) -> str:
    """Return the name of a cohort's cookie."""
    return f"place_{cohort}"


def place_remember(
    response: HttpResponse, request: HttpRequest, *, cohort: str, token: str, is_own: bool
) -> None:
    """Let the cohort's link lead this browser back; `is_own` says that they agreed in it."""
    sealed = is_own or place_is_own(request, token)
    _set(response, cohort, _SIGNER.sign(token) if sealed else token)


def place_forget(response: HttpResponse, *, cohort: str) -> None:
    """Let the cookie that led to a place say that it is gone."""
    _set(response, cohort, WITHDRAWN)


def place_held(request: HttpRequest, *, cohort: str) -> str:
    """Return the token that the cookie leads to, `WITHDRAWN`, or an empty text."""
    held = request.COOKIES.get(place_cookie_name(cohort), "").partition(_SIGNER.sep)[0]
    return held if re.fullmatch(LINK_WORD, held) else ""


def place_is_own(request: HttpRequest, token: str) -> bool:
    """Say whether this is the browser in which the holder of a personal link agreed."""
    sealed = _SIGNER.sign(token)
    return any(constant_time_compare(value, sealed) for value in request.COOKIES.values())


def _set(response: HttpResponse, cohort: str, value: str) -> None:
    response.set_cookie(
        place_cookie_name(cohort),
        value,
        max_age=_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
