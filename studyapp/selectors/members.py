"""Who works on a study, who was invited, and what researchers did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import yaml
from django.core.paginator import Paginator
from django.db.models import QuerySet

from studyapp.models import Event, EventSeal, MemberInvitation, StudyMember

_PER_PAGE: Final = 50
_OWN_COLUMNS: Final = ("actor", "before", "after")


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One member."""

    id: int
    username: str
    role: str
    added_at: datetime


@dataclass(frozen=True, slots=True)
class InvitedRow:
    """One invitation that waits to be accepted."""

    id: int
    email: str
    role: str
    expires_at: datetime
    is_over: bool


@dataclass(frozen=True, slots=True)
class InvitedTo:
    """What somebody is invited to."""

    study: str
    role: str


@dataclass(frozen=True, slots=True)
class LoggedValue:
    """A value of the log in words; `name` is empty for what it was before and after."""

    name: str
    text: str

    @property
    def is_long(self) -> bool:
        """Whether it is a record of many lines, which a table opens on demand."""
        return "\n" in self.text


@dataclass(frozen=True, slots=True)
class LogLine:
    """One act of a researcher: who, when, what, and what it was before and after."""

    at: datetime | None
    actor: str
    kind: str
    before: LoggedValue
    after: LoggedValue
    details: tuple[LoggedValue, ...]
    is_sealed: bool


@dataclass(frozen=True, slots=True)
class LogSheet:
    """One page of the log, the latest first, with the numbers of the pages beside it."""

    lines: tuple[LogLine, ...]
    later: int | None
    earlier: int | None


def members_list(study_id: int) -> list[MemberRow]:
    """List a study's members."""
    rows = StudyMember.objects.filter(study_id=study_id).select_related("user")
    return [MemberRow(row.pk, row.user.get_username(), row.role, row.added_at) for row in rows]


def invited_list(study_id: int, *, now: datetime) -> list[InvitedRow]:
    """List the invitations that nobody has accepted."""
    waiting = _waiting().filter(study_id=study_id)
    return [
        InvitedRow(row.pk, row.email, row.role, row.expires_at, row.expires_at <= now)
        for row in waiting
    ]


def invited_to(token_digest: str, *, now: datetime) -> InvitedTo | None:
    """Return what an open invitation leads to."""
    row = _waiting().filter(token_digest=token_digest, expires_at__gt=now).first()
    return None if row is None else InvitedTo(row.study.title, row.role)


def log_page(slug: str, *, number: str) -> LogSheet:
    """Return one page of what researchers did with a study, the latest first."""
    acts = Event.objects.filter(study=slug, payload__has_key="actor").order_by("-pk")
    page = Paginator(acts, _PER_PAGE).get_page(number)
    last = EventSeal.objects.filter(study=slug).order_by("-number").first()
    sealed = last.last_event if last else 0
    return LogSheet(
        lines=tuple(_line(event, is_sealed=event.pk <= sealed) for event in page.object_list),
        later=page.previous_page_number() if page.has_previous() else None,
        earlier=page.next_page_number() if page.has_next() else None,
    )


def _waiting() -> QuerySet[MemberInvitation]:
    rows = MemberInvitation.objects.filter(accepted_at__isnull=True, revoked_at__isnull=True)
    return rows.select_related("study")


def _line(event: Event, *, is_sealed: bool) -> LogLine:
    payload: Mapping[str, Any] = event.payload
    return LogLine(
        at=event.at,
        actor=str(payload.get("actor", "")),
        kind=event.kind,
        before=_logged("", payload.get("before")),
        after=_logged("", payload.get("after")),
        details=tuple(
            _logged(name, value) for name, value in payload.items() if name not in _OWN_COLUMNS
        ),
        is_sealed=is_sealed,
    )


def _logged(name: str, value: Any) -> LoggedValue:
    if value is None or isinstance(value, str):
        return LoggedValue(name, value or "")
    if isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
        return LoggedValue(name, ", ".join(map(str, value)))
    text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=10_000)
    return LoggedValue(name, text.removesuffix("...\n").strip())
