"""The outbox: sent once, tried again after growing pauses, given up in the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused
from typing import Final

import pytest
import time_machine
from standardwebhooks import Webhook as ReferenceReader

from studyapp.domain.occasions import MAX_ATTEMPTS, PAUSES, Occasion
from studyapp.errors import WebhookUnreachableError
from studyapp.models import DeliveryState, NoticeDelivery
from studyapp.services.notices import (
    deliveries_sweep,
    delivery_attempt,
    mail_set,
    notices_sweep,
    webhook_remove,
    webhook_test,
)
from tests.sample_study import THEN, SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.services.notices.telling import (
    URL,
    Post,
    Receiver,
    live_study,
    owner_with_mail,
    webhook_of,
)

pytestmark = pytest.mark.django_db

_NOW: Final = THEN + timedelta(days=1)


@pytest.fixture
def sample() -> SampleStudy:
    return live_study()


def _clock(now: datetime) -> Callable[[], datetime]:
    return lambda: now


def _test_queued(sample: SampleStudy) -> int:
    made = webhook_of(sample.study)
    return webhook_test(study_id=sample.study.pk, webhook_id=made.id, actor_id=None, now=_NOW)


def _attempt(delivery_id: int, receiver: Receiver, *, now: datetime, post: Post = Post()) -> None:  # noqa: B008 - it keeps nothing
    delivery_attempt(delivery_id=delivery_id, now=_clock(now), post=receiver.post, mail=post.mail)


def test_a_message_is_signed_as_the_standard_says(sample: SampleStudy) -> None:
    made, receiver = webhook_of(sample.study), Receiver()
    delivery = webhook_test(study_id=sample.study.pk, webhook_id=made.id, actor_id=None, now=_NOW)
    _attempt(delivery, receiver, now=_NOW)
    ((url, body, headers),) = receiver.got
    with time_machine.travel(_NOW):
        message = ReferenceReader(made.secret).verify(body.decode(), dict(headers))
    assert url == URL
    assert message == {
        "type": "test",
        "timestamp": _NOW.isoformat(),
        "data": {"study": "sample"},
    }


def test_what_was_delivered_is_not_sent_again(sample: SampleStudy) -> None:
    delivery, receiver = _test_queued(sample), Receiver()
    for minutes in (0, 0, 90):
        _attempt(delivery, receiver, now=_NOW + timedelta(minutes=minutes))
    assert len(receiver.got) == 1
    row = NoticeDelivery.objects.get(pk=delivery)
    assert (row.state, row.last_status, row.ended_at) == (DeliveryState.DELIVERED, 204, _NOW)
    assert deliveries_sweep(now=_NOW + timedelta(days=9)) == []


def test_it_is_tried_again_after_growing_pauses_and_then_given_up(sample: SampleStudy) -> None:
    delivery = _test_queued(sample)
    receiver = Receiver([500] * 99)
    now = _NOW
    for pause in PAUSES:
        assert deliveries_sweep(now=now) == [delivery]
        _attempt(delivery, receiver, now=now)
        assert deliveries_sweep(now=now + pause - timedelta(seconds=1)) == []
        now += pause
    _attempt(delivery, receiver, now=now)
    row = NoticeDelivery.objects.get(pk=delivery)
    assert (row.state, row.attempts, row.last_error) == ("failed", MAX_ATTEMPTS, "HTTP 500")
    assert deliveries_sweep(now=now + timedelta(days=99)) == []
    assert list(PAUSES) == sorted(PAUSES)
    assert len({headers["webhook-id"] for _, _, headers in receiver.got}) == 1


def test_a_receiver_that_comes_back_gets_it(sample: SampleStudy) -> None:
    delivery = _test_queued(sample)
    receiver = Receiver([WebhookUnreachableError("The host cannot be reached: x."), 503, 200])
    for minutes in (0, 2, 20):
        _attempt(delivery, receiver, now=_NOW + timedelta(minutes=minutes))
    row = NoticeDelivery.objects.get(pk=delivery)
    assert (row.state, row.attempts, row.last_status, row.last_error) == ("delivered", 3, 200, "")


def test_a_redirect_is_no_delivery(sample: SampleStudy) -> None:
    delivery = _test_queued(sample)
    _attempt(delivery, Receiver([302]), now=_NOW)
    assert NoticeDelivery.objects.get(pk=delivery).last_error == "HTTP 302"


def test_a_receiver_that_says_gone_is_not_asked_again(sample: SampleStudy) -> None:
    delivery = _test_queued(sample)
    _attempt(delivery, Receiver([410]), now=_NOW)
    assert NoticeDelivery.objects.get(pk=delivery).state == DeliveryState.FAILED


def test_a_worker_that_died_while_sending_leaves_it_to_the_next(sample: SampleStudy) -> None:
    delivery = _test_queued(sample)
    with pytest.raises(KeyboardInterrupt):
        _attempt(delivery, Receiver([KeyboardInterrupt()]), now=_NOW)
    receiver = Receiver()
    _attempt(delivery, receiver, now=_NOW + timedelta(seconds=30))
    assert receiver.got == []
    _attempt(delivery, receiver, now=_NOW + timedelta(minutes=1))
    assert len(receiver.got) == 1


def test_a_worker_that_died_at_the_last_attempt_leaves_no_delivery_waiting(
    sample: SampleStudy,
) -> None:
    delivery = _test_queued(sample)
    NoticeDelivery.objects.update(attempts=MAX_ATTEMPTS)
    assert deliveries_sweep(now=_NOW) == []
    assert NoticeDelivery.objects.get(pk=delivery).state == DeliveryState.FAILED


def test_nothing_is_sent_to_a_webhook_that_was_removed(sample: SampleStudy) -> None:
    delivery, receiver = _test_queued(sample), Receiver()
    webhook_id = NoticeDelivery.objects.get(pk=delivery).webhook_id
    assert webhook_id is not None
    webhook_remove(study_id=sample.study.pk, webhook_id=webhook_id, actor_id=None, now=_NOW)
    _attempt(delivery, receiver, now=_NOW)
    assert receiver.got == []


class TestMail:
    def _queued(self, sample: SampleStudy) -> int:
        ada = owner_with_mail(sample.study)
        mail_set(
            study_id=sample.study.pk,
            actor_id=ada.pk,
            occasions=[Occasion.PLANNED_N],
            now=THEN,
        )
        sample.cohort.quota = 1
        sample.cohort.save()
        people_complete(sample, count=1)
        notices_sweep(now=_NOW, sends_mail=True)
        (delivery,) = deliveries_sweep(now=_NOW)
        return delivery

    def test_it_says_what_happened_with_its_numbers(self, sample: SampleStudy) -> None:
        post = Post()
        _attempt(self._queued(sample), Receiver(), now=_NOW, post=post)
        ((subject, text, to),) = post.sent
        assert to == "ada@example.org"
        assert subject == "“Secret working title”: the planned number has completed"
        assert "completed: 1" in text
        assert json.dumps(text).isascii() or "“" in text

    def test_a_refusal_of_the_server_is_tried_again_and_names_nobody(
        self, sample: SampleStudy
    ) -> None:
        delivery = self._queued(sample)
        refused = SMTPRecipientsRefused({"ada@example.org": (550, b"no")})
        _attempt(delivery, Receiver(), now=_NOW, post=Post(refused))
        row = NoticeDelivery.objects.get(pk=delivery)
        assert (row.state, row.last_error) == ("waiting", "SMTPRecipientsRefused")
        post = Post()
        _attempt(delivery, Receiver(), now=_NOW + timedelta(minutes=1), post=post)
        assert len(post.sent) == 1
