"""What the pages are made of: the debate in order, the scales, the cost of a page."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studyapp.models import DebateTrace
from tests.sample_study import sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db


def test_the_debate_stands_in_order_with_its_news_in_place() -> None:
    walker = Walker().walk_to(sample_study(debates=1).link, "/debate/")
    ids = [name for name in walker.page.ids if re.fullmatch(r"(turn|news)-\d+", name)]
    expected = ["turn-1", "turn-2", "news-1", "turn-3", "turn-4", "news-2", "turn-5", "turn-6"]
    assert ids == expected
    assert [link[1:] for link in walker.page.links if link[1:] in ids] == expected


def test_every_jump_link_has_its_target() -> None:
    walker = Walker().walk_to(sample_study(debates=1).link, "/reports/")
    targets = {link[1:] for link in walker.page.links if link.startswith("#")}
    assert targets <= set(walker.page.ids)
    assert {"situation", "report-a", "report-b", "questions", "documents"} <= targets


def test_ids_are_unique_on_every_page() -> None:
    walker = Walker().get(sample_study().link)
    while walker.page.forms:
        assert len(walker.page.ids) == len(set(walker.page.ids)), walker.address
        walker.send()


def test_the_debate_stays_on_the_page_of_the_reports() -> None:
    walker = Walker().walk_to(sample_study(debates=1).link, "/reports/")
    assert "The harbour dyke holds" in walker.html
    assert "Look at the debate again" in walker.html


def test_each_point_of_a_scale_has_its_label() -> None:
    walker = Walker().walk_to(sample_study().link, "/reports/")
    for name in ("trust.left", "trust.right", "fluency.left", "fluency.right"):
        assert walker.page.forms[0].radios[name] == ["1", "2", "3", "4", "5"]
    assert walker.html.count("Completely") == 2


def test_texts_and_turns_say_their_language_and_direction() -> None:
    study = sample_study(debates=1)
    trace = DebateTrace.objects.get()
    trace.content["language"] = "ar"
    DebateTrace.objects.update(content=trace.content, language="ar", sha256="a" * 64)
    html = Walker().walk_to(study.link, "/reports/").html
    readings = re.findall(r'<div class="reading"[^>]*>', html)
    assert len(readings) > 8
    assert all('lang="ar"' in tag and 'dir="auto"' in tag for tag in readings)


def test_nothing_on_a_page_needs_inline_script_or_style() -> None:
    walker = Walker().get(sample_study().link)
    while True:
        names = {name for _, name, _ in walker.page.attributes}
        assert not {name for name in names if name.startswith("on")} | names & {"style"}
        assert "<style" not in walker.html
        assert not re.search(r"<script(?![^>]*src=)", walker.html)
        policy = walker.response.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        if not walker.page.forms:
            return
        walker.send()


def queries_of_each_page(link: str) -> dict[str, int]:
    """Walk to the end of the first trial; count the queries of each GET and POST."""
    counts: dict[str, int] = {}
    walker = Walker().get(link)
    for name in ("consent", "background", "introduction", "debate", "reports"):
        with CaptureQueriesContext(connection) as asked:
            walker.get(walker.address)
        counts[f"GET {name}"] = len(asked)
        with CaptureQueriesContext(connection) as asked:
            walker.client.post(walker.address, walker.filled())
        counts[f"POST {name}"] = len(asked)
        walker.get(link)
    return counts


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_the_number_of_queries_does_not_grow_with_the_study() -> None:
    small = sample_study(slug="small", debates=1, turns=6)
    large = sample_study(slug="large", debates=3, turns=200)
    queries_of_each_page(large.link)  # warms the cache of rendered debates
    queries_of_each_page(small.link)
    few = queries_of_each_page(small.link)
    for _ in range(5):
        Walker().get(large.link).send()
    many = queries_of_each_page(large.link)
    # The last answer of the small study also completes it: two updates and an event.
    few["POST reports"] -= 3
    assert many == few
    assert max(many.values()) <= 20
