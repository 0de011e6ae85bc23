"""Whoever stops in the middle of a debate under time pressure is told that its time runs on."""

from __future__ import annotations

import pytest

from studyapp.domain.tokens import token_new
from studyapp.models import Cohort
from tests.sample_study import sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db
RUNS_ON = "runs on while you are away"


def paused(at: str, **pressure: object) -> str:
    """Stop at the step whose address ends so, and read the page about continuing later."""
    study = sample_study(slug=token_new().lower())
    Cohort.objects.filter(pk=study.cohort.pk).update(time_pressure=pressure)
    walker = Walker().walk_to(study.link, at)
    return walker.get(f"/p/{walker.address.split('/')[2]}/later/").html


@pytest.mark.parametrize(
    ("at_zero", "words"),
    [
        ("lock", "later answers are not taken"),
        ("warn", "it is noted that you took longer"),
        ("record", "it is noted that you took longer"),
    ],
)
def test_an_open_debate_s_time_runs_on(at_zero: str, words: str) -> None:
    for page in ("/debate/", "/reports/"):
        html = paused(page, seconds=600, at_zero=at_zero)
        assert RUNS_ON in html
        assert words in html


def test_nothing_runs_before_a_debate_is_opened_or_without_a_limit() -> None:
    assert RUNS_ON not in paused("/about-you/", seconds=600, at_zero="lock")
    assert RUNS_ON not in paused("/debate/")
    assert RUNS_ON not in paused("/debate/", turn_seconds=5)
