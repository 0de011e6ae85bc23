from __future__ import annotations

import pytest

from apg_engine import Agent, Corpus
from apg_engine.matching.attribution import attribution_find
from apg_engine.matching.index import CorpusIndex
from apg_engine.matching.quotes import quote_locate
from apg_engine.matching.spans import matches_find
from apg_engine.matching.tokens import tokens_of
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from tests.apg_engine.traces_for_tests import AGENTS, trace_of

GRID = Agent("grid", "Grid Firm")


def corpus_of(*texts: str) -> Corpus:
    return corpus_build(trace_of(*texts), segment=segments_find, segmenter=SEGMENTER)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,200 beds", "1200 beds"),
        ("1\u202f200 beds", "1200 beds"),
        ("12.50 %", "12,5 percent"),
        ("three crews", "3 crews"),
        ("SARS\u2011CoV\u20112", "sars-cov-2"),
        ("\u2265 5", ">= 5"),
        ("the clinic\u2019s roof", "the clinic's roof"),
        ("can\u2019t", "cannot"),
        ("isn't", "is not"),
        ("10 megawatts", "10 MEGAWATT"),
        ("Za\u017c\u0105dano", "Zaz\u0307a\u0328dano"),
        ("re\u200bceive cli\u00adnic", "receive clinic"),
        ("\uff14\uff10 MW", "40 MW"),
        ("~40 MW", "about 40 MW"),
        ("1.234.567 people", "1,234,567 people"),
    ],
)
def test_two_ways_to_write_it_have_one_normal_form(one: str, other: str) -> None:
    assert [token.norm for token in tokens_of(one)] == [token.norm for token in tokens_of(other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("12.5 %", "1.25 %"), ("67 million", "999 million"), ("-5 degrees", "5 degrees"), ("9", "90")],
)
def test_other_numbers_stay_other_numbers(one: str, other: str) -> None:
    assert [token.norm for token in tokens_of(one)] != [token.norm for token in tokens_of(other)]


def test_a_token_knows_its_place_in_the_original() -> None:
    text = "  At \u226512\u202f000 it\u2019s “over”."

    for token in tokens_of(text):
        assert text[token.start : token.end].strip() == text[token.start : token.end] != ""


class TestQuoteLocate:
    SOURCE = "In wave two, SARS\u2011CoV\u20112 reached \u2265 5 “cases” a day. It ended."

    def test_an_honest_quote_with_plain_signs_is_found_in_the_original_characters(self) -> None:
        corpus = corpus_of(self.SOURCE)

        quote = quote_locate(corpus, "T1", 'SARS-CoV-2 reached >= 5 "cases"')

        assert quote is not None
        assert quote.text == "SARS\u2011CoV\u20112 reached \u2265 5 “cases"
        assert corpus[quote.address][quote.start : quote.end] == quote.text

    @pytest.mark.parametrize(
        ("address", "text"),
        [
            ("T2", "SARS-CoV-2 reached"),
            ("T1.2", "SARS-CoV-2 reached"),
            ("T9", "It ended."),
            ("T1", "reached 6 cases a day"),
            ("T1", "a day. It began."),
            ("T1", "day"),
            ("T1", "."),
            ("T1", ""),
            ("", "It ended."),
        ],
    )
    def test_what_does_not_stand_there_is_not_found(self, address: str, text: str) -> None:
        assert quote_locate(corpus_of(self.SOURCE, "Other words."), address, text) is None

    def test_a_quote_over_two_turns_is_not_found(self) -> None:
        corpus = corpus_of("The pump must", "run at once.")

        assert quote_locate(corpus, "T1", "The pump must run at once.") is None


STATED = (
    ("The pump draws 9 MW.", "The pump draws 9 MW."),
    ("The pump draws 9 MW.", "the pump also draws **9 MW**"),
    ("The pump draws 9 MW, and the night crew rests.", "The pump draws 9 MW."),
    ("However, the pump draws 9 MW.", "The pump draws 9 MW."),
    ("The old pump of the valley already draws 9 MW in summer nights.",
     "The old pump of the valley draws 9 MW in summer nights."),
    ("The pump draws 9 MW.", "In addition, the pump draws 9 MW."),
    ("As a result, the pump draws 9 MW.", "The pump draws 9 MW."),
    ("The crew has 4 trucks, and the pump draws 9 MW of power.", "The pump draws 9 MW of power."),
    ("The crews receive 9 trucks.", "The crew receives 9 trucks."),
)  # fmt: skip


@pytest.mark.parametrize(("said", "claim"), STATED)
def test_a_quote_or_near_quote_is_found_at_its_place(said: str, claim: str) -> None:
    corpus = corpus_of(said)

    (match,) = matches_find(CorpusIndex(corpus), claim)

    quote = match.quote
    assert corpus[quote.address][quote.start : quote.end] == quote.text


