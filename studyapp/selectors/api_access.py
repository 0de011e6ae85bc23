"""Who uses the API by which token, and the tokens that a researcher has made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser

from studyapp.domain.permissions import Action
from studyapp.domain.tokens import secret_digest
from studyapp.models import ApiToken


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """A token that is good now: whose it is, and what it is for at most."""

    token_id: int
    user: AbstractBaseUser
    scopes: frozenset[Action]


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token as its owner's page lists it."""

    id: int
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    state: str

    @property
    def is_live(self) -> bool:
        """Whether it still opens anything."""
        return self.state == "live"


def access_find(secret: str, *, now: datetime) -> ApiAccess | None:
    """Return whom a token stands for; None if it is unknown, revoked, too old, or theirs no more.

    Only staff have tokens: who stops being staff, or is made inactive, loses them all.
    """
    row = (
        ApiToken.objects.select_related("user")
        .filter(
            token_digest=secret_digest(secret),
            revoked_at__isnull=True,
            expires_at__gt=now,
            user__is_active=True,
            user__is_staff=True,
        )
        .first()
    )
    if row is None:
        return None
    return ApiAccess(row.pk, row.user, frozenset(Action(name) for name in row.scopes))


def tokens_list(user_id: int, *, now: datetime) -> Sequence[TokenRow]:
    """List somebody's tokens, the newest first."""
    return [_row(token, now=now) for token in ApiToken.objects.filter(user_id=user_id)]


def _row(token: ApiToken, *, now: datetime) -> TokenRow:
    return TokenRow(
        id=token.pk,
        name=token.name,
        scopes=tuple(token.scopes),
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        state=_state(token, now=now),
    )


def _state(token: ApiToken, *, now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "live" if token.expires_at > now else "expired"
