"""Tokens of the API made and revoked, and requests with an idempotency key done once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q

from studyapp.domain.api_scopes import DAYS, PREFIX, SCOPES
from studyapp.domain.permissions import Action
from studyapp.domain.tokens import secret_digest, secret_new
from studyapp.errors import KeyReusedError, TokenError
from studyapp.models import ApiRequest, ApiToken, Event

REQUEST_HOURS: Final = 24
# Often enough to see that a token is in use, and no write for every read.
_USED_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made; `secret` is told now and never again."""

    id: int
    secret: str


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What a request was answered, as JSON-ready data; `is_replay` says that it was done before."""

    status: int
    answer: Any
    location: str = ""
    is_replay: bool = False


@transaction.atomic
def api_token_create(
    *, user_id: int, name: str, scopes: Sequence[Action], days: int, now: datetime
) -> NewToken:
    """Make a token for a researcher; its secret is in what is returned and nowhere else.

    Raises:
        TokenError: it has no name, is for nothing or for what no token can be, or lasts for a
            time that is not offered.
    """
    _token_check(name, scopes, days)
    user = get_user_model().objects.get(pk=user_id)
    secret = secret_new(PREFIX)
    row = ApiToken.objects.create(
        user=user,
        name=name.strip(),
        token_digest=secret_digest(secret),
        scopes=[scope.value for scope in SCOPES if scope in scopes],
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    _log("account.api_token_made", user.get_username(), now=now, token=row.pk, after=row.scopes)
    return NewToken(row.pk, secret)


@transaction.atomic
def api_token_revoke(*, user_id: int, token_id: int, now: datetime) -> None:
    """Revoke somebody's token; from now on it opens nothing.

    Raises:
        TokenError: they have no such token, or it was revoked before.
    """
    live = ApiToken.objects.filter(pk=token_id, user_id=user_id, revoked_at__isnull=True)
    if live.update(revoked_at=now) != 1:
        raise TokenError("There is no such token, or it was revoked before.")
    ApiRequest.objects.filter(token=token_id).delete()
    name = get_user_model().objects.get(pk=user_id).get_username()
    _log("account.api_token_revoked", name, now=now, token=token_id)


def api_token_note_use(*, token_id: int, now: datetime) -> None:
    """Store that a token was used, about once in a minute."""
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now - _USED_EVERY)
    ApiToken.objects.filter(stale, pk=token_id).update(last_used_at=now)


def request_once(
    *,
    token_id: int,
    key: str,
    request_sha256: str,
    now: datetime,
    act: Callable[[], KeptAnswer],
) -> KeptAnswer:
    """Do what a request asks for once, however often it is sent with its key.

    What it does and what it was answered are stored in one transaction. A second request at the
    same moment takes its turn, finds the answer and does nothing; where the first was refused,
    nothing was stored and the second is tried like a first. After 24 hours a key is forgotten.

    Raises:
        KeyReusedError: the key came with another request before.
    """
    kept = _kept_find(token_id, key, request_sha256, now=now)
    if kept is not None:
        return kept
    try:
        with transaction.atomic():
            return _act_first(token_id, key, request_sha256, now=now, act=act)
    except _TakenError:
        pass
    kept = _kept_find(token_id, key, request_sha256, now=now)
    if kept is None:
        raise KeyReusedError("this idempotency key is in use by another request; send it again")
    return kept


class _TakenError(Exception):
    """Another request with the key was first."""


def _act_first(
    token_id: int,
    key: str,
    request_sha256: str,
    *,
    now: datetime,
    act: Callable[[], KeptAnswer],
) -> KeptAnswer:
    """Take the key before acting: whoever comes second waits here until this has ended."""
    ApiRequest.objects.filter(token=token_id, key=key, created_at__lt=_limit(now)).delete()
    row = ApiRequest(
        token_id=token_id, key=key, request_sha256=request_sha256, status=0, created_at=now
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise _TakenError from error
    done = act()
    row.status, row.answer, row.location = done.status, done.answer, done.location
    row.save(update_fields=["status", "answer", "location"])
    return done


def _kept_find(token_id: int, key: str, request_sha256: str, *, now: datetime) -> KeptAnswer | None:
    rows = ApiRequest.objects.filter(token=token_id, key=key, created_at__gte=_limit(now))
    row = rows.first()
    if row is None:
        return None
    if row.request_sha256 != request_sha256:
        raise KeyReusedError("this idempotency key came with another request before")
    return KeptAnswer(row.status, row.answer, row.location, is_replay=True)


@transaction.atomic
def api_requests_forget(*, now: datetime) -> int:
    """Delete the answers whose keys are forgotten, and return how many."""
    return ApiRequest.objects.filter(created_at__lt=_limit(now)).delete()[0]


def _limit(now: datetime) -> datetime:
    return now - timedelta(hours=REQUEST_HOURS)


def _token_check(name: str, scopes: Sequence[Action], days: int) -> None:
    if not 0 < len(name.strip()) <= 80:
        raise TokenError("A token needs a name of 1 to 80 characters.")
    if not scopes or not set(scopes) <= set(SCOPES):
        raise TokenError(f"A token is for one or more of: {', '.join(SCOPES)}.")
    if days not in DAYS:
        raise TokenError(f"A token lasts for {', '.join(map(str, DAYS))} days.")


def _log(kind: str, actor: str, *, now: datetime, **more: Any) -> None:
    Event.objects.create(study="", kind=kind, payload={"actor": actor, **more}, at=now)
