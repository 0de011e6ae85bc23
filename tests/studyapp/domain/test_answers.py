"""What is sent is read against the measures: accepted, or named as a problem."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyapp.domain.answers import (
    DRAFT_LIMIT,
    TEXT_LIMIT,
    Answer,
    Problem,
    answer_fields,
    answers_keep,
    answers_read,
)
from studyapp.domain.measures import measures_load

MEASURES = measures_load(
    [
        {"key": "prefer", "kind": "choice", "question": "?", "choices": ["left", "right"]},
        {"key": "trust", "kind": "rating", "question": "?", "anchors": ["no", "so", "yes"]},
        {"key": "why", "kind": "text", "question": "?", "required": False},
    ]
)
GOOD = {"prefer": "left", "trust.left": "1", "trust.right": "3"}


def test_a_rating_has_a_field_for_each_side() -> None:
    names = [field.name for field in answer_fields(MEASURES)]
    assert names == ["prefer", "trust.left", "trust.right", "why"]


def test_good_answers_are_read_with_their_sides() -> None:
    sheet = answers_read(MEASURES, {**GOOD, "why": " because "})
    assert sheet.problems == {}
    assert sheet.answers == (
        Answer("prefer", "", "left"),
        Answer("trust", "left", "1"),
        Answer("trust", "right", "3"),
        Answer("why", "", "because"),
    )


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"prefer": ""}, Problem.MISSING),
        ({"prefer": "neither"}, Problem.NOT_OFFERED),
        ({"trust.left": "4"}, Problem.NOT_OFFERED),
        ({"trust.left": "01"}, Problem.NOT_OFFERED),
        ({"trust.right": "٣"}, Problem.NOT_OFFERED),
        ({"why": "x" * (TEXT_LIMIT + 1)}, Problem.TOO_LONG),
    ],
)
def test_each_bad_answer_is_named(change: Mapping[str, str], problem: Problem) -> None:
    assert answers_read(MEASURES, {**GOOD, **change}).problems == dict.fromkeys(change, problem)


@given(st.dictionaries(st.sampled_from(["prefer", "trust.left", "why", "other"]), st.text()))
def test_whatever_is_sent_is_either_accepted_or_named(sent: dict[str, str]) -> None:
    sheet = answers_read(MEASURES, sent)
    offered = {"prefer": {"left", "right"}, "trust": {"1", "2", "3"}}
    assert all(
        answer.value in offered.get(answer.measure, {answer.value}) for answer in sheet.answers
    )
    named = set(sheet.problems)
    read = {f"{a.measure}.{a.side}" if a.side else a.measure for a in sheet.answers}
    assert not named & read
    assert named | read | {"why"} == {"prefer", "trust.left", "trust.right", "why"}


@given(st.text())
def test_a_draft_keeps_any_text_up_to_the_limit(text: str) -> None:
    kept = answers_keep(MEASURES, {"why": text, "unknown": text})
    assert set(kept) <= {"why"}
    assert "\x00" not in kept.get("why", "")
    assert len(kept.get("why", "")) <= DRAFT_LIMIT
