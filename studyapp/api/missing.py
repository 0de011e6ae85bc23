"""Errors that come before an operation, or in spite of it, in the shape of the API's errors."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import method_decorator
from django.views import View, defaults
from django.views.decorators.csrf import csrf_exempt

from studyapp.api.problems import problem_page

_API: Final = "/api/"


@method_decorator(csrf_exempt, name="dispatch")
class MissingView(View):
    """Nothing is here, whoever asks and however."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> JsonResponse:
        """Say so."""
        return problem_page(404, "not_found")


def is_of_api(request: HttpRequest) -> bool:
    """Say whether an address is the API's."""
    return request.path.startswith(_API)


def bad_request() -> HttpResponse:
    """Answer a request that Django itself refuses."""
    return problem_page(400, "bad_request")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address at which there is nothing."""
    if is_of_api(request):
        return problem_page(404, "not_found")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an error that nobody foresaw; the log has it."""
    if is_of_api(request):
        return problem_page(500, "server_error")
    return defaults.server_error(request)
