"""Trials against the clock: told before, the server's own, and nothing typed is lost at zero."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from studyapp.models import (
    Assignment,
    Cohort,
    Response,
)
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.pages.reading import at
from tests.walking import Walker

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


def pressed(**pressure: Any) -> Walker:
    study = sample_study()
    Cohort.objects.update(time_pressure=pressure)
    return Walker().walk_to(study.link, "/debate/")


def later(seconds: int) -> Any:
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=True)


@pytest.mark.parametrize(
    ("at_zero", "words"),
    [
        ("record", "When it is over, you can still answer."),
        ("warn", "When it is over, you are asked to finish."),
        ("lock", "what you have answered is stored as it is"),
    ],
)
def test_time_pressure_is_announced_before_it_begins(at_zero: str, words: str) -> None:
    study = sample_study()
    Cohort.objects.update(time_pressure={"seconds": 150, "at_zero": at_zero, "turn_seconds": 4})
    walker = Walker().walk_to(study.link, "/about-you/").send()
    assert "You have 2:30 minutes" in walker.html
    assert "one every 4 seconds" in walker.html
    assert words in walker.html
    assert Assignment.objects.filter(trace_opened_at__isnull=False).count() == 0


def test_no_clock_runs_where_there_is_no_time_pressure(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    assert "countdown" not in walker.html
    assert "unfold" not in walker.html


def test_the_clock_is_the_server_s_also_after_a_reload() -> None:
    walker = pressed(seconds=150)
    with later(100):
        html = walker.get(walker.address).html
    left = int(html.split('data-ends-in="')[1].split('"')[0])
    assert 40_000 < left <= 50_000


def test_without_script_a_locked_trial_ends_at_the_next_step_and_keeps_what_was_typed() -> None:
    walker = pressed(seconds=150, at_zero="lock").send()
    walker.client.post(at(walker, "/draft/"), walker.filled(comment="In time", act_on=None))
    with later(200):
        walker.send(comment="Too late")
        assert "The time for this debate is over" in walker.html
    trial = Assignment.objects.get(order=1)
    assert trial.timed_out
    assert Response.objects.get(measure="comment").value == "In time"
    assert not Response.objects.filter(measure="act_on").exists()
    onward = walker.get(f"/p/{walker.address.split('/')[2]}/")
    assert "Debate 2 of 2" in onward.html
    assert "The time for the debate before was over." in onward.html


def test_opening_a_locked_page_late_changes_nothing_until_it_is_confirmed() -> None:
    walker = pressed(seconds=150, at_zero="lock")
    with later(200):
        walker.get(walker.address)
        assert "The time for this debate is over" in walker.html
        assert not Assignment.objects.get(order=1).timed_out
        walker.send(action="timeout")
        assert Assignment.objects.get(order=1).timed_out


def test_a_page_that_sends_itself_at_zero_keeps_what_it_holds() -> None:
    walker = pressed(seconds=150, at_zero="lock").send()
    with later(150):
        walker.send(action="timeout", comment="At the last moment")
    assert Response.objects.get(measure="comment").value == "At the last moment"
    assert Assignment.objects.get(order=1).timed_out


def test_a_page_cannot_end_a_trial_early() -> None:
    walker = pressed(seconds=150, at_zero="lock").send()
    walker.send(action="timeout")
    assert not Assignment.objects.get(order=1).timed_out
    assert Response.objects.count() == 0


def test_a_late_answer_is_taken_and_noted_where_the_time_only_warns() -> None:
    walker = pressed(seconds=150, at_zero="warn").send()
    with later(200):
        assert "it is noted that you took longer" in walker.get(walker.address).html
        walker.send()
    assert Assignment.objects.get(order=1).timed_out
    assert Response.objects.count() == 7


def test_a_debate_that_unfolds_is_whole_in_the_page_and_says_so() -> None:
    walker = pressed(turn_seconds=5)
    assert "unfold" in " ".join(walker.page.assets)
    assert "the whole debate is shown at once" in walker.html
    assert "We have given way" in walker.html or "Our technician can be" in walker.html
