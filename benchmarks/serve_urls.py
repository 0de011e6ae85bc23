"""A view that asks the database as often and answers as much as it is told, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path

from studyapp.models import Study
from studyapp.urls import urlpatterns as site_urls


def limit(request: HttpRequest) -> HttpResponse:
    """Fetch one row by its primary key `q` times and answer `b` bytes."""
    for _ in range(int(request.GET["q"])):
        Study.objects.values_list("slug", flat=True).get(pk=int(request.GET["pk"]))
    return HttpResponse(b"x" * int(request.GET["b"]))


class CountingMiddleware:
    """Tells how many queries an answer took, where it is asked to."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and count if asked."""
        if "X-Count" not in request.headers:
            return self.get_response(request)
        asked: list[str] = []

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - Django calls it so
            asked.append(sql)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            response = self.get_response(request)
        response["X-Queries"] = str(len(asked))
        return response


urlpatterns = [path("limit/", limit), *site_urls]
