"""Who asks for sweeps, what a sweep leaves, and a notice that goes all the way to its receiver."""

from __future__ import annotations

import urllib.request
from http import HTTPStatus

import pytest
from standardwebhooks import Webhook

from tests.fakes.webhook_receiver import WebhookReceiver
from tests.flows.house import DEMO_STUDY, House
from tools.health import healthy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

_BEATS = "SELECT worker, at FROM studyapp_workerheartbeat"
_MADE = """
from django.utils import timezone
from studyapp.models import Study
from studyapp.services.notices import webhook_create, webhook_plan, webhook_test
study, now = Study.objects.get(slug="demo"), timezone.now()
plan = webhook_plan(url="{url}", description="", occasions=["study.stalled"])
made = webhook_create(study_id=study.pk, plan=plan, actor_id=None, now=now)
webhook_test(study_id=study.pk, webhook_id=made.id, actor_id=None, now=now)
print(made.secret)
"""


def test_beat_alone_asks_for_sweeps_where_the_settings_say_so(house: House) -> None:
    house.environment |= {"SWEEP_BY": "beat"}
    house.worker_start("one")
    house.worker_start("two")
    web = house.web_start()
    assert house.rows(_BEATS) == []
    assert not healthy(f"{web}/readyz/worker")
    assert healthy(f"{web}/readyz"), "participants need no worker"

    house.beat_start()
    house.wait(lambda: bool(house.rows(_BEATS)))
    house.wait(lambda: healthy(f"{web}/readyz/worker"))


def test_a_lost_message_is_made_up_for_and_the_notice_arrives_signed(house: House) -> None:
    house.environment |= {"WEBHOOK_PLAIN_HTTP": "1", "WEBHOOK_PRIVATE_ADDRESSES": "1"}
    house.manage("load_study", str(DEMO_STUDY))
    with WebhookReceiver(status=HTTPStatus.NO_CONTENT) as receiver:
        code = _MADE.format(url=receiver.url)
        secret = house.manage("shell", "--no-imports", "-v", "0", "-c", code).split()[-1]
        house.worker_start()
        house.wait(lambda: bool(receiver.got))
    (got,) = receiver.got
    assert Webhook(secret).verify(got.body.decode(), got.headers)["data"] == {"study": "demo"}
    ended = "SELECT state, attempts, last_status FROM studyapp_noticedelivery"
    house.wait(lambda: house.rows(ended) == [("delivered", 1, 204)])


def test_the_server_s_processes_count_their_requests_together(house: House) -> None:
    house.environment |= {"METRICS_TOKEN": "t0ken", "WEB_CONCURRENCY": "3"}
    web = house.web_start()
    for _ in range(40):
        assert healthy(f"{web}/login/")
    request = urllib.request.Request(  # noqa: S310 - our own server
        f"{web}/metrics", headers={"Authorization": "Bearer t0ken"}
    )
    text = ""
    for _ in range(5):
        with urllib.request.urlopen(request) as answer:  # noqa: S310
            text = answer.read().decode()
        assert 'apg_http_requests_total{method="GET",status="2xx",view="login"} 40.0' in text
    assert 'apg_queue_rows{queue="exports"' not in text
    assert "apg_workers 0.0" in text
