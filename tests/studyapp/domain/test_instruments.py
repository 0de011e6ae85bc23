"""Instruments by name: whole items with their licence, and nothing that could not be confirmed."""

from __future__ import annotations

import json

import pytest

from studyapp.domain.definition import definition_load
from studyapp.domain.instruments import INSTRUMENTS, OWN, instruments_expand
from studyapp.domain.measures import measures_load
from studyapp.errors import DefinitionError, MeasureError
from tests.sample_study import DEMO


@pytest.mark.parametrize("key", INSTRUMENTS)
def test_each_instrument_becomes_ratings_with_their_licence(key: str) -> None:
    instrument = INSTRUMENTS[key]
    measures = measures_load(instruments_expand([{"use": key}]))
    assert len(measures) == len(instrument.items)
    assert all(instrument.licence in measure.instrument for measure in measures)
    assert all("[" not in measure.question for measure in measures)
    turned = [measure for measure in measures if "reversed" in measure.instrument]
    assert len(turned) == len(instrument.reversed_items)


def test_what_is_not_validated_says_so() -> None:
    own = [row.key for row in INSTRUMENTS.values() if row.origin == OWN]
    assert own == ["report-trust", "report-fluency"]


def test_the_slot_of_an_item_takes_the_study_s_word() -> None:
    first = instruments_expand([{"use": "txai", "tool": "writer", "required": False}])[0]
    assert first["question"] == "I am confident in the writer. I feel that it works well."
    assert first["required"] is False


def test_other_rows_stay_as_they_are() -> None:
    row = {"key": "why", "kind": "text", "question": "?"}
    assert instruments_expand([row]) == (row,)


def test_an_unknown_instrument_is_refused_with_those_there_are() -> None:
    with pytest.raises(MeasureError, match=r"use is 'sus'; allowed are txai, report-trust"):
        instruments_expand([{"use": "sus"}])


def test_a_definition_holds_the_items_themselves() -> None:
    data = json.loads(DEMO.read_text(encoding="utf-8"))
    data["measures"].append({"use": "report-fluency"})
    definition = definition_load(data, file_name="study.json")
    assert [row["key"] for row in definition.measures][-3:] == [
        "report-fluency-1",
        "report-fluency-2",
        "report-fluency-3",
    ]
    data["measures"].append({"use": "sus"})
    with pytest.raises(DefinitionError, match="measures: use"):
        definition_load(data, file_name="study.json")
