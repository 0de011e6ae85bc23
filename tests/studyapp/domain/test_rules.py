"""A study's rules: defaults for what is not named, and refusals of what cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from studyapp.domain.rules import StudyRules, rules_load
from studyapp.domain.screening import stratum_of
from studyapp.errors import MeasureError


def test_no_rule_named_means_the_defaults() -> None:
    assert rules_load({}) == StudyRules()
    assert rules_load({"returning": "refuse"}) == StudyRules(returning="refuse")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"returning": "maybe"}, "returning is 'maybe'; allowed are resume and refuse"),
        ({"measure_order": "any"}, "allowed are fixed and random"),
        ({"speed": 1}, "'speed' is unknown"),
        ({"reservation_minutes": 4}, "allowed is a number from 5"),
        ({"strata": {"a": {"x": 1}, "b": {"x": 1}}}, "allowed is one question"),
        ({"strata": {"a": {}}}, "needs a quota for each"),
        ({"strata": {"a": {"x": -1}}}, "strata: a: x is -1"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(row: dict[str, Any], words: str) -> None:
    with pytest.raises(MeasureError, match=words):
        rules_load(row)


def test_a_stratum_is_a_question_with_its_answer_and_has_a_quota_if_one_is_named() -> None:
    strata = {"region": {"north": 3}}
    assert stratum_of(strata, {"region": "north"}) == ("region=north", 3)
    assert stratum_of(strata, {"region": "south"}) == ("region=south", None)
    assert stratum_of(strata, {"age": "old"}) == ("", None)
