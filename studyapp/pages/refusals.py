"""The page for a request that cannot be read, shown without reading it again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, *_reason: object, **_named: object) -> HttpResponse:
    """Say that the request was not understood.

    Django's own page looks for a token in the form first. A form in an encoding that may not be
    read breaks that as well, and then every page for it.
    """
    return render(request, "400.html", status=400)
