"""A brake on guessing receipt codes: wrong ones are counted by address, for a quarter of an hour.

Of IPv6 the network counts (/64), as each household and each server has that many addresses of its
own. The address itself is not kept, only a keyed digest of it. The counter lives in the cache; a
code has 57 random bits, so what the brake saves is the server's time. There is no limit for all
addresses together: whoever used it up would keep everybody else from their data.
"""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address, ip_network
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from studyapp.pages.address import client_address

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
    asker = _network(client_address(request))
    digest = salted_hmac("studyapp.guessing", asker, algorithm="sha256").hexdigest()
    return f"guessing:{digest}"


def _network(address: str) -> str:
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv4Address):
        return address
    return str(known.ipv4_mapped or ip_network((known.packed[:8] + bytes(8), 64)))
