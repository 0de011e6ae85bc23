"""The pages of a trial: what they show of the debate, ask for and let be marked."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studyapp.models import (
    Assignment,
    DebateTrace,
    EvidenceLink,
    Participant,
    Response,
    Study,
)
from tests.sample_study import SampleStudy, sample_study
from tests.studyapp.pages.reading import CHECK, SURE, ask, at, batch, report_reading, rules
from tests.walking import Walker

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> SampleStudy:
    return sample_study()


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
