"""Two browsers with one interface: over HTTP, and within this process."""

from __future__ import annotations

import http.client
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Final, Protocol
from urllib.parse import urlencode, urljoin, urlsplit

from django.conf import settings
from django.test import Client
from django.test.client import ClientHandler

_REDIRECTS: Final = (301, 302, 303)
_HOPS: Final = 10
_HTML: Final = "text/html"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the site, all of it; `cookies` are those it sets, with their attributes."""

    address: str
    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: tuple[str, ...]
    body: bytes

    def header(self, name: str) -> str:
        """Return a header's value, or an empty text."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    @property
    def is_page(self) -> bool:
        """Whether it is HTML."""
        return self.header("Content-Type").startswith(_HTML)

    @property
    def html(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Sent:
    """The body of a request; a script sends the form's token beside it."""

    text: str
    content_type: str = "application/x-www-form-urlencoded"
    token: str = ""


class Browser(Protocol):
    """Keeps cookies and follows redirects, of which the last answer is the page."""

    def get(self, address: str) -> list[Answer]:
        """Open an address of the site; return each answer on the way, the page last."""

    def post(self, address: str, data: Mapping[str, str]) -> list[Answer]:
        """Send a form."""

    def report(self, address: str, sent: Sent) -> Answer:
        """Send what a page's script sends, and follow nothing."""

    def close(self) -> None:
        """Let go of the connection."""


class VisitError(Exception):
    """The site did not answer as a site does: names the address and what came."""


@dataclass
class _Following(ABC):
    """What both browsers do alike: redirects within the site are followed."""

    def get(self, address: str) -> list[Answer]:
        """Open an address and follow where it leads."""
        return list(self._follow("GET", address, None))

    def post(self, address: str, data: Mapping[str, str]) -> list[Answer]:
        """Send a form and follow where it leads."""
        return list(self._follow("POST", address, Sent(urlencode(data))))

    def report(self, address: str, sent: Sent) -> Answer:
        """Send what a script sends."""
        return self.ask("POST", address, sent)

    @abstractmethod
    def close(self) -> None:
        """Let go of what is open."""

    @abstractmethod
    def ask(self, method: str, address: str, sent: Sent | None) -> Answer:
        """Send one request."""

    def _follow(self, method: str, address: str, sent: Sent | None) -> Iterator[Answer]:
        for _ in range(_HOPS):
            answer = self.ask(method, address, sent)
            yield answer
            if answer.status not in _REDIRECTS:
                return
            method, sent = "GET", None
            address = _within(address, answer.header("Location"))
            if not address:
                return
        raise VisitError(f"{address}: more than {_HOPS} redirects")


@dataclass
class HttpBrowser(_Following):
    """A browser over one kept connection to the site at `url`.

    It does less than a real one, so that many of them leave the machine to the server: scripts do
    not run, and what a page loads is loaded only where somebody asks for it.
    """

    url: str
    language: str = "en"
    timeout: float = 60.0
    _jar: dict[str, tuple[str, str]] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, address: str, sent: Sent | None) -> Answer:
        """Send one request; a kept connection that was closed meanwhile is opened anew, once."""
        headers = self._headers(address, sent)
        body = None if sent is None else sent.text.encode()
        was_open = self._connection is not None
        try:
            return self._send(method, address, body, headers)
        except (http.client.HTTPException, ConnectionError):
            self.close()
            if not was_open:
                raise
            return self._send(method, address, body, headers)

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _headers(self, address: str, sent: Sent | None) -> dict[str, str]:
        headers = {"Accept": _HTML, "Accept-Language": self.language, "Referer": self.url + address}
        cookies = [
            f"{name}={value}"
            for name, (value, path) in self._jar.items()
            if address.startswith(path)
        ]
        if cookies:
            headers["Cookie"] = "; ".join(cookies)
        if sent is not None:
            headers |= {"Content-Type": sent.content_type, "Origin": self.url}
            headers |= {"X-CSRFToken": sent.token} if sent.token else {}
        return headers

    def _send(
        self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        if self._connection is None:
            parts = urlsplit(self.url)
            secure = parts.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            self._connection = kind(parts.netloc, timeout=self.timeout)
        self._connection.request(method, address, body, dict(headers))
        reply = self._connection.getresponse()
        content = reply.read()
        found = reply.getheaders()
        set_by = tuple(value for name, value in found if name.lower() == "set-cookie")
        self._keep(set_by)
        kept = tuple(pair for pair in found if pair[0].lower() != "set-cookie")
        return Answer(address, reply.status, kept, set_by, content)

    def _keep(self, lines: Iterable[str]) -> None:
        for line in lines:
            for name, morsel in SimpleCookie(line).items():
                if morsel["max-age"] == "0" or not morsel.value:
                    self._jar.pop(name, None)
                else:
                    self._jar[name] = (morsel.value, morsel["path"] or "/")


def site_new() -> ClientHandler:
    """Return the site of this process, as `InnerBrowser` visits it."""
    return ClientHandler(enforce_csrf_checks=True)


@dataclass
class InnerBrowser(_Following):
    """A browser of the site within this process, in the same transaction; forms need tokens.

    `site` may be shared by many browsers: each new one reads middleware and static files anew.
    """

    language: str = "en"
    site: ClientHandler = field(default_factory=site_new)
    _client: Client = field(init=False)

    def __post_init__(self) -> None:
        self._client = Client(
            enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE=self.language, SERVER_NAME=_host()
        )
        self._client.handler = self.site

    def close(self) -> None:
        """Nothing is open."""

    def ask(self, method: str, address: str, sent: Sent | None) -> Answer:
        """Send one request."""
        headers = {"referer": f"https://{_host()}{address}"}
        if sent is not None and sent.token:
            headers["x-csrftoken"] = sent.token
        reply = self._client.generic(
            method,
            address,
            sent.text.encode() if sent else b"",
            content_type=sent.content_type if sent else "",
            secure=settings.SECURE_SSL_REDIRECT,
            headers=headers,
        )
        body = b"".join(reply) if reply.streaming else reply.content
        cookies = tuple(morsel.OutputString() for morsel in reply.cookies.values())
        return Answer(address, reply.status_code, tuple(reply.items()), cookies, body)


def _host() -> str:
    named = [host for host in settings.ALLOWED_HOSTS if "*" not in host]
    return str(named[0]).lstrip(".") if named else "localhost"


def _within(address: str, target: str) -> str:
    """Return the path of a redirect within the site; nothing for one that leads elsewhere."""
    parts = urlsplit(urljoin(f"http://site{address}", target))
    if parts.netloc != "site":
        return ""
    return parts.path + (f"?{parts.query}" if parts.query else "")
