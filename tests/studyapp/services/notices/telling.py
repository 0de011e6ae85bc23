"""A live study whose people want to be told, and what stands in for receivers and mail servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from studyapp.domain.occasions import CHOICES
from studyapp.domain.permissions import Role
from studyapp.models import Study
from studyapp.services.notices import NewWebhook, webhook_create, webhook_plan
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.lab import member_of

URL: Final = "https://hooks.example.org/secret-path"


@dataclass
class Receiver:
    """Stands in for a receiver of webhooks: keeps what was sent, and answers in turn."""

    answers: list[int | BaseException] = field(default_factory=list)
    got: list[tuple[str, bytes, Mapping[str, str]]] = field(default_factory=list)

    def post(self, url: str, *, body: bytes, headers: Mapping[str, str], private: bool) -> int:
        """Take a message."""
        self.got.append((url, body, headers))
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, BaseException):
            raise answer
        return answer


@dataclass
class Post:
    """Stands in for a mail server."""

    error: OSError | None = None
    sent: list[tuple[str, str, str]] = field(default_factory=list)

    def mail(self, subject: str, text: str, *, to: str) -> None:
        """Take a mail."""
        if self.error is not None:
            raise self.error
        self.sent.append((subject, text, to))


def live_study(*, quota: int | None = None) -> SampleStudy:
    """Store an open study that collects data, opened at THEN."""
    sample = sample_study(quota=quota)
    Study.objects.filter(pk=sample.study.pk).update(kind="study", is_test=False, opened_at=THEN)
    sample.study.refresh_from_db()
    return sample


def owner_with_mail(study: Study, *, name: str = "ada", role: Role = Role.OWNER) -> User:
    """Return a member who has an address."""
    user = member_of(study, role, name=name)
    User.objects.filter(pk=user.pk).update(email=f"{name}@example.org")
    return user


def webhook_of(
    study: Study, occasions: tuple[str, ...] = CHOICES, *, now: datetime = THEN
) -> NewWebhook:
    """Make a webhook from the server's shell."""
    plan = webhook_plan(url=URL, description="chat", occasions=occasions)
    return webhook_create(study_id=study.pk, plan=plan, actor_id=None, now=now)
