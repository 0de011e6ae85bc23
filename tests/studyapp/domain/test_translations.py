from __future__ import annotations

from typing import Any

import pytest

from studyapp.domain.translations import (
    languages_offered,
    rows_in,
    texts_in,
    translations_check,
)
from studyapp.errors import MeasureError

TEXTS = {"title": "A study", "about": "About it", "consent": ["I am 18"], "language": "en"}
MEASURES: list[dict[str, Any]] = [
    {"key": "trust", "question": "How much?", "anchors": ["low", "high"]}
]
BACKGROUND: list[dict[str, Any]] = [
    {
        "key": "age",
        "question": "How old?",
        "options": [{"value": "young", "label": "Young"}, {"value": "old", "label": "Old"}],
    }
]
POLISH: dict[str, Any] = {
    "texts": {"title": "Badanie", "about": "O badaniu", "consent": ["Mam 18 lat"]},
    "measures": {"trust": {"question": "Jak bardzo?", "anchors": ["mało", "dużo"]}},
    "background": {
        "age": {"question": "Ile lat?", "options": {"young": "Mało", "old": "Dużo"}},
    },
}


def check(words: dict[str, Any]) -> None:
    parts: dict[str, list[dict[str, Any]]] = {"measures": MEASURES, "background": BACKGROUND}
    translations_check({"pl": words}, texts=TEXTS, parts=parts)


def test_a_whole_translation_is_taken() -> None:
    check(POLISH)
    assert languages_offered(TEXTS, {"pl": POLISH}) == ("en", "pl")


def test_words_are_laid_over_and_values_stay() -> None:
    assert texts_in(TEXTS, {"pl": POLISH}, language="pl")["title"] == "Badanie"
    assert rows_in(BACKGROUND, {"pl": POLISH}, "background", language="pl")[0]["options"] == [
        {"value": "young", "label": "Mało"},
        {"value": "old", "label": "Dużo"},
    ]
    assert rows_in(MEASURES, {"pl": POLISH}, "measures", language="pl")[0]["key"] == "trust"


def test_a_language_without_translation_gets_the_study_s_own_words() -> None:
    assert texts_in(TEXTS, {"pl": POLISH}, language="de") == TEXTS
    assert rows_in(MEASURES, {"pl": POLISH}, "measures", language="de") == MEASURES


@pytest.mark.parametrize(
    ("part", "words", "problem"),
    [
        ("texts", {"title": "Badanie"}, "pl: texts: about is missing"),
        ("texts", {**POLISH["texts"], "abuot": "x"}, "pl: texts: 'abuot' is unknown"),
        ("measures", {}, "pl: measures: trust: question is missing"),
        (
            "measures",
            {"trust": {"question": "Jak?", "anchors": ["mało"]}},
            "pl: measures: trust: anchors must be 2 labels",
        ),
        (
            "background",
            {"age": {"question": "Ile?", "options": {"young": "Mało"}}},
            "pl: background: age: the option old is missing",
        ),
        ("background", {**POLISH["background"], "sex": {}}, "pl: background: 'sex' is unknown"),
    ],
)
def test_a_translation_with_a_gap_is_refused(part: str, words: object, problem: str) -> None:
    with pytest.raises(MeasureError, match=problem):
        check({**POLISH, part: words})
