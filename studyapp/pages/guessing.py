"""A brake on guessing receipt codes: wrong ones are counted by address, for a quarter of an hour.

The address itself is not kept, only a keyed digest of it. The counter lives in the cache; a code
has 57 random bits, so what the brake saves is the server's time.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

LIMIT: Final = 10
_SECONDS: Final = 15 * 60


def guesses_are_used_up(request: HttpRequest) -> bool:
    """Say whether this address has sent too many wrong codes."""
    return int(cache.get(_key(request)) or 0) >= LIMIT


def guess_note(request: HttpRequest) -> None:
    """Count one wrong code of this address."""
    key = _key(request)
    if not cache.add(key, 1, timeout=_SECONDS):
        try:
            cache.incr(key)
        except ValueError:
            # It ran out between the two calls.
            cache.add(key, 1, timeout=_SECONDS)


def _key(request: HttpRequest) -> str:
    digest = salted_hmac("studyapp.guessing", _address(request), algorithm="sha256").hexdigest()
    return f"guessing:{digest}"


def _address(request: HttpRequest) -> str:
    """Return who asks; behind our proxy the last forwarded address, which the proxy wrote."""
    forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
    is_behind_proxy = getattr(settings, "SECURE_PROXY_SSL_HEADER", None) is not None
    if is_behind_proxy and forwarded:
        return forwarded.rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))
