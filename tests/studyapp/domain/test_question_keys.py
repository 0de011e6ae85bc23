"""A question's key becomes a field of a page: it must fit there, and be nobody else's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studyapp.domain.definition import definition_load
from studyapp.domain.instruments import INSTRUMENTS, instruments_expand
from studyapp.domain.question_keys import keys_check
from studyapp.errors import DefinitionError, MeasureError
from tests.sample_study import DEMO
from tests.studyapp.entering import SCREENING

BAD = ("", "a b", "trust.left", "1st", "ż", "x" * 61, "action", "mark", "find", "turn-2", "dataset")


def definition(part: str, key: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(DEMO.read_text(encoding="utf-8"))
    data["screening"] = SCREENING
    data["cohorts"][0]["background"] = data["background"][:1]
    rows = data["cohorts"][0] if part == "cohorts" else data
    name = "background" if part == "cohorts" else part
    rows[name] = [{**rows[name][0], "key": key}, *rows[name][1:]]
    return data


@pytest.mark.parametrize("part", ["measures", "background", "screening", "cohorts"])
@pytest.mark.parametrize("key", BAD)
def test_a_definition_with_a_key_that_no_page_can_show_is_refused(part: str, key: str) -> None:
    with pytest.raises(DefinitionError, match=part) as refused:
        definition_load(definition(part, key), file_name="study.json")
    assert repr(key[:20])[:-1] in str(refused.value)


@pytest.mark.parametrize("appended", ["-1", "-12", "-hint", "-error"])
def test_a_key_that_is_part_of_another_question_is_refused(appended: str) -> None:
    with pytest.raises(MeasureError, match="part of the question 'trust'"):
        keys_check("measures", ["trust", f"trust{appended}"])


def test_the_instruments_keys_are_allowed() -> None:
    for name in INSTRUMENTS:
        keys_check("measures", [str(row["key"]) for row in instruments_expand([{"use": name}])])
