"""A participant without a browser: reads pages, fills in their forms, follows where they lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.test.client import ClientHandler

Choose = Callable[[str, list[str]], str]
# One for all clients, as in a server: each would read the middleware and the static files anew.
_SITE = ClientHandler(enforce_csrf_checks=True)


def browser_new() -> Client:
    """Return a browser without cookies, whose forms need a token as anybody's do."""
    client = Client(enforce_csrf_checks=True)
    client.handler = _SITE
    return client


@dataclass
class Form:
    """One form of a page: fixed values, and what each group of radio buttons offers."""

    values: dict[str, str] = field(default_factory=dict)
    radios: dict[str, list[str]] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)


class PageReader(HTMLParser):
    """Collects the forms, links, ids, attributes and visible text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.assets: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.comments: list[str] = []
        self.open_area = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.attributes += [(tag, name, value) for name, value in given.items()]
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links.append(given.get("href", ""))
        if tag in ("link", "script", "img"):
            self.assets += [given[name] for name in ("href", "src") if name in given]
        if tag == "form":
            self.forms.append(Form())
        if tag in ("input", "textarea") and self.forms:
            self._field(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.open_area = ""

    def handle_data(self, data: str) -> None:
        if self.open_area:
            self.forms[-1].values[self.open_area] += data
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def _field(self, tag: str, given: Mapping[str, str]) -> None:
        form, name, value = self.forms[-1], given["name"], given.get("value", "")
        if tag == "textarea":
            self.open_area = name
            form.values[name] = ""
        elif given["type"] in ("radio", "checkbox"):
            form.radios.setdefault(name, []).append(value)
            if "checked" in given:
                form.chosen[name] = value
        else:
            form.values[name] = value


@dataclass
class Walker:
    """A participant: one browser, with its cookies, at one page."""

    client: Client = field(default_factory=browser_new)
    address: str = ""
    response: Any = None

    def get(self, address: str) -> Walker:
        """Open an address and follow where it leads."""
        return self._arrive(self.client.get(address, follow=True), address)

    def send(self, choose: Choose | None = None, **overrides: str | None) -> Walker:
        """Send the page's form: `choose` picks from each group; an override of None leaves out."""
        data = self.filled(choose, **overrides)
        return self._arrive(self.client.post(self.address, data, follow=True), self.address)

    def filled(self, choose: Choose | None = None, **overrides: str | None) -> dict[str, str]:
        """Return what sending the page's form would send."""
        form = self.page.forms[0]
        pick = choose or first_choice
        picked = {name: pick(name, offered) for name, offered in form.radios.items()}
        data: dict[str, str | None] = {**form.values, **picked}
        data |= {name.replace("__", "."): value for name, value in overrides.items()}
        return {name: value for name, value in data.items() if value is not None}

    def walk(self, link: str, choose: Choose | None = None) -> Walker:
        """Go the whole way from the link to the thanks page."""
        self.get(link)
        for _ in range(50):
            if not self.page.forms:
                return self
            self.send(choose)
        raise AssertionError(f"no end in sight at {self.address}")

    def walk_to(self, link: str, ending: str) -> Walker:
        """Go on until the address ends in `ending`."""
        if link:
            self.get(link)
        for _ in range(50):
            if self.address.endswith(ending):
                return self
            self.send()
        raise AssertionError(f"{ending} was not reached from {link}")

    @property
    def html(self) -> str:
        """The page as it came."""
        return str(self.response.content.decode())

    @property
    def page(self) -> PageReader:
        """The page, read."""
        return PageReader(self.html)

    @property
    def status(self) -> int:
        """The page's status."""
        return int(self.response.status_code)

    def _arrive(self, response: Any, address: str) -> Walker:
        self.response = response
        chain = getattr(response, "redirect_chain", [])
        self.address = chain[-1][0] if chain else address
        return self


def first_choice(_name: str, offered: list[str]) -> str:
    """Pick the first answer on offer."""
    return offered[0]
