"""From which address a request comes. It is never stored for a participant."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return who asks; behind our proxy the last forwarded address, which the proxy wrote."""
    forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
    is_behind_proxy = getattr(settings, "SECURE_PROXY_SSL_HEADER", None) is not None
    if is_behind_proxy and forwarded:
        return forwarded.rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))
