"""Take part many times over, and keep every answer of the site with the trial it belongs to."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from studyapp.management.visiting.browser import Answer, Browser, Sent
from studyapp.management.visiting.page import Field, Page
from studyapp.management.visiting.visitor import Visitor, first_offered, form_data

_ENDPOINTS: Final = ("data-draft", "data-reading", "data-marks")
_ASSETS: Final = (".css", ".js", ".svg")
_PERSONAL: Final = "/p/"


@dataclass(frozen=True, slots=True)
class Got:
    """One answer with the page that was read from it."""

    answer: Answer
    page: Page
    is_finished: bool


@dataclass
class Crawl:
    """What one participant got. `seen` are addresses that were opened for everybody already."""

    browser: Browser
    right: Mapping[str, str]
    seen: set[str]
    wait: Callable[[float], None] = time.sleep
    got: list[Got] = field(default_factory=list)

    def take_part(self, link: str) -> None:
        """Go from the link to the last page, and look at everything around each page."""
        visitor = Visitor(self.browser)
        visitor.open(link)
        while True:
            self._keep(visitor.answers)
            visitor.answers = visitor.answers[-1:]
            self._around(visitor)
            waits = visitor.page.data.get("data-wait")
            if waits:
                self.wait(float(waits[0]))
            if not visitor.go_on(self._fill):
                return
            visitor.answers = visitor.answers[1:]

    def _fill(self, entry: Field) -> str | None:
        return self.right.get(entry.name) or first_offered(entry)

    def _keep(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            page = Page(answer.html if answer.is_page else "")
            self.got.append(Got(answer, page, answer.address.endswith("/thanks/")))

    def _around(self, visitor: Visitor) -> None:
        """Open what the page links to and loads, and what its scripts report to."""
        page = visitor.page
        links = [address for address, _ in page.links if address.startswith((_PERSONAL, "/rights"))]
        assets = [address for address in page.assets if address.endswith(_ASSETS)]
        for address in [*links, *assets]:
            path = address.partition("#")[0]
            if path not in self.seen:
                self.seen.add(path)
                self._keep(self.browser.get(path))
        self._keep(list(self._reports(visitor)))

    def _reports(self, visitor: Visitor) -> Iterator[Answer]:
        form = visitor.page.main_form
        if form is None:
            return
        token = form.hidden.get("csrfmiddlewaretoken", "")
        for name in _ENDPOINTS:
            for address in dict.fromkeys(visitor.page.data.get(name, ())):
                if address.startswith(_PERSONAL):
                    yield self.browser.report(address, _sent(name, visitor, self._fill, token))


def _sent(name: str, visitor: Visitor, fill: Callable[[Field], str | None], token: str) -> Sent:
    if name == "data-reading":
        batch = {"view": "checkingblinding", "device": "desktop", "seen": {"left": [900, 80]}}
        return Sent(json.dumps(batch), "application/json", token)
    if name == "data-marks":
        return Sent(urlencode({"mark": "T1:left:supports", "csrfmiddlewaretoken": token}))
    form = visitor.page.main_form
    data = form_data(form, fill) if form else {}
    return Sent(urlencode(data), token=token)
