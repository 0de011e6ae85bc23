"""A study's texts are complete, and the demo study's give nothing away."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from studyapp.domain.measures import measures_load
from studyapp.domain.texts import texts_dump, texts_load
from studyapp.errors import MeasureError
from tests.sample_study import DEMO


@pytest.fixture
def demo() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(DEMO.read_text(encoding="utf-8"))
    return loaded


def test_what_is_dumped_loads_again(demo: dict[str, Any]) -> None:
    texts = texts_load(demo["texts"])
    assert texts_load(json.loads(json.dumps(texts_dump(texts)))) == texts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"about": ""}, "about must be a text"),
        ({"debrief": None}, "debrief must be a text"),
        ({"minutes": 0}, "minutes is 0; allowed is a whole number from 1 to 240"),
        ({"minutes": "15"}, "minutes is '15'"),
        ({"consent": []}, "consent must be a list"),
        ({"consent": "yes"}, "consent must be a list"),
        ({"language": ""}, "language is ''; allowed is a tag such as en"),
    ],
)
def test_a_missing_or_odd_text_is_refused(
    demo: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    with pytest.raises(MeasureError, match=message):
        texts_load({**demo["texts"], **change})


def test_the_consent_says_what_an_ethics_board_asks_for(demo: dict[str, Any]) -> None:
    texts = texts_load(demo["texts"])
    told = " ".join([texts.about, *texts.consent, texts.agreement, texts.contact])
    for needed in ("15 minutes", "voluntary", "stop", "Stored are", "test data", "18", "question"):
        assert needed in told


def test_nothing_before_the_end_hints_at_what_is_compared(demo: dict[str, Any]) -> None:
    texts = texts_load(demo["texts"])
    measures = measures_load(demo["measures"])
    before = " ".join(
        [texts.title, texts.about, *texts.consent, texts.instructions]
        + [f"{measure.question} {measure.hint}" for measure in measures]
        + [scenario["title"] for scenario in demo["scenarios"]]
    ).lower()
    for word in (
        *("agree on", "consensus", "deadlock", "stalemate", "disagree", "invent", "honest"),
        *("checked", "provenance", "evidence", "hallucinat", "verified", "divergence"),
    ):
        assert not re.search(rf"\b{word}", before)


def test_the_debrief_names_the_replication_and_no_arm(demo: dict[str, Any]) -> None:
    debrief = texts_load(demo["texts"]).debrief
    assert "conceptual replication" in debrief
    assert not re.search(r"\b(apg|gate|baseline|pf|threshold|replica)\b", debrief, re.IGNORECASE)


def test_the_demo_study_measures_what_it_must(demo: dict[str, Any]) -> None:
    measures = {measure.key: measure for measure in measures_load(demo["measures"])}
    assert list(measures) == ["act_on", "faithful", "fluent", "trust", "fluency", "comment"]
    assert set(measures["act_on"].choices) == {"left", "right", "neither"}
    assert set(measures["faithful"].choices) == {"left", "right", "neither", "both"}
    assert set(measures["fluent"].choices) == {"left", "right"}
    assert len(measures["trust"].anchors) == len(measures["fluency"].anchors) == 5
    assert [key for key, measure in measures.items() if not measure.required] == ["comment"]
    assert all(measure.instrument == "own wording" for measure in measures.values())
