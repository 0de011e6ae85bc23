"""The number of queries of a page is the same in a small study and a large one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studyapp.management.blinding.crawl import Crawl
from studyapp.management.blinding.leak_words import address_shape
from studyapp.management.visiting.browser import Answer, InnerBrowser, Sent, site_new
from studyapp.selectors.answer_key import answers_right
from tests.sample_study import SampleStudy
from tests.simulated_study import simulated_study
from tests.walking import Walker

SITE = site_new()
Counts = dict[tuple[str, str], set[int]]


@dataclass
class CountingBrowser(InnerBrowser):
    """A browser that notes how many queries each answer took, by method and kind of address."""

    counts: Counts = field(default_factory=lambda: defaultdict(set))

    def ask(self, method: str, address: str, sent: Sent | None) -> Answer:
        with CaptureQueriesContext(connection) as asked:
            answer = super().ask(method, address, sent)
        self.counts[method, address_shape(address).partition("?")[0]].add(len(asked))
        return answer


def walked(study: SampleStudy) -> Counts:
    """Take part once, with everything that pages link and report to."""
    browser = CountingBrowser(site=SITE)
    Crawl(browser, answers_right(study.study), seen=set()).take_part(study.link)
    return browser.counts


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.timeout(180)
def test_no_page_asks_more_for_more_turns_scenarios_or_participants() -> None:
    small = simulated_study("small", debates=2, turns=6)
    large = simulated_study("large", debates=5, turns=150)
    for study in (small, large):
        walked(study)  # fills what is kept of debates
    few = walked(small)
    for _ in range(6):
        Walker().get(large.link).send()
    many = walked(large)
    assert {kind for _, kind in few} >= {
        "/p/TOKEN/questions-first/",
        "/p/TOKEN/about-you/",
        "/p/TOKEN/t/TOKEN/reports/",
        "/p/TOKEN/t/TOKEN/reading/",
        "/p/TOKEN/t/TOKEN/mark/",
        "/p/TOKEN/t/TOKEN/draft/",
        "/p/TOKEN/rights/",
        "/p/TOKEN/thanks/",
    }
    assert {kind: max(counts) for kind, counts in many.items()} == {
        kind: max(counts) for kind, counts in few.items()
    }
    assert max(max(counts) for counts in many.values()) <= 25
