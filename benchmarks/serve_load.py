"""Many people at one server, as a process of its own, so that its CPU time can be told apart.

It reads pages by a few regular expressions in place of a parser: on the cores that the server
runs on as well, the load must not cost more than what is measured. It prints one JSON object.
"""

from __future__ import annotations

import argparse
import html
import http.client
import json
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode, urljoin, urlsplit

_INPUT: Final = re.compile(r"<input\b([^>]*)>")
_AREA: Final = re.compile(r'<textarea\b[^>]*\bname="([^"]*)"')
_SELECT: Final = re.compile(
    r'<select\b[^>]*\bname="([^"]*)".*?<option[^>]*value="([^"]+)"', re.DOTALL
)
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')
_FORM: Final = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
_LINK: Final = re.compile(r'<a class="button" href="(/[^"]*)"')
_STEPS: Final = 200
_REDIRECTS: Final = (301, 302, 303, 307)


@dataclass
class Client:
    """One kept connection with its cookies; notes every request."""

    host: str
    counts: bool = False
    address: str = ""
    body: str = ""
    log: list[tuple[str, int, float]] = field(default_factory=list)
    plan: list[tuple[int, int]] = field(default_factory=list)
    _cookies: dict[str, tuple[str, str]] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None

    def go(self, method: str, address: str, data: dict[str, str] | None = None) -> None:
        """Send a request and follow where it leads."""
        for _ in range(10):
            status, location = self._ask(method, address, data)
            self.address = address
            if status not in _REDIRECTS:
                return
            parts = urlsplit(urljoin(f"http://{self.host}{address}", location))
            method, data = "GET", None
            address = parts.path + (f"?{parts.query}" if parts.query else "")
        raise SystemExit(f"{address}: too many redirects")

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()

    def _ask(self, method: str, address: str, data: dict[str, str] | None) -> tuple[int, str]:
        headers = {"Accept": "text/html", "Accept-Language": "en"}
        held = [f"{n}={v}" for n, (v, path) in self._cookies.items() if address.startswith(path)]
        if held:
            headers["Cookie"] = "; ".join(held)
        if self.counts:
            headers["X-Count"] = "1"
        body = None
        if data is not None:
            body = urlencode(data)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        began = time.perf_counter()
        reply = self._reply(method, address, body, headers)
        content = reply.read()
        self.log.append((method, reply.status, time.perf_counter() - began))
        for line in reply.headers.get_all("Set-Cookie", ()):
            pair, _, rest = line.partition(";")
            name, _, value = pair.partition("=")
            path = re.search(r"[Pp]ath=([^;]+)", rest)
            self._cookies[name.strip()] = (value, path[1] if path else "/")
        self.body = content.decode("utf-8", "replace")
        if self.counts:
            self.plan.append((int(reply.headers.get("X-Queries", "0")), len(content)))
        return reply.status, reply.headers.get("Location", "")

    def _reply(
        self, method: str, address: str, body: str | None, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        for attempt in (1, 2):
            if self._connection is None:
                self._connection = http.client.HTTPConnection(self.host, timeout=120)
            try:
                self._connection.request(method, address, body, headers)
                return self._connection.getresponse()
            except (http.client.HTTPException, ConnectionError):
                # A server may close a kept connection while it is idle.
                self._connection.close()
                self._connection = None
                if attempt == 2:
                    raise
        raise SystemExit("unreachable")


def site_person(client: Client, link: str, number: int) -> bool:
    """Take part in a study; say whether the thanks page was reached."""
    client.go("GET", link)
    for _ in range(_STEPS):
        if client.address.endswith("/thanks/"):
            return True
        form = next((f for f in _FORM.findall(client.body) if 'method="post"' in f[0]), None)
        if form is not None:
            action = dict(_ATTRIBUTE.findall(form[0])).get("action") or client.address
            client.go("POST", html.unescape(action), _filled(form[1], number))
        elif found := _LINK.search(client.body):
            client.go("GET", html.unescape(found[1]))
        else:
            return False
    return False


def otree_person(client: Client, link: str, number: int) -> bool:
    """Take part in an oTree session; say whether its last page was reached."""
    client.go("GET", link)
    for _ in range(_STEPS):
        if "The end." in client.body:
            return True
        if "<form" not in client.body:
            return False
        client.go("POST", client.address, _filled(client.body, number))
    return False


def limit_person(plan: Sequence[Sequence[int]], client: Client, key: str, _number: int) -> bool:
    """Ask for as much as a participant does: queries and bytes of each request."""
    for queries, size in plan:
        client.go("GET", f"/limit/?pk={key}&q={queries}&b={size}")
    return True


def _filled(text: str, number: int) -> dict[str, str]:
    data: dict[str, str] = {}
    offered: dict[str, list[str]] = {}
    for found in _INPUT.findall(text):
        given = dict(_ATTRIBUTE.findall(found))
        name, kind = given.get("name", ""), given.get("type", "text")
        value = html.unescape(given.get("value", ""))
        if kind in ("radio", "checkbox"):
            offered.setdefault(name, []).append(value)
        elif name:
            data[name] = value or ("1" if kind in ("number", "text") else "")
    data |= {name: values[(number + len(name)) % len(values)] for name, values in offered.items()}
    data |= dict.fromkeys(_AREA.findall(text), "In my own words.")
    data |= dict(_SELECT.findall(text))
    return data


def main(arguments: Sequence[str]) -> None:
    """Play all people and print what was measured."""
    options = _parser().parse_args(arguments)
    plan = json.loads(Path(options.plan).read_text()) if options.plan else []
    links = json.loads(Path(options.links).read_text())
    host = urlsplit(options.url).netloc
    people: dict[str, Callable[[Client, str, int], bool]] = {
        "site": site_person,
        "otree": otree_person,
        "limit": partial(limit_person, plan),
    }

    def one(number: int) -> tuple[Client, bool]:
        client = Client(host, counts=options.count)
        try:
            return client, people[options.kind](client, links[number % len(links)], number)
        finally:
            client.close()

    began, cpu = time.perf_counter(), _cpu()
    with ThreadPoolExecutor(max_workers=options.concurrency) as pool:
        done = list(pool.map(one, range(options.people)))
    sys.stdout.write(json.dumps(_told(done, time.perf_counter() - began, _cpu() - cpu)))


def _told(done: Sequence[tuple[Client, bool]], seconds: float, cpu: float) -> dict[str, Any]:
    return {
        "finished": sum(finished for _, finished in done),
        "requests": [row for client, _ in done for row in client.log],
        "plan": done[0][0].plan,
        "seconds": seconds,
        "cpu_seconds": cpu,
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("kind", choices=["site", "limit", "otree"])
    parser.add_argument("--url", required=True)
    parser.add_argument("--links", required=True, help="JSON file with the links, used in turn")
    parser.add_argument("--people", type=int, required=True)
    parser.add_argument("--concurrency", type=int, required=True)
    parser.add_argument("--plan", help="JSON file with queries and bytes of each request")
    parser.add_argument("--count", action="store_true", help="ask for the number of queries")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
