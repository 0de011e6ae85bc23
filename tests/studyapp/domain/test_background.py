"""Background questions are loaded from data and read from what is sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studyapp.domain.answers import Problem
from studyapp.domain.background import background_load, background_read
from studyapp.errors import MeasureError
from tests.sample_study import DEMO

ROW: dict[str, Any] = {
    "key": "age",
    "question": "How old?",
    "options": [{"value": "young", "label": "Young"}, {"value": "old", "label": "Old"}],
}


def test_the_demo_study_asks_age_field_and_literacy_and_lets_one_decline() -> None:
    questions = background_load(json.loads(DEMO.read_text(encoding="utf-8"))["background"])
    assert [question.key for question in questions] == ["age_group", "field", "llm_literacy"]
    assert all("no_answer" in {o.value for o in question.options} for question in questions)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([ROW, ROW], "used twice: age"),
        ([{**ROW, "options": []}], "'age' needs at least two options"),
        ([{**ROW, "options": "young"}], "options must be a list"),
        ([{"question": "?"}], "no key"),
        ([{**ROW, "options": [{"value": "a"}, {"value": "b"}]}], "'age': 'label'"),
    ],
)
def test_bad_rows_are_refused(rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        background_load(rows)


def test_answers_are_kept_by_key_and_problems_named() -> None:
    questions = background_load([ROW, {**ROW, "key": "field", "required": False}])
    assert background_read(questions, {"age": " old ", "x": "y"}).values == {"age": "old"}
    assert background_read(questions, {"field": "?"}).problems == {
        "age": Problem.MISSING,
        "field": Problem.NOT_OFFERED,
    }
