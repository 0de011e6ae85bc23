"""What a study may ask about a pair: every kind is read, and a wrong one is named."""

from __future__ import annotations

from typing import Any, Final

import pytest

from studyapp.domain.answers import Problem, answer_fields, answers_read
from studyapp.domain.measures import (
    attention_failed,
    measures_load,
    measures_ordered,
)
from studyapp.errors import MeasureError

CHECK: Final[dict[str, Any]] = {
    "key": "careful",
    "kind": "attention",
    "question": "Choose the second answer.",
    "options": [{"value": "a", "label": "First"}, {"value": "b", "label": "Second"}],
    "correct": "b",
}
SURE: Final[dict[str, Any]] = {
    "key": "sure",
    "kind": "confidence",
    "question": "How sure are you?",
    "anchors": ["Not", "Half", "Fully"],
}


def test_confidence_is_one_scale_for_the_pair() -> None:
    (field,) = answer_fields(measures_load([SURE]))
    assert (field.name, field.side, field.offered) == ("sure", "", ("1", "2", "3"))


def test_a_failed_check_is_an_answer_and_no_problem() -> None:
    sheet = answers_read(measures_load([CHECK]), {"careful": "a"})
    assert sheet.problems == {}
    assert [answer.value for answer in sheet.answers] == ["a"]


def test_an_answer_that_a_check_does_not_offer_is_a_problem() -> None:
    sheet = answers_read(measures_load([CHECK]), {"careful": "c"})
    assert sheet.problems == {"careful": Problem.NOT_OFFERED}


def test_only_wrong_answers_to_checks_are_counted() -> None:
    measures = measures_load([CHECK, SURE, {**CHECK, "key": "again"}])
    given = [("careful", "a"), ("again", "b"), ("sure", "1"), ("unknown", "a")]
    assert attention_failed(measures, given) == 1


def test_a_drawn_order_is_followed_and_forgets_no_measure() -> None:
    measures = measures_load([CHECK, SURE, {**SURE, "key": "new"}])
    assert [row.key for row in measures_ordered(measures, ["sure", "gone", "careful"])] == [
        "sure",
        "careful",
        "new",
    ]
    assert measures_ordered(measures, []) == measures


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({**CHECK, "correct": "c"}, "correct is 'c'; allowed are a, b"),
        ({**CHECK, "options": CHECK["options"][:1]}, "two or more options"),
        ({**CHECK, "options": [*CHECK["options"], CHECK["options"][0]]}, "two or more options"),
        ({**CHECK, "options": ["a", "b"]}, "a value and a label"),
        ({**CHECK, "options": "ab"}, "options must be a list"),
        ({**SURE, "anchors": ["One"]}, "a confidence needs at least two anchors"),
        ({**SURE, "kind": "mood"}, "'mood' is not a valid MeasureKind"),
    ],
)
def test_a_wrong_measure_is_named(row: dict[str, Any], words: str) -> None:
    with pytest.raises(MeasureError, match=words):
        measures_load([row])
