"""One program in front of the site: reads each page's form, answers, reports, goes on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from urllib.parse import urlencode

from studyapp.management.simulating.preferences import Planted, answer_field
from studyapp.management.simulating.profiles import Person
from studyapp.management.visiting.browser import Browser, Sent, VisitError
from studyapp.management.visiting.page import Field
from studyapp.management.visiting.visitor import Visitor, form_data
from studyapp.selectors.blinding import TrialSide

_TRIAL: Final = re.compile(r"/p/[^/]+/t/([^/]+)/")
_PAGES: Final = 400
_DEVICES: Final = ("phone", "desktop", "tablet")
_VIEW_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"


class Ending(StrEnum):
    """How taking part ended for a program."""

    COMPLETE = "complete"
    LEFT = "left"
    ENDED = "ended"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Played:
    """What one program did: how it ended, its personal address, and what it sent by page.

    `sent` holds by trial token the answers that were accepted first, which are those that stand.
    """

    person: Person
    ending: Ending
    address: str
    sent: Mapping[str, Mapping[str, str]]


@dataclass
class Bot:
    """Plays one person. `side_of` tells from the database which way round a trial is."""

    person: Person
    browser: Browser
    twin_new: Callable[[Browser], Browser]
    planted: Planted
    right: Mapping[str, str]
    side_of: Callable[[str], TrialSide]
    wait: Callable[[float], None] = time.sleep
    _visitor: Visitor = field(init=False)
    _sides: dict[str, TrialSide] = field(default_factory=dict)
    _sent: dict[str, dict[str, str]] = field(default_factory=dict)

    def take_part(self, link: str) -> Played:
        """Go from the link to the end, or as far as this person goes.

        Raises:
            VisitError: the site failed, or there is no end.
        """
        self._visitor = Visitor(self.browser)
        self._visitor.open(link)
        for pages in range(_PAGES):
            if self.person.leaves_after is not None and pages >= self.person.leaves_after:
                return self._played(Ending.LEFT)
            if not self._page():
                return self._played(self._ending())
        raise VisitError(f"{self._visitor.address}: no end after {_PAGES} pages")

    def _page(self) -> bool:
        visitor = self._visitor
        visitor.answers = visitor.answers[-1:]
        waits = visitor.page.data.get("data-wait")
        if waits:
            self.wait(float(waits[0]))
        if visitor.page.main_form is None:
            return visitor.go_on(self._answer)
        before = visitor.address
        self._read()
        if self.person.profile.doubles:
            self._send_twice()
        else:
            visitor.send(self._answer)
        if self.person.profile.goes_back and _TRIAL.match(before) and visitor.address != before:
            self._go_back(before)
        return True

    def _answer(self, entry: Field) -> str | None:
        found = _TRIAL.match(self._visitor.address)
        side = self._side(found[1]) if found and entry.offered else None
        value = answer_field(
            entry,
            self.person,
            preferred=self.planted.side(side) if side else "",
            trial=side.scenario if side else "",
            right=self.right,
        )
        if found and value is not None:
            self._sent.setdefault(found[1], {}).setdefault(entry.name, value)
        return value

    def _side(self, trial: str) -> TrialSide:
        if trial not in self._sides:
            self._sides[trial] = self.side_of(trial)
        return self._sides[trial]

    def _read(self) -> None:
        """Report how the page was read, as its script does: by itself, and with the form."""
        form, data = self._visitor.page.main_form, self._visitor.page.data
        addresses = data.get("data-reading")
        if form is None or not addresses or "reading" not in form.hidden:
            return
        text = json.dumps(self._batch())
        token = form.hidden.get("csrfmiddlewaretoken", "")
        self.browser.report(addresses[0], Sent(text, "application/json", token))
        form.hidden["reading"] = text
        self._keep_draft(token)

    def _batch(self) -> dict[str, object]:
        data, profile = self._visitor.page.data, self.person.profile
        dice = self.person.dice("reading", self._visitor.address)
        items = [*data.get("data-page", ()), *dict.fromkeys(data.get("data-item", ()))]
        return {
            "view": "".join(dice.choices(_VIEW_LETTERS, k=16)),
            "device": _DEVICES[self.person.number % len(_DEVICES)],
            "seen": {
                item: [dice.randint(*profile.visible_ms), dice.randint(*profile.scrolled)]
                for item in items
            },
            "changed": [],
        }

    def _keep_draft(self, token: str) -> None:
        form, addresses = self._visitor.page.main_form, self._visitor.page.data.get("data-draft")
        if form is None or not addresses:
            return
        data = {**form_data(form, self._answer), "csrfmiddlewaretoken": token}
        self.browser.report(addresses[0], Sent(urlencode(data)))

    def _send_twice(self) -> None:
        """Send the form from two windows at the same moment; one of the answers is looked at."""
        visitor, form = self._visitor, self._visitor.page.main_form
        if form is None:
            return
        target = form.action or visitor.address
        data = form_data(form, self._answer)
        twin = self.twin_new(self.browser)
        with ThreadPoolExecutor(max_workers=1) as window:
            other = window.submit(twin.post, target, data)
            visitor.send(self._answer)
            answers = other.result()
        twin.close()
        if answers[-1].status >= 500:
            raise VisitError(f"{target}: status {answers[-1].status} for the second window")

    def _go_back(self, address: str) -> None:
        """Open the former page and send it again with other answers: the first ones stand."""
        visitor = self._visitor
        there = visitor.address
        visitor.open(address)
        if visitor.page.main_form is not None and visitor.address == address:
            visitor.send(lambda entry: next(iter(entry.offered), None))
        visitor.open(there)

    def _ending(self) -> Ending:
        address = self._visitor.address
        if address.endswith("/thanks/"):
            return Ending.COMPLETE
        return Ending.ENDED if address.startswith("/p/") else Ending.REFUSED

    def _played(self, ending: Ending) -> Played:
        return Played(self.person, ending, self._visitor.address, self._sent)
