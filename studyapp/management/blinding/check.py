"""Check a study's blindness: walk it both ways round, and hold every answer against the rest."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from studyapp.management.blinding.crawl import Crawl, Got
from studyapp.management.blinding.leak_words import Leak, address_shape, word_leaks
from studyapp.management.blinding.outline import outline
from studyapp.management.blinding.side_signs import outline_differences, token_signs
from studyapp.management.visiting.browser import Browser
from studyapp.selectors.blinding import BlindStudy, TrialSide

_TRIAL: Final = re.compile(r"/p/[^/]+/t/([^/]+)/")


@dataclass(frozen=True, slots=True)
class WayIn:
    """A cohort's way in, for as many people as the check sends through it."""

    cohort: str
    link: Callable[[int], str]
    people: int
    language: str = "en"


@dataclass(frozen=True, slots=True)
class BlindingReport:
    """Everything found, and what was looked at: pages by address, people, trials by side."""

    leaks: tuple[Leak, ...]
    pages: Mapping[str, int]
    people: int
    trials: Mapping[bool, int]
    compared: int


@dataclass(frozen=True, slots=True)
class _Key:
    """What two pages must have in common to be compared."""

    cohort: str
    language: str
    address: str
    scenario: str
    order: int
    time: int


@dataclass
class BlindingCheck:
    """One check: `sides` is asked for again after each participant, whose trials are new."""

    study: BlindStudy
    sides: Callable[[], Mapping[str, TrialSide]]
    right: Mapping[str, str]
    sorts: bool
    wait: Callable[[float], None] = time.sleep
    _leaks: list[Leak] = field(default_factory=list)
    _pages: Counter[str] = field(default_factory=Counter)
    _outlines: dict[_Key, dict[bool, set[tuple[str, ...]]]] = field(default_factory=dict)
    _trials: dict[str, bool] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    def run(self, ways: list[WayIn], browser_new: Callable[[str], Browser]) -> BlindingReport:
        """Send people through every way in, and report."""
        for way in ways:
            for number in range(way.people):
                browser = browser_new(way.language)
                crawl = Crawl(browser, self.right, self._seen, wait=self.wait)
                crawl.take_part(way.link(number))
                crawl.browser.close()
                self._look(way, crawl.got)
        return BlindingReport(
            leaks=tuple(dict.fromkeys([*self._leaks, *self._sides_compare()])),
            pages=dict(self._pages),
            people=sum(way.people for way in ways),
            trials=dict(Counter(self._trials.values())),
            compared=sum(len(outlines) > 1 for outlines in self._outlines.values()),
        )

    def _look(self, way: WayIn, got: list[Got]) -> None:
        sides = self.sides()
        times: Counter[tuple[str, str]] = Counter()
        for one in got:
            address = address_shape(one.answer.address)
            self._pages[address.partition("?")[0]] += 1
            self._leaks += word_leaks(one.answer, one.page, self.study, is_finished=one.is_finished)
            found = _TRIAL.match(one.answer.address)
            side = sides.get(found[1]) if found else None
            if found is None or side is None:
                continue
            self._trials[found[1]] = side.treatment_is_left
            times[found[1], address] += 1
            key = _Key(
                way.cohort,
                way.language,
                address,
                side.scenario,
                side.order,
                times[found[1], address],
            )
            self._outline_keep(key, one, side)

    def _outline_keep(self, key: _Key, one: Got, side: TrialSide) -> None:
        lines = outline(
            one.answer,
            self.study.pairs.get(side.scenario),
            treatment_is_left=side.treatment_is_left,
            sorts=self.sorts,
        )
        by_side = self._outlines.setdefault(key, defaultdict(set))
        by_side[side.treatment_is_left].add(lines)

    def _sides_compare(self) -> Iterator[Leak]:
        for key, outlines in self._outlines.items():
            place = f"{key.scenario} as trial {key.order}, the two ways round"
            for told in outline_differences(outlines):
                yield Leak(key.address, place, told)
        for told in token_signs(self._trials):
            yield Leak("all pages", "tokens", told)
