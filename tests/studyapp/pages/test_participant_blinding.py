"""Nothing a participant gets tells one report from the other."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from studyapp.domain.markup import prose_render
from studyapp.management.blinding.crawl import Got
from studyapp.management.visiting.page import Page
from studyapp.models import Assignment, StimulusPair
from tests.blinding import crawled, leaks
from tests.sample_study import SampleStudy, sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


def test_no_page_of_the_whole_way_names_what_it_compares(study: SampleStudy) -> None:
    assert leaks(*crawled(study.link)) == []


def test_the_crawl_sees_every_kind_of_page(study: SampleStudy) -> None:
    addresses = [got.answer.address for got in crawled(study.link)]
    endings = {address.rstrip("/").rsplit("/", 1)[-1] for address in addresses}
    assert {"about-you", "debate", "reports", "later", "thanks", "draft", "reading"} <= endings
    assert any(re.fullmatch(r"app\.\w+\.css", ending) for ending in endings)
    assert any(re.fullmatch(r"draft\.\w+\.js", ending) for ending in endings)


@pytest.mark.parametrize(
    "planted",
    [
        '<p class="report is-treatment">x</p>',
        '<p data-arm="1">x</p>',
        "<p>Written by GPT-4.</p>",
        "<!-- left is the treatment -->",
        '<a href="/runs/7/">x</a>',
        "<p>PF 0.95</p>",
    ],
)
def test_the_crawl_finds_a_planted_leak(study: SampleStudy, planted: str) -> None:
    clean = crawled(study.link)[0]
    assert leaks(clean) == []
    told = clean.answer.html.replace("</main>", f"{planted}</main>")
    assert leaks(Got(replace(clean.answer, body=told.encode()), Page(told), clean.is_finished))


def test_the_left_text_is_the_one_that_was_drawn(study: SampleStudy) -> None:
    for _ in range(4):
        walker = Walker().walk_to(study.link, "/reports/")
        trial = Assignment.objects.get(token=walker.address.split("/")[4])
        pair = StimulusPair.objects.get(scenarios=trial.scenario_id)
        left, right = pair.treatment_text, pair.reference_text
        if not trial.treatment_is_left:
            left, right = right, left
        a, b = walker.html.index('id="report-a"'), walker.html.index('id="report-b"')
        assert a < walker.html.index(prose_render(left, heading=3)) < b
        assert b < walker.html.index(prose_render(right, heading=3))


def test_trial_tokens_do_not_tell_the_side(study: SampleStudy) -> None:
    """Tokens are random: neither their order nor a character follows the side."""
    for _ in range(8):
        Walker().get(study.link).send()
    rows = Assignment.objects.values_list("token", "treatment_is_left")
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token, _ in rows)
    assert len({token for token, _ in rows}) == 16


def test_private_traces_never_reach_a_page(study: SampleStudy) -> None:
    bodies = [got.answer.html for got in crawled(study.link)]
    assert any("The harbour dyke holds" in body for body in bodies)
    assert all("PRIVATE THOUGHT" not in body for body in bodies)


def test_before_completion_the_debrief_and_the_code_are_out_of_reach(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/reports/")
    token = walker.address.split("/")[2]
    thanks = walker.client.get(f"/p/{token}/thanks/")
    assert thanks.status_code == 302
    assert thanks.headers["Location"] == walker.address


def test_after_completion_it_is_said_plainly_that_no_language_model_wrote(
    study: SampleStudy,
) -> None:
    walker = Walker().walk(study.link)
    assert "without any language model" in walker.html
    assert "conceptual replication" in walker.html


def test_nothing_is_said_of_rules_where_a_model_wrote(study: SampleStudy) -> None:
    StimulusPair.objects.update(manifest={"models": {"mode": "live", "names": ["a", "b"]}})
    assert "without any language model" not in Walker().walk(study.link).html
