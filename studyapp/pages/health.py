"""Whether the site is well, for whoever starts or watches it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studyapp.selectors.health import database_answers, migrations_applied, worker_health

_NO_DATABASE = {"status": "the database does not answer"}


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes the request
    """Answer 200 while the process lives and the database answers, else 503."""
    if database_answers():
        return JsonResponse({"status": "ok"})
    return _unwell(_NO_DATABASE)


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes the request
    """Answer 200 where requests can be served, else 503; the workers are told, and do not decide.

    Participants need no worker, so a site without one stays in its proxy's list.
    """
    if not database_answers():
        return _unwell(_NO_DATABASE)
    if not migrations_applied():
        return _unwell({"status": "the database wants manage.py migrate"})
    worker = worker_health(now=timezone.now())
    seen = {"seconds_since_sweep": worker.age_seconds, "is_late": worker.is_late}
    return JsonResponse({"status": "ok", "worker": seen})


@never_cache
@require_safe
def worker_readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes the request
    """Answer 200 while workers sweep, else 503."""
    if not database_answers():
        return _unwell(_NO_DATABASE)
    worker = worker_health(now=timezone.now())
    if worker.is_late:
        return _unwell({"status": "no worker sweeps", "seconds_since_sweep": worker.age_seconds})
    return JsonResponse({"status": "ok", "seconds_since_sweep": worker.age_seconds})


def _unwell(told: dict[str, Any]) -> JsonResponse:
    return JsonResponse(told, status=HTTPStatus.SERVICE_UNAVAILABLE)
