"""The researcher's pages about notices: what is stored, shown once, tried out, removed."""

from __future__ import annotations

import pytest

from studyapp import tasks
from studyapp.models import NoticeDelivery, NoticeReader, NoticeRule, Webhook
from tests.studyapp.lab import Lab, page_text

pytestmark = pytest.mark.django_db

_HOOK = {
    "url": "https://hooks.example.org/T0/secret",
    "description": "lab chat",
    "occasions": ["study.stalled", "cohort.full"],
}


def _made(lab: Lab) -> Webhook:
    assert lab.ada.post(lab.url("webhook-create"), _HOOK).status_code == 200
    return Webhook.objects.get()


def test_the_secret_is_shown_once_and_never_again(lab: Lab) -> None:
    answer = lab.ada.post(lab.url("webhook-create"), _HOOK).content.decode()
    webhook = Webhook.objects.get()

    assert "whsec_" in answer
    assert webhook.occasions == ["cohort.full", "study.stalled"]
    for page in (lab.url("study-notices"), lab.url("webhook-detail", webhook=webhook.pk)):
        assert "whsec_" not in page_text(lab.ada, page)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"url": "http://example.org/"}, "The address begins with https://"),
        ({"url": "https://10.0.0.1/"}, "not on the public network"),
        ({"url": ""}, "Enter an address"),
        ({"occasions": []}, "Choose at least one occasion"),
        ({"occasions": ["nothing"]}, "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(
    lab: Lab, change: dict[str, object], words: str
) -> None:
    answer = lab.ada.post(lab.url("webhook-create"), {**_HOOK, **change})

    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_webhook_is_changed_and_removed(lab: Lab) -> None:
    webhook = _made(lab)
    page = lab.url("webhook-detail", webhook=webhook.pk)

    assert lab.ada.post(page, {**_HOOK, "description": "other"}).status_code == 302
    assert "other" in page_text(lab.ada, page)
    assert lab.ada.post(page, {**_HOOK, "url": "ftp://x/"}).status_code == 400

    lab.ada.post(lab.url("webhook-remove", webhook=webhook.pk))
    assert not Webhook.objects.exists()
    assert lab.ada.get(page).status_code == 404


def test_a_test_is_put_on_its_way_and_its_state_is_shown(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[int] = []
    monkeypatch.setattr(
        tasks.notice_deliver, "delay_on_commit", lambda *, delivery_id: woken.append(delivery_id)
    )
    webhook = _made(lab)
    page = lab.url("webhook-detail", webhook=webhook.pk)

    lab.ada.post(lab.url("webhook-test", webhook=webhook.pk))

    assert woken == [NoticeDelivery.objects.get().pk]
    assert "on its way" in page_text(lab.ada, page)
    NoticeDelivery.objects.update(attempts=1, last_status=500, last_error="HTTP 500")
    assert "is tried again" in page_text(lab.ada, page)
    assert "HTTP 500" in page_text(lab.ada, lab.url("study-notices"))


def test_mail_is_asked_for_and_ended(lab: Lab) -> None:
    address = lab.url("notices-mail")
    lab.ada.post(address, {"occasions": ["study.stalled"]})
    assert NoticeReader.objects.get().occasions == ["study.stalled"]
    assert "EMAIL_URL" in page_text(lab.ada, lab.url("study-notices"))

    lab.ada.post(address, {})
    assert not NoticeReader.objects.exists()


def test_the_rule_of_stalls_is_stored(lab: Lab) -> None:
    page = lab.url("study-notices")
    assert lab.ada.post(page, {"hours": "12", "people": "5"}).status_code == 302
    assert NoticeRule.objects.get().stall_hours == 12
    assert lab.ada.post(page, {"hours": "0", "people": "5"}).status_code == 400


def test_the_study_s_page_leads_to_them(lab: Lab) -> None:
    assert lab.url("study-notices") in page_text(lab.ada, lab.url("study-detail"))
