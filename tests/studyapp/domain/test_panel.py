"""Panels: what their links say, and where their people go afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from studyapp.domain.panel import (
    Arrival,
    arrival_read,
    is_placeholder,
    link_query,
    panel_load,
    redirect_url,
    sessions_join,
)
from studyapp.errors import MeasureError
from tests.studyapp.entering import CODES, PROLIFIC


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"provider": "mturk", "codes": CODES}, "provider is 'mturk'"),
        ({"provider": "sona"}, "codes needs exactly the keys"),
        ({"provider": "sona", "codes": {**CODES, "complete": " "}}, "four different texts"),
        ({"provider": "sona", "codes": CODES, "captures": "STUDY"}, "a list of parameter names"),
        ({"provider": "sona", "codes": CODES, "captures": ["_x"]}, "is no parameter name"),
        ({"provider": "sona", "codes": CODES, "redirect": "javascript:x"}, "an https address"),
        ({"provider": "sona", "codes": CODES, "redirect": "https://x/{who}"}, "{code}, {id}"),
        ({"provider": "sona", "codes": CODES, "redirect": "https://{id}/x"}, "after its "),
        ({"provider": "sona", "codes": CODES, "redirect": "https://x.{id}"}, "after its "),
        ({"provider": "sona", "codes": CODES, "redirect": "https:///{id}"}, "after its "),
        ({"provider": "sona", "codes": CODES, "redirect": "https://[/{id}"}, "after its "),
    ],
)
def test_a_panel_that_cannot_be_is_refused(row: dict[str, Any], words: str) -> None:
    with pytest.raises(MeasureError, match=words.replace("{", r"\{")):
        panel_load(row)


@pytest.mark.parametrize(
    ("provider", "query"),
    [
        (
            "prolific",
            "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
        ),
        ("sona", "survey_code=%SURVEY_CODE%"),
        ("generic", "id={{id}}"),
    ],
)
def test_the_link_has_the_placeholders_the_panel_replaces(provider: str, query: str) -> None:
    link = panel_load({"provider": provider, "codes": CODES})
    assert link_query(link) == query
    for pair in query.split("&"):
        assert is_placeholder(pair.partition("=")[2])


@pytest.mark.parametrize("value", ["5f3c9a", "04711", "a b", "100%", "50%_x", "{x}", "%2B"])
def test_ordinary_ids_are_no_placeholders(value: str) -> None:
    assert not is_placeholder(value)


def test_an_arrival_holds_only_what_the_cohort_keeps() -> None:
    query = {"PROLIFIC_PID": " a\x00 ", "SESSION_ID": "s", "STUDY_ID": "", "other": "x"}
    assert arrival_read(panel_load(PROLIFIC), query) == Arrival("a", {"SESSION_ID": "s"})


def test_a_redirect_without_a_code_is_for_completion_only() -> None:
    link = panel_load({"provider": "sona", "codes": CODES, "redirect": "https://x.example/{id}"})
    fill = {"external_id": "1 2", "captured": {}}
    assert redirect_url(link, outcome="complete", **fill) == "https://x.example/1%202"  # type: ignore[arg-type]
    for outcome in ("screened_out", "failed_attention", "no_consent"):
        assert redirect_url(link, outcome=outcome, **fill) == ""  # type: ignore[arg-type]


def test_sessions_are_listed_in_the_order_they_came() -> None:
    kept = sessions_join({"SESSION_ID": "1"}, {"SESSION_ID": "2"})
    assert sessions_join(kept, {"SESSION_ID": "3"}) == {
        "SESSION_ID": "3",
        "_earlier": [{"SESSION_ID": "1"}, {"SESSION_ID": "2"}],
    }
