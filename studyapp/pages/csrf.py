"""What somebody sees whose form could not be trusted: the same page, with all they had entered."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from studyapp.pages.participant_frame import KeepsAnswers


def csrf_failure(request: HttpRequest, **_reason: str) -> HttpResponseBase:
    """Refuse a POST without a valid token; nothing it holds is stored.

    Cookies get lost and pages grow old. A page that keeps answers comes back filled, with a new
    token, so that sending it again is all there is to do.
    """
    response = _filled(request) or render(request, "403_csrf.html", status=403)
    add_never_cache_headers(response)
    return response


def _filled(request: HttpRequest) -> HttpResponseBase | None:
    match = request.resolver_match
    page_class = getattr(match.func, "view_class", None) if match else None
    if match is None or page_class is None or not issubclass(page_class, KeepsAnswers):
        return None
    page: KeepsAnswers = page_class()
    page.setup(request, *match.args, **match.kwargs)
    return page.redisplay()
