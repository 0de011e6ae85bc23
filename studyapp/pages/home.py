"""The plain first page: what this site is, and where researchers sign in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is. It lists no study: participants come by their own link."""
    return render(request, "home.html")