NOT_STATED = (
    ("The pump draws 9 MW.", "The pump draws 90 MW."),
    ("The pump draws 9 MW.", "The pump draws 9 kW."),
    ("The pump draws 9 MW.", "The pump does not draw 9 MW."),
    ("The pump does not draw 9 MW.", "The pump draws 9 MW."),
    ("Nobody believes that the pump draws 9 MW.", "The pump draws 9 MW."),
    ("It is false that the pump draws 9 MW.", "The pump draws 9 MW."),
    ("The Clinic Trust claims that the pump draws 9 MW.", "The pump draws 9 MW."),
    ("If the line fails, the pump draws 9 MW.", "The pump draws 9 MW."),
    ("Does the pump draw 9 MW?", "The pump draw 9 MW."),
    ("The pump draws 9 MW.", "Does the pump draw 9 MW?"),
    ("Some pumps draw 9 MW a day.", "All pumps draw 9 MW a day."),
    ("Most of the pumps draw 9 MW a day.", "The pumps draw 9 MW a day."),
    ("The pump may draw 9 MW.", "The pump draws 9 MW."),
    ("The pump draws 9 MW.", "The fan draws 9 MW."),
    ("The clinic outbid the pump at noon.", "The pump outbid the clinic at noon."),
    ("The report that the grid failed in March was forged.", "The grid failed in March."),
    ("The pump runs. All night it rains.", "The pump runs all night."),
    (
        "All elective operations can wait until Friday without added risk.",
        "All operations can wait until Friday without added risk.",
    ),
    (
        "The dam crossing must receive at least 30 metres of panels.",
        "The crossing must receive at least 30 metres of panels.",
    ),
    (
        "Three requests of 36, 42 and 30 metres come to 108 metres, and the depot holds 60 metres.",
        "30 metres come to 108 metres, and the depot holds 60 metres.",
    ),
    (
        "The mill, the dam, and the clinic receive 60 metres of panels.",
        "The clinic receive 60 metres of panels.",
    ),
    ("The clinic must close by noon, or the dam fails.", "The clinic must close by noon."),
    ("The sites receive 18 MW and 4 MW of diesel.", "The sites receive 18 MW."),
    ("The line returns on Thursday at noon.", "The line returns on Friday at noon."),
    ("I had a great day in Paris last week.", "Paris is the capital of France."),
    ("The pump draws 9 MW.", ""),
    ("The pump draws 9 MW.", "The pump draws 9 mW."),
    ("The disk holds 9 Gb of data.", "The disk holds 9 GB of data."),
    ("Who sent 5 trucks today.", "WHO sent 5 trucks today."),
    ("The dose is 3-5 mg a day.", "The dose is 3/5 mg a day."),
    ("The dose is 9 mg/kg a day.", "The dose is 9 mg kg a day."),
    ("The ratio is 3-1 for the north.", "The ratio is 3:1 for the north."),
    ("The load is ~40 MW in all.", "The load is 40 MW in all."),
    ("The load is 40+ MW in all.", "The load is 40 MW in all."),
    ("The error is \u00b12 mm of rain.", "The error is 2 mm of rain."),
    ("A few patients can be moved.", "Few patients can be moved."),
    ("Little water is left in the tank.", "A little water is left in the tank."),
    ("The span is short for the dam.", "The span is too short for the dam."),
    ("No, patients can wait tonight.", "No patients can wait tonight."),
    ("The pump draws 9 MW?!", "The pump draws 9 MW."),
    ("~~The pump draws 9 MW.~~", "The pump draws 9 MW."),
    ("The pump draws 9 MW\uff1f", "The pump draws 9 MW."),
    ("The pump draws 9 MW?\u00bb.", "The pump draws 9 MW."),
    *(
        (f"{lead} the pump draws 9 MW tonight.", "The pump draws 9 MW tonight.")
        for lead in (
            "Our hope:",
            "What we fear:",
            "Their proposal:",
            "Option B:",
            "We were told this;",
            "Picture this \u2014",
            "We asked for this:",
        )
    ),
    *(
        (
            f"The pump should draw 9 MW of power tonight{tail}.",
            "The pump should draw 9 MW of power tonight.",
        )
        for tail in (
            ", pending a test",
            ", subject to a test",
            ", once the boiler is off",
            ", when the boiler is off",
            ", as long as the boiler is off",
            ", in theory",
            ", they hope",
            ", which is a fantasy",
            " \u2014 a dream",
            ", gdy kocio\u0142 stoi",
            ", nieprawda",
        )
    ),
)


@pytest.mark.parametrize(("said", "claim"), NOT_STATED)
def test_a_changed_or_lifted_sentence_is_not_a_quote(said: str, claim: str) -> None:
    assert matches_find(CorpusIndex(corpus_of(said)), claim) == []


@pytest.mark.parametrize(
    ("text", "agents", "inner"),
    [
        ("The Water Board states that it rains.", ("water",), "it rains."),
        ("Water Board notes: it rains.", ("water",), "it rains."),
        ("According to the Clinic Trust, it rains.", ("clinic",), "it rains."),
        ("All parties agree that it rains.", ("water", "clinic"), "it rains."),
        (
            "The Water Board and the Clinic Trust argue that it rains.",
            ("water", "clinic"),
            "it rains.",
        ),
        (
            "Clinic Trust, Water Board and Grid Firm note that it rains.",
            ("clinic", "water", "grid"),
            "it rains.",
        ),
        (
            "According to the Clinic Trust, the Water Board's plan fails.",
            ("clinic",),
            "the Water Board's plan fails.",
        ),
        (
            "According to the Clinic Trust, the Water Board fails.",
            ("clinic",),
            "the Water Board fails.",
        ),
        ("Wszystkie strony uważają, że pada.", ("water", "clinic"), "pada."),
        ("Według Water Board: pada.", ("water",), "pada."),
    ],
)
def test_who_is_said_to_state_what(text: str, agents: tuple[str, ...], inner: str) -> None:
    everyone = AGENTS if "All" in text or "Wszystkie" in text else (*AGENTS, GRID)
    found = attribution_find(text, everyone)

    assert found is not None
    assert (found.agents, found.inner) == (agents, inner)


@pytest.mark.parametrize(
    "text",
    ["It rains.", "The Water Board rests.", "The Waterboard states that it rains.", "All rain."],
)
def test_a_plain_sentence_attributes_nothing(text: str) -> None:
    assert attribution_find(text, AGENTS) is None


def test_a_negation_that_stands_alone_is_read() -> None:
    assert [token.norm for token in tokens_of("It does n't rain.")] == ["it", "does", "not", "rain"]
