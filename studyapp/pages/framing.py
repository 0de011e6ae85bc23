"""Pages that may stand in a frame of our own: previews, shown to a researcher who may see them.

Everything else may stand in no frame, so that nobody can be made to click what they do not see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from studyapp.pages.participant_arrival import guest_read
from studyapp.selectors.previews import cohort_is_own, test_place_is_own

_FRAMES: Final = ("iframe", "frame")


class PreviewFrames:
    """Lets the pages of a participant stand in a frame where a researcher walks the test lane.

    A browser says whether it asks for a frame, so that nobody else's session is looked at.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Stand before the views."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and allow the frame where it is the reader's own preview."""
        response = self._get_response(request)
        if request.headers.get("Sec-Fetch-Dest") in _FRAMES and _is_own_preview(request):
            frame_allow(request, response)
        return response


def frame_allow(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Let a page stand in a frame of this site."""
    response["X-Frame-Options"] = "SAMEORIGIN"
    return csp_replace({"frame-ancestors": [SELF]})(lambda _request: response)(request)


def frames_show(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Let a page show frames of this site."""
    return csp_update({"frame-src": [SELF]})(lambda _request: response)(request)


def _is_own_preview(request: HttpRequest) -> bool:
    """Say whether the address is of the test lane of a study that the reader may edit."""
    match, user = request.resolver_match, request.user
    if match is None or not user.is_staff:
        return False
    if "participant" in match.kwargs:
        return test_place_is_own(user, match.kwargs["participant"])
    if match.url_name != "join":
        return False
    cohort = str(match.kwargs["cohort"])
    asked = {**request.GET.dict(), **request.POST.dict()}
    guest = guest_read({key: str(value) for key, value in asked.items()}, cohort=cohort, panel=None)
    return guest is not None and guest.is_preview and cohort_is_own(user, cohort)
