"""Who may say what is told, and what the log keeps of it."""

from __future__ import annotations

import pytest

from studyapp.domain.occasions import Occasion, StallRule
from studyapp.domain.permissions import Role
from studyapp.errors import NoticeError, RoleRefusedError, WebhookAddressError
from studyapp.models import Event, NoticeReader, NoticeRule, Webhook
from studyapp.services.notices import (
    mail_set,
    rule_set,
    webhook_change,
    webhook_create,
    webhook_plan,
    webhook_remove,
)
from tests.sample_study import THEN, SampleStudy
from tests.studyapp.services.notices.telling import URL, live_study, owner_with_mail, webhook_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample() -> SampleStudy:
    return live_study()


def _last(kind: str) -> tuple[object, object]:
    payload = Event.objects.filter(kind=kind).latest("pk").payload
    return payload["before"], payload["after"]


def test_the_log_says_what_the_rule_was_and_is(sample: SampleStudy) -> None:
    for hours in (5, 9):
        rule = StallRule(hours, 3)
        rule_set(study_id=sample.study.pk, rule=rule, actor_id=None, now=THEN)
    assert _last("notices.rule_set") == ({"hours": 5, "people": 3}, {"hours": 9, "people": 3})
    assert NoticeRule.objects.get().stall_hours == 9


@pytest.mark.parametrize("rule", [StallRule(0, 1), StallRule(1, 0), StallRule(99999, 1)])
def test_a_rule_without_sense_is_refused(sample: SampleStudy, rule: StallRule) -> None:
    with pytest.raises(NoticeError, match="allowed are"):
        rule_set(study_id=sample.study.pk, rule=rule, actor_id=None, now=THEN)
    assert not NoticeRule.objects.exists()


@pytest.mark.parametrize("role", [Role.MONITOR, Role.ANALYST])
def test_who_may_not_edit_sets_nothing(sample: SampleStudy, role: Role) -> None:
    user = owner_with_mail(sample.study, role=role)
    study_id, actor_id = sample.study.pk, user.pk
    plan = webhook_plan(url=URL, description="", occasions=[Occasion.STALLED])
    with pytest.raises(RoleRefusedError):
        rule_set(study_id=study_id, rule=StallRule(), actor_id=actor_id, now=THEN)
    with pytest.raises(RoleRefusedError):
        mail_set(study_id=study_id, actor_id=actor_id, occasions=[], now=THEN)
    with pytest.raises(RoleRefusedError):
        webhook_create(study_id=study_id, plan=plan, actor_id=actor_id, now=THEN)


def test_mail_is_ended_by_wanting_none(sample: SampleStudy) -> None:
    ada = owner_with_mail(sample.study)
    for wanted in ([Occasion.STUCK, Occasion.STALLED], []):
        mail_set(study_id=sample.study.pk, actor_id=ada.pk, occasions=wanted, now=THEN)
    assert not NoticeReader.objects.exists()
    assert _last("notices.mail_set") == (["study.stalled", "study.stuck"], [])


def test_an_unknown_occasion_is_named(sample: SampleStudy) -> None:
    ada = owner_with_mail(sample.study)
    with pytest.raises(NoticeError, match=r"'study\.exploded' is no occasion; allowed are cohort"):
        mail_set(study_id=sample.study.pk, actor_id=ada.pk, occasions=["study.exploded"], now=THEN)


def test_the_log_of_a_webhook_keeps_no_secret_path(sample: SampleStudy) -> None:
    made = webhook_of(sample.study, (Occasion.STALLED,))
    plan = webhook_plan(url=URL, description="other", occasions=[Occasion.STUCK])
    webhook_change(study_id=sample.study.pk, webhook_id=made.id, plan=plan, actor_id=None, now=THEN)
    before, after = _last("webhook.changed")
    assert before == {
        "origin": "https://hooks.example.org",
        "description": "chat",
        "occasions": ["study.stalled"],
    }
    webhook_remove(study_id=sample.study.pk, webhook_id=made.id, actor_id=None, now=THEN)
    assert _last("webhook.removed") == (after, None)
    assert not Webhook.objects.exists()
    assert "secret-path" not in str(list(Event.objects.values("payload")))


def test_a_webhook_is_of_its_own_study_only(sample: SampleStudy) -> None:
    made = webhook_of(sample.study)
    with pytest.raises(NoticeError, match="no such webhook"):
        webhook_remove(study_id=sample.study.pk, webhook_id=made.id + 1, actor_id=None, now=THEN)


def test_a_study_has_no_more_than_ten_webhooks(sample: SampleStudy) -> None:
    for _ in range(10):
        webhook_of(sample.study)
    with pytest.raises(NoticeError, match="at most 10"):
        webhook_of(sample.study)


def test_secrets_differ_and_are_not_in_the_database(sample: SampleStudy) -> None:
    first, second = webhook_of(sample.study), webhook_of(sample.study)
    assert first.secret != second.secret
    assert first.secret not in str(list(Webhook.objects.values()))


@pytest.mark.parametrize(
    ("url", "occasions", "error"),
    [
        ("http://example.org/", ["study.stuck"], WebhookAddressError),
        ("https://example.org/", [], NoticeError),
        ("https://example.org/", ["test"], NoticeError),
    ],
)
def test_a_plan_that_cannot_be_is_refused(
    url: str, occasions: list[str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        webhook_plan(url=url, description="", occasions=occasions)
