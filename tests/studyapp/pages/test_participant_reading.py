"""The pages of a trial: what they show of the debate, ask for, count, and refuse."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from studyapp.models import (
    Assignment,
    Cohort,
    DebateTrace,
    Draft,
    EvidenceLink,
    Exposure,
    Participant,
    Response,
    Study,
)
from tests.sample_study import SampleStudy, sample_study
from tests.walking import Walker

pytestmark = pytest.mark.django_db

CHECK: dict[str, Any] = {
    "key": "careful",
    "kind": "attention",
    "question": "Choose the second answer.",
    "options": [{"value": "o1", "label": "First"}, {"value": "o2", "label": "Second"}],
    "correct": "o2",
}
SURE: dict[str, Any] = {
    "key": "sure",
    "kind": "confidence",
    "question": "How sure are you?",
    "anchors": ["Not at all", "Half", "Completely"],
}


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


def rules(**changes: Any) -> None:
    Study.objects.update(rules=changes)


def ask(study: SampleStudy, *rows: dict[str, Any]) -> None:
    Study.objects.update(measures=[*study.study.measures, *rows])


def at(walker: Walker, ending: str) -> str:
    return walker.address.replace("/reports/", ending).replace("/debate/", ending)


def report_reading(walker: Walker, text: str, **headers: str) -> int:
    token = walker.page.forms[0].values["csrfmiddlewaretoken"]
    answer = walker.client.post(
        at(walker, "/reading/"),
        text,
        content_type="application/json",
        headers={"x-csrftoken": token, **headers},
    )
    return int(answer.status_code)


def batch(**seen: list[int]) -> str:
    return json.dumps({"view": "abcdefgh1234", "device": "tablet", "seen": seen, "changed": []})


# What the debate shows ------------------------------------------------------------------------


def test_rounds_have_headings_and_jumps(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    assert {"round-1", "round-2"} <= set(walker.page.ids)
    assert {"#round-1", "#round-2", "#turn-4"} <= set(walker.page.links)


def test_what_was_written_is_one_tap_away_where_the_page_shows_something_else() -> None:
    study = sample_study(debates=1)
    trace = DebateTrace.objects.get()
    trace.content["turns"][0]["text"] = "**No** <script>alert(1)</script>"
    DebateTrace.objects.update(content=trace.content, sha256="c" * 64)
    html = Walker().walk_to(study.link, "/debate/").html
    assert html.count("As written") == 1
    assert "**No** &lt;script&gt;" in html
    assert "<strong>No</strong>" in html
    assert "<script>alert" not in html


def test_private_traces_are_shown_only_where_the_rules_say_so(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    assert "PRIVATE THOUGHT" not in walker.html
    rules(shows_private=True)
    assert "PRIVATE THOUGHT 0" in walker.get(walker.address).html


def test_new_readings_are_marked(study: SampleStudy) -> None:
    walker = Walker().walk_to(sample_study(slug="one", debates=1).link, "/debate/")
    assert walker.html.count("New readings") == 1


# What is asked --------------------------------------------------------------------------------


def test_the_right_answer_of_a_check_never_leaves_the_server(study: SampleStudy) -> None:
    ask(study, {**CHECK, "correct": "o2"})
    walker = Walker().walk_to(study.link, "/reports/")
    first, second = (walker.html.split(f'value="{value}"')[1][:300] for value in ("o1", "o2"))
    assert first.split("<span>")[0].split() == second.split("<span>")[0].split()
    assert "correct" not in walker.html


def test_failing_a_check_ends_taking_part(study: SampleStudy) -> None:
    ask(study, CHECK)
    rules(attention_failures=1)
    walker = Walker().walk_to(study.link, "/reports/").send(careful="o1")
    assert Participant.objects.get().outcome == "failed_attention"
    assert walker.address.endswith("/ended/")
    second = Assignment.objects.get(order=2)
    token = Participant.objects.get().token
    assert walker.get(f"/p/{token}/t/{second.token}/").address.endswith("/ended/")


def test_confidence_is_asked_once_for_the_pair(study: SampleStudy) -> None:
    ask(study, SURE)
    walker = Walker().walk_to(study.link, "/reports/")
    assert walker.page.forms[0].radios["sure"] == ["1", "2", "3"]
    walker.send(sure="2")
    assert Response.objects.get(measure="sure").value == "2"


def test_measures_stand_in_the_order_drawn(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/reports/")
    drawn = ["comment", "trust", "fluent", "act_on", "fluency", "faithful"]
    Assignment.objects.update(measure_order=drawn)
    html = walker.get(walker.address).html
    places = [html.index(f"{key}-title") if key in ("trust", "fluency") else
              html.index(f'name="{key}"') for key in drawn]  # fmt: skip
    assert places == sorted(places)


# Marks ----------------------------------------------------------------------------------------


def test_a_mark_without_script_keeps_what_was_entered(study: SampleStudy) -> None:
    rules(evidence_links=True)
    walker = Walker().walk_to(study.link, "/reports/")
    walker.send(mark="T4:left:supports", comment="Half a thought", act_on="right")
    assert "supports Report A" in walker.html
    assert walker.page.forms[0].values["comment"] == "Half a thought"
    assert walker.page.forms[0].chosen["act_on"] == "right"
    assert 'data-item="debate" open' in " ".join(walker.html.split())
    walker.send(mark="T4:left:none")
    assert EvidenceLink.objects.count() == 0
    assert Response.objects.count() == 0


def test_marks_are_offered_only_where_the_rules_say_so(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/reports/")
    assert "Supports A" not in walker.html
    rules(evidence_links=True)
    assert walker.get(walker.address).html.count("Supports A") == 6
    assert "Supports A" not in walker.get(at(walker, "/debate/")).html


@pytest.mark.parametrize(
    ("mark", "status"), [("T1:left:supports", 200), ("T99:left:supports", 400), ("", 400)]
)
def test_a_script_s_mark_answers_with_the_list(study: SampleStudy, mark: str, status: int) -> None:
    rules(evidence_links=True)
    walker = Walker().walk_to(study.link, "/reports/")
    token = walker.page.forms[0].values["csrfmiddlewaretoken"]
    sent = {"mark": mark, "csrfmiddlewaretoken": token}
    answer = walker.client.post(at(walker, "/mark/"), sent)
    assert answer.status_code == status
    assert EvidenceLink.objects.count() == (status == 200)
    if status == 200:
        assert 'data-mark="T1:left:supports"' in answer.content.decode()


# Reading --------------------------------------------------------------------------------------


def test_a_batch_is_stored(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    assert report_reading(walker, batch(T1=[900, 50])) == 204
    assert Exposure.objects.get().visible_ms == 900
    assert Participant.objects.get().device == "tablet"


@pytest.mark.parametrize(
    ("text", "status"),
    [("{", 400), (batch(T77=[1, 1]), 400), ("\udcff", 400), ("x" * 40_000, 413)],
)
def test_a_bad_batch_is_refused(study: SampleStudy, text: str, status: int) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    data = text.encode("utf-8", "surrogateescape")
    token = walker.page.forms[0].values["csrfmiddlewaretoken"]
    answer = walker.client.post(
        at(walker, "/reading/"),
        data,
        content_type="application/json",
        headers={"x-csrftoken": token},
    )
    assert answer.status_code == status
    assert Exposure.objects.count() == 0


def test_a_batch_without_a_token_is_refused(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    assert report_reading(walker, batch(T1=[1, 1]), **{"x-csrftoken": "x" * 64}) == 403


def test_somebody_else_s_trial_takes_no_batch(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    other = Walker().walk_to(study.link, "/debate/")
    walker.address = "/".join([*walker.address.split("/")[:4], *other.address.split("/")[4:]])
    token = other.page.forms[0].values["csrfmiddlewaretoken"]
    answer = other.client.post(
        at(walker, "/reading/"), batch(T1=[1, 1]), content_type="application/json",
        headers={"x-csrftoken": token},
    )  # fmt: skip
    assert answer.status_code == 404


def test_too_many_batches_are_refused_and_what_was_stored_stays(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    with time_machine.travel(timezone.now(), tick=False):
        told = [report_reading(walker, batch(T1=[number, 1])) for number in range(42)]
    assert told == [204] * 40 + [429] * 2
    assert Exposure.objects.get().visible_ms == 39


def test_the_form_carries_what_was_not_told_yet(study: SampleStudy) -> None:
    walker = Walker().walk_to(study.link, "/debate/")
    walker.send(reading=batch(**{"page:debate": [400, 100]}))
    assert Exposure.objects.get().item == "page:debate"
    assert walker.send(reading="nonsense").status == 200
    assert Response.objects.count() == 7


def test_a_page_left_too_early_comes_back_and_says_how_long(study: SampleStudy) -> None:
    rules(debate_seconds=90, reports_seconds=40)
    walker = Walker().walk_to(study.link, "/debate/").send()
    assert walker.status == 409
    assert "more seconds on this page" in walker.html
    with time_machine.travel(timezone.now() + timedelta(seconds=90), tick=True):
        walker.send()
        assert walker.address.endswith("/reports/")
        walker.send(comment="Early", act_on="right")
        assert walker.status == 409
        assert walker.page.forms[0].values["comment"] == "Early"
        assert walker.page.forms[0].chosen["act_on"] == "right"
        assert Response.objects.count() == 0
        assert Draft.objects.get().answers["comment"] == "Early"


# Time -----------------------------------------------------------------------------------------


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


# Cost -----------------------------------------------------------------------------------------


def queries(link: str) -> dict[str, int]:
    walker = Walker().walk_to(link, "/debate/")
    found = {}
    for name in ("debate", "reports"):
        with CaptureQueriesContext(connection) as asked:
            walker.get(walker.address)
        found[f"GET {name}"] = len(asked)
        with CaptureQueriesContext(connection) as asked:
            report_reading(walker, batch(**{f"T{turn}": [5, 5] for turn in range(1, 7)}))
        found[f"reading {name}"] = len(asked)
        with CaptureQueriesContext(connection) as asked:
            walker.client.post(walker.address, walker.filled())
        found[f"POST {name}"] = len(asked)
        if name == "debate":
            walker.get(link)
    return found


@pytest.mark.slow
def test_rules_on_everything_cost_the_same_whatever_the_size() -> None:
    small = sample_study(slug="small", debates=2, turns=6)
    large = sample_study(slug="large", debates=3, turns=200)
    rules(evidence_links=True, shows_private=True, measure_order="random", attention_failures=3)
    for study in (small, large):
        Study.objects.filter(pk=study.study.pk).update(
            measures=[*study.study.measures, CHECK, SURE]
        )
    queries(large.link)
    queries(small.link)
    few, many = queries(small.link), queries(large.link)
    assert many == few
    print(few)  # noqa: T201 - a figure
