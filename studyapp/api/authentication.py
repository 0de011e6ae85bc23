"""Who asks: the bearer of a token. A session of the site's pages counts for nothing here."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from studyapp.selectors.api_access import ApiAccess, access_find
from studyapp.services.api_access import api_token_note_use

_SCHEME: Final = b"bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, ApiAccess] | None:
        """Return whose token it is, and the token; None where no token was sent.

        Raises:
            AuthenticationFailed: the token is unknown, expired or revoked.
        """
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != _SCHEME:
            return None
        now = timezone.now()
        access = access_find(words[1].decode("latin-1"), now=now) if len(words) == 2 else None
        if access is None:
            raise AuthenticationFailed("The token is unknown, expired or revoked.")
        api_token_note_use(token_id=access.token_id, now=now)
        return access.user, access

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme, so that a missing token is answered by 401."""
        return "Bearer"
