"""Whether the site is well: for a proxy, for a monitor, for a researcher who watches."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest
from django.conf import LazySettings
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from studyapp import tasks
from studyapp.models import WorkerHeartbeat
from studyapp.services.health import heartbeat_store
from tests.studyapp.debates import run_queued
from tests.studyapp.held import committee_queued, draft_new
from tests.studyapp.lab import Lab, page_text

pytestmark = pytest.mark.django_db

_GIVEN: Final = "t0ken"


def test_it_is_ready_without_workers_and_says_that_there_are_none() -> None:
    answer = Client().get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "worker": {"seconds_since_sweep": None, "is_late": True},
    }


def test_it_is_not_ready_for_tables_of_another_version() -> None:
    MigrationRecorder.Migration.objects.filter(app="studyapp").latest("id").delete()
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert "migrate" in answer.json()["status"]
    assert Client().get("/healthz").status_code == 200


def test_a_sweep_is_a_sign_of_life() -> None:
    assert Client().get("/readyz/worker").status_code == 503
    tasks.runs_sweep()
    answer = Client().get("/readyz/worker")
    assert answer.status_code == 200
    assert answer.json()["seconds_since_sweep"] < 60


def test_a_sign_of_life_ages_and_is_forgotten() -> None:
    now = timezone.now()
    heartbeat_store(worker="gone", now=now - timedelta(minutes=5))
    assert Client().get("/readyz/worker").status_code == 503
    heartbeat_store(worker="gone", now=now - timedelta(days=2))
    heartbeat_store(worker="here", now=now)
    assert WorkerHeartbeat.objects.get().worker == "here"


def test_it_is_asked_from_inside_without_tls(settings: LazySettings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    for address in ("/healthz", "/readyz", "/readyz/worker", "/metrics"):
        assert Client().get(address).status_code != 301, address
    assert Client().get("/login/").status_code == 301


class TestWatching:
    def test_the_page_says_that_no_worker_runs(self, lab: Lab) -> None:
        page = page_text(lab.ada, lab.url("study-watch"))
        assert "No worker has given a sign of life yet" in page
        heartbeat_store(worker="w", now=timezone.now() - timedelta(minutes=7))
        page = page_text(lab.ada, lab.url("watch-live"))
        assert "No worker has given a sign of life for 7 minutes" in page

    def test_the_page_shows_worker_queue_and_database(self, lab: Lab) -> None:
        run_queued()
        heartbeat_store(worker="w", now=timezone.now())
        page = page_text(lab.ada, lab.url("study-watch"))
        assert "No worker has given" not in page
        assert "answers in" in page
        assert "Waiting, all studies" in page


class TestMetrics:
    @pytest.fixture
    def watched(self, settings: LazySettings) -> Client:
        settings.METRICS_TOKEN = _GIVEN
        return Client(headers={"Authorization": f"Bearer {_GIVEN}"})

    def test_without_a_token_there_is_no_such_page(self, watched: Client) -> None:
        assert Client().get("/metrics").status_code == 404
        assert Client(headers={"Authorization": "Bearer no"}).get("/metrics").status_code == 404

    def test_a_site_that_sets_no_token_has_none(self) -> None:
        assert Client(headers={"Authorization": "Bearer "}).get("/metrics").status_code == 404

    def test_pages_are_counted_by_name_and_nobody_is_named(self, watched: Client, lab: Lab) -> None:
        token = lab.study.cohorts.get().token
        watched.get(f"/s/{token}/")
        watched.get(lab.url("study-detail"))
        watched.get("/no/such/page")
        text = watched.get("/metrics").content.decode()
        assert 'apg_http_requests_total{method="GET",status="3xx",view="study-detail"}' in text
        assert 'view="none"' in text
        assert 'apg_http_request_seconds_bucket{le="0.1",view="study-detail"}' in text
        assert token not in text
        assert lab.study.slug not in text
        assert "/studies/" not in text

    def test_queues_and_workers_are_told(self, watched: Client) -> None:
        run_queued()
        committee_queued(draft_new())
        heartbeat_store(worker="w", now=timezone.now())
        text = watched.get("/metrics").content.decode()
        assert 'apg_queue_rows{queue="texts",state="queued"} 1.0' in text
        assert 'apg_queue_rows{queue="debates",state="queued"} 1.0' in text
        assert "apg_workers 1.0" in text
        assert "apg_worker_heartbeat_age_seconds 0.0" in text
