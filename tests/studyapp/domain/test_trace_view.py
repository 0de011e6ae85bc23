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


def test_news_after_the_last_turn_is_not_lost(content: dict[str, Any]) -> None:
    content["shocks"].append({"turn": 99, "kind": "zero_sum", "severity": "low", "text": "Late"})
    view = trace_view_build(content)
    assert [shock.html for shock in view.late_shocks] == ["<p>Late</p>\n"]
    assert view.late_shocks[0].number == 3


def test_private_traces_have_no_place_in_it(content: dict[str, Any]) -> None:
    assert "PRIVATE THOUGHT" in json.dumps(content)
    assert "PRIVATE THOUGHT" not in json.dumps(asdict(trace_view_build(content)))


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
