"""A browser's transport over real HTTP, with the interface of Django's test client."""

from __future__ import annotations

import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode, urlsplit


@dataclass
class HttpResponse:
    """What came back after all redirects."""

    status_code: int
    content: bytes
    redirect_chain: list[tuple[str, int]]


@dataclass
class HttpClient:
    """One browser at the site at `url`, with its cookies; an error page fails the test."""

    url: str
    cookies: CookieJar = field(default_factory=CookieJar)

    def get(self, address: str, **_: Any) -> HttpResponse:
        """Open an address and follow redirects."""
        return self._ask(urllib.request.Request(self.url + address))  # noqa: S310 - loopback

    def post(self, address: str, data: Mapping[str, str], **_: Any) -> HttpResponse:
        """Send a form and follow redirects."""
        request = urllib.request.Request(self.url + address, data=urlencode(data).encode())  # noqa: S310 - loopback
        return self._ask(request)

    def _ask(self, request: urllib.request.Request) -> HttpResponse:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        with opener.open(request, timeout=90) as answer:
            moved = answer.url != request.full_url
            chain = [(urlsplit(answer.url).path, 302)] if moved else []
            return HttpResponse(answer.status, answer.read(), chain)
