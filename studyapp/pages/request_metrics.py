"""How many requests there were and how long they took, by page: never by address or person."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import Counter, Histogram

Answer = Callable[[HttpRequest], HttpResponseBase]

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
# Up to the time after which gunicorn ends a worker.
_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_REQUESTS: Final = Counter(
    "apg_http_requests", "Requests answered.", labelnames=("view", "method", "status")
)
_SECONDS: Final = Histogram(
    "apg_http_request_seconds", "Time to an answer.", labelnames=("view",), buckets=_BUCKETS
)


class RequestMetricsMiddleware:
    """Counts every request; where no metrics are asked for it is not there."""

    def __init__(self, get_response: Answer) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and count it."""
        begun = time.perf_counter()
        response = self._get_response(request)
        match = request.resolver_match
        # The page's name: its address may hold a study's name or a personal link.
        view = (match.view_name if match else "") or "none"
        method = request.method if request.method in _METHODS else "other"
        _REQUESTS.labels(view, method, f"{response.status_code // 100}xx").inc()
        _SECONDS.labels(view).observe(time.perf_counter() - begun)
        return response
