"""Let many programs take part at once, and measure what the site answered."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from studyapp.management.simulating.bot import Bot, Played
from studyapp.management.simulating.preferences import Planted
from studyapp.management.simulating.profiles import Person
from studyapp.management.visiting.browser import Answer, Browser, HttpBrowser, Sent
from studyapp.selectors.blinding import TrialSide


@dataclass(frozen=True, slots=True)
class Request:
    """One request as its sender saw it; `seconds` from sending to the last byte."""

    method: str
    address: str
    status: int
    seconds: float


@dataclass
class TimedBrowser(HttpBrowser):
    """A browser that writes down how long each answer took."""

    requests: list[Request] = field(default_factory=list)

    def ask(self, method: str, address: str, sent: Sent | None) -> Answer:
        """Send one request and note it."""
        began = time.perf_counter()
        answer = super().ask(method, address, sent)
        took = time.perf_counter() - began
        self.requests.append(Request(method, address, answer.status, took))
        return answer

    def twin(self) -> TimedBrowser:
        """Return a second window: the same cookies, a connection of its own."""
        return TimedBrowser(
            self.url, self.language, self.timeout, dict(self._jar), requests=self.requests
        )


@dataclass(frozen=True, slots=True)
class Play:
    """What all programs of a run share."""

    url: str
    links: Sequence[str]
    planted: Planted
    right: Mapping[str, str]
    side_of: Callable[[str], TrialSide]
    person_done: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Measured:
    """A run: what each program did, every request, wall time, and the programs' own CPU time."""

    played: tuple[Played, ...]
    requests: tuple[Request, ...]
    seconds: float
    cpu_seconds: float


def people_play(people: Sequence[Person], play: Play, *, concurrency: int) -> Measured:
    """Let people take part, `concurrency` of them at a time.

    Raises:
        VisitError: the site failed.
    """
    requests: list[Request] = []
    began, cpu = time.perf_counter(), _cpu()
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        played = tuple(pool.map(lambda person: _one(person, play, requests), people))
    return Measured(played, tuple(requests), time.perf_counter() - began, _cpu() - cpu)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of what was measured; 0 for nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _one(person: Person, play: Play, requests: list[Request]) -> Played:
    browser = TimedBrowser(play.url, requests=requests)
    bot = Bot(
        person=person,
        browser=browser,
        twin_new=_twin,
        planted=play.planted,
        right=play.right,
        side_of=play.side_of,
    )
    try:
        return bot.take_part(play.links[person.number % len(play.links)])
    finally:
        browser.close()
        play.person_done()


def _twin(browser: Browser) -> Browser:
    if not isinstance(browser, TimedBrowser):
        raise TypeError(f"{type(browser).__name__} has no second window")
    return browser.twin()


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
