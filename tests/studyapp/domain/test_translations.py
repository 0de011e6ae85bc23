from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from studyapp.domain.instruments import instruments_expand
from studyapp.domain.passages import gaps_list, passages_list
from studyapp.domain.rewording import changes_read, content_reword
from studyapp.domain.study_content import CohortContent, StudyContent
from studyapp.domain.translations import (
    instructions_in,
    languages_offered,
    rows_in,
    texts_in,
    title_in,
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
    "scenarios": {"flood": "Powódź"},
    "cohorts": {
        "experts": {
            "instructions": "Jako inżynier.",
            "background": {
                "age": {"question": "Ile lat pracy?", "options": {"young": "Mało", "old": "Dużo"}}
            },
        }
    },
}


def content(words: dict[str, Any]) -> StudyContent:
    return StudyContent(
        texts=TEXTS,
        measures=MEASURES,
        background=BACKGROUND,
        screening=[],
        scenarios={"flood": "The flood", "untitled": ""},
        cohorts={
            "open": CohortContent(),
            "experts": CohortContent("As an engineer.", [{**BACKGROUND[0], "question": "Years?"}]),
        },
        translations={"pl": words},
    )


def check(words: dict[str, Any]) -> None:
    translations_check(content(words), arms=("short", "long"))


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


def test_a_cohort_s_own_words_go_before_those_it_shares() -> None:
    words = {"pl": POLISH}
    shared = rows_in(BACKGROUND, words, "background", language="pl")
    own = rows_in(BACKGROUND, words, "background", language="pl", cohort="experts")
    assert (shared[0]["question"], own[0]["question"]) == ("Ile lat?", "Ile lat pracy?")
    told = instructions_in("As an engineer.", words, cohort="experts", language="pl")
    assert told == "Jako inżynier."
    assert instructions_in("Hello.", words, cohort="open", language="pl") == "Hello."
    assert title_in("The flood", words, scenario="flood", language="pl") == "Powódź"
    assert title_in("", words, scenario="flood", language="pl") == ""


def test_what_is_not_translated_yet_is_shown_in_the_study_s_own_words() -> None:
    words = {"pl": {"measures": {"trust": {"anchors": ["", "dużo"]}}}}
    row = rows_in(MEASURES, words, "measures", language="pl")[0]
    assert (row["question"], row["anchors"]) == ("How much?", ["low", "dużo"])


@pytest.mark.parametrize(
    ("part", "words", "problem"),
    [
        ("texts", {**POLISH["texts"], "abuot": "x"}, "pl: texts: 'abuot' is unknown"),
        ("texts", {"consent": "Mam 18 lat"}, "pl: texts: consent must be a list"),
        (
            "measures",
            {"trust": {"question": "Jak?", "anchors": ["mało"]}},
            "pl: measures: trust: anchors must be 2 labels",
        ),
        ("measures", {"trust": {"anchors": 2}}, "pl: measures: trust: anchors must be 2 labels"),
        ("background", {"age": {"options": {"dead": "x"}}}, "age: options: 'dead' is unknown"),
        ("background", {**POLISH["background"], "sex": {}}, "pl: background: 'sex' is unknown"),
        ("scenarios", {"fire": "Pożar"}, "pl: scenarios: 'fire' is unknown"),
        ("scenarios", {"flood": "Long i short"}, "pl: scenarios: flood: the word 'long' tells"),
        ("cohorts", {"experts": {"quota": 3}}, "pl: cohorts: experts: 'quota' is unknown"),
        ("cohorts", {"nobody": {}}, "pl: cohorts: 'nobody' is unknown"),
        ("cohorts", {"experts": 3}, "pl: cohorts: experts must be an object"),
        (
            "cohorts",
            {"experts": {"background": {"sex": {}}}},
            "pl: cohorts: experts: background: 'sex' is unknown",
        ),
    ],
)
def test_a_translation_of_what_is_not_there_is_refused(
    part: str, words: object, problem: str
) -> None:
    with pytest.raises(MeasureError, match=problem):
        check({**POLISH, part: words})


@pytest.mark.parametrize(
    ("part", "words", "missing"),
    [
        ("texts", {"title": "Badanie"}, ["texts/about", "texts/consent"]),
        ("measures", {}, ["question", "anchors/1", "anchors/2"]),
        ("measures", {"trust": {"question": "Jak?", "anchors": ["", "dużo"]}}, ["anchors/1"]),
        ("background", {"age": {"question": "?", "options": {"young": "x"}}}, ["options/old"]),
        ("scenarios", {}, ["scenarios/flood"]),
        ("cohorts", {"experts": {}}, ["cohorts/experts/instructions"]),
        ("cohorts", {"experts": {"instructions": "Jako inżynier."}}, []),
    ],
)
def test_a_gap_is_told(part: str, words: object, missing: list[str]) -> None:
    found = gaps_list(content({**POLISH, part: words}))
    names = [passage.name for language, passage in found if language == "pl"]
    assert len(names) == len(missing)
    assert all(name.endswith(end) for name, end in zip(names, missing, strict=True))


def test_a_translation_written_from_its_passages_says_the_same() -> None:
    given = content(POLISH)
    passages = passages_list(given, language="pl")
    changes = changes_read(passages, {"texts/title": " Inne\r\nbadanie "})
    made = content_reword(given, changes, language="pl").translations["pl"]
    assert made == {**POLISH, "texts": {**POLISH["texts"], "title": "Inne badanie"}}


def test_new_words_leave_keys_and_values_as_they_are() -> None:
    given = content(POLISH)
    sent = {
        "background/age/options/old": "Aged",
        "measures/trust/anchors/1": "none",
        "cohorts/experts/background/age/question": "How many years?",
        "texts/consent": "One.\n\nTwo.",
        "scenarios/untitled": "A title",
    }
    changes = changes_read(passages_list(given, language="en"), sent)
    made = content_reword(given, changes, language="en")
    assert made.background[0]["options"][1] == {"value": "old", "label": "Aged"}
    assert made.measures[0]["anchors"] == ["none", "high"]
    assert (made.cohorts["experts"].background or [])[0]["question"] == "How many years?"
    assert made.texts["consent"] == ["One.", "Two."]
    assert made.scenarios["untitled"] == "A title"
    assert given == content(POLISH), "what was given is not changed"


def test_a_published_instrument_keeps_its_words_but_can_be_translated() -> None:
    given = replace(content(POLISH), measures=instruments_expand([{"use": "txai"}]))
    sent = {"measures/txai-1/question": "Changed?"}
    assert changes_read(passages_list(given, language="en"), sent) == []
    assert len(changes_read(passages_list(given, language="pl"), sent)) == 1
