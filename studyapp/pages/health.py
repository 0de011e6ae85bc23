"""Whether the site is well, for whoever starts or watches it."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studyapp.selectors.health import database_answers


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes the request
    """Answer 200 while the database answers, else 503."""
    if database_answers():
        return JsonResponse({"status": "ok"})
    return JsonResponse({"status": "the database does not answer"}, status=503)
