"""A stored trace becomes what a participant reads, and nothing more."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from studyapp.domain.trace_view import trace_view_build
from tests.sample_study import DEBATES, trace_content


@pytest.fixture
def content() -> dict[str, Any]:
    return trace_content(DEBATES[0], number=1, turns=None)


def test_turns_carry_their_speaker_and_the_news_before_them(content: dict[str, Any]) -> None:
    view = trace_view_build(content)
    assert [turn.speaker.name for turn in view.turns[:3]] == [
        "Harbour Office",
        "Hospital Board",
        "Waterworks",
    ]
    assert [(turn.number, len(turn.shocks)) for turn in view.turns if turn.shocks] == [
        (3, 1),
        (5, 1),
    ]
    assert [document.kind for document in view.documents] == ["axiom", "document"]


def test_a_document_carries_its_own_title_where_the_trace_has_one(content: dict[str, Any]) -> None:
    content["documents"][1]["title"] = "Tide table of May"

    assert [document.title for document in trace_view_build(content).documents] == [
        "",
        "Tide table of May",
    ]


def test_news_after_the_last_turn_is_not_lost(content: dict[str, Any]) -> None:
    content["shocks"].append({"turn": 99, "kind": "zero_sum", "severity": "low", "text": "Late"})
    view = trace_view_build(content)
    assert [shock.html for shock in view.late_shocks] == ["<p>Late</p>\n"]
    assert view.late_shocks[0].number == 3


def test_private_traces_are_shown_only_where_the_study_says_so(content: dict[str, Any]) -> None:
    assert "PRIVATE THOUGHT" in json.dumps(content)
    assert "PRIVATE THOUGHT" not in json.dumps(asdict(trace_view_build(content)))
    content["turns"][1]["private_is_boilerplate"] = True
    shown = trace_view_build(content, shows_private=True).turns
    assert shown[0].private_html == "<p>PRIVATE THOUGHT 0</p>\n"
    assert shown[1].private_html == ""


def test_a_round_ends_where_somebody_speaks_again(content: dict[str, Any]) -> None:
    view = trace_view_build(content)
    numbers = [[turn.number for turn in part.turns] for part in view.rounds]
    assert numbers == [[1, 2, 3], [4, 5, 6]]
    assert view.has_rounds
    assert [turn.number for turn in view.turns] == [1, 2, 3, 4, 5, 6]


def test_rounds_of_single_turns_are_no_rounds(content: dict[str, Any]) -> None:
    for turn in content["turns"]:
        turn["speaker"] = "a1"
    assert not trace_view_build(content).has_rounds


@pytest.mark.parametrize(
    ("text", "is_raw"),
    [
        ("Plain words, 3 < 4 & so on.\nA second line.", False),
        ("**Bold** words", True),
        ("# A heading", True),
        ("<b>as text</b>", False),
        ("- a list", True),
    ],
)
def test_the_raw_text_is_kept_where_the_page_shows_something_else(
    content: dict[str, Any], text: str, *, is_raw: bool
) -> None:
    content["turns"][0]["text"] = text
    assert trace_view_build(content).turns[0].raw == (text if is_raw else "")


def test_new_measurements_are_told_from_other_news(content: dict[str, Any]) -> None:
    shocks = [shock for turn in trace_view_build(content).turns for shock in turn.shocks]
    assert [shock.is_telemetry for shock in shocks] == [True, False]


def test_each_part_that_a_page_shows_has_its_address(content: dict[str, Any]) -> None:
    addresses = trace_view_build(content).addresses
    assert addresses == {"C1", "S1", "S2", "A1", "A2", *(f"T{n}" for n in range(1, 7))}


def test_speakers_can_be_told_apart_without_colour(content: dict[str, Any]) -> None:
    content["agents"] = [
        {"id": f"a{i}", "name": name, "mandate": ""}
        for i, name in enumerate(["Red Cross", "River Council", "  ", "42", "(x) Yes"] * 2, start=1)
    ]
    view = trace_view_build(content)
    initials = [speaker.initials for speaker in view.speakers]
    assert len(set(initials)) == len(initials)
    assert all(initials)
    assert {speaker.colour for speaker in view.speakers} == set(range(1, 9))
