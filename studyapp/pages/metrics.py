"""Numbers about the site in Prometheus' format, for whoever holds the token."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from studyapp.selectors.health import queue_lengths, worker_health


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the numbers to the token; without a token set, or with another, there is nothing."""
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(wanted, given):
        raise Http404
    text = generate_latest(_process_registry()) + generate_latest(_site_registry(timezone.now()))
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


class SiteCollector(Collector):
    """What the database says when it is asked: no study's name, nobody's data."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the queues and the workers."""
        queues = GaugeMetricFamily(
            "apg_queue_rows", "Rows of each queue by state.", labels=("queue", "state")
        )
        for kind, states in queue_lengths().items():
            for state, number in sorted(states.items()):
                queues.add_metric((kind, state), number)
        yield queues
        worker = worker_health(now=self._now)
        yield GaugeMetricFamily("apg_workers", "Workers that swept lately.", value=worker.workers)
        if worker.age_seconds is not None:
            yield GaugeMetricFamily(
                "apg_worker_heartbeat_age_seconds",
                "Seconds since the last sweep.",
                value=worker.age_seconds,
            )


def _process_registry() -> CollectorRegistry:
    """Return this process's counts, or under gunicorn those of all of its processes together."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call] # it has no types
    return registry


def _site_registry(now: datetime) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(SiteCollector(now))
    return registry
