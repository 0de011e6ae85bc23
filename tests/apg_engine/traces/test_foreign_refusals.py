"""Near misses of debates from elsewhere: each is refused at its place, and nothing is lost."""

from __future__ import annotations

import json

import pytest

from apg_engine.errors import TraceError
from apg_engine.traces import import_trace
from tests.apg_engine.traces.foreign_samples import (
    TRANSCRIPT,
    agents,
    chat,
    courtroom,
    discussion,
    evaluation,
)
from tests.apg_engine.traces.samples import Document, as_bytes, refusal


# Near misses
def without(document: Document, key: str) -> Document:
    return {name: value for name, value in document.items() if name != key}


NEAR_MISSES: dict[str, tuple[object, str, str]] = {
    "chat with an unknown role": (
        [*chat(), {"role": "narrator", "content": "x"}],
        "[6].role",
        '"system" | "developer"',
    ),
    "chat with a number as content": (
        [{"role": "user", "content": 5}],
        "[0].content",
        "a list",
    ),
    "chat with a part without a type": (
        [{"role": "user", "content": [{"text": "x"}]}],
        "[0].content[0].type",
        "a text",
    ),
    "chat without any turn": (
        [{"role": "system", "content": "Be brief."}],
        "the document",
        "at least one",
    ),
    "chat with an empty name": (
        [{"role": "user", "name": "", "content": "x"}],
        "[0].name",
        "not empty",
    ),
    "a mallm single answer": (
        [discussion() | {"globalMemory": None}],
        "[0].globalMemory",
        "a list",
    ),
    "a mallm ablation without agents": (
        [discussion() | {"globalMemory": [{"message_id": 0, "turn": 0, "message": "x"}]}],
        "[0].globalMemory[0].agent_id",
        "a text",
    ),
    "a mallm message without an id": (
        discussion() | {"globalMemory": [{"agent_id": "a", "message": "x"}]},
        "globalMemory[0].message_id",
        "a whole number",
    ),
    "two mallm discussions": ([discussion(), discussion()], "the document", "one debate"),
    "a ucl-dark transcript of an older shape": (
        courtroom() | {"rounds": [["A said.", "B said."]]},
        "rounds[0]",
        "an object",
    ),
    "a ucl-dark transcript without rounds": (
        courtroom() | {"rounds": []},
        "rounds",
        "at least one",
    ),
    "a ucl-dark answer that is missing": (
        courtroom() | {"answers": {"correct": "The crow"}},
        "answers.incorrect",
        "a text",
    ),
    "a ucl-dark argument that is an object": (
        courtroom() | {"rounds": [{"correct": {"text": "x"}}]},
        "rounds[0].correct",
        "a text",
    ),
    "a ucl-dark transcript in which nobody speaks": (
        courtroom() | {"rounds": [{"type": "sim"}]},
        "rounds",
        "at least one",
    ),
    "an AutoGen message of an unknown type": (
        [agents()[4] | {"type": "VoiceMessage"}],
        "[0].type",
        "TextMessage | MultiModalMessage",
    ),
    "an AutoGen message without a source": (
        [agents()[4], without(agents()[4], "source")],
        "[1].source",
        "a text",
    ),
    "an empty AutoGen message": (
        [agents()[4] | {"content": " "}],
        "[0].content",
        "not empty",
    ),
    "an AutoGen team without a thread": (
        {"type": "TeamState", "agent_states": {"rye": {}}},
        "the document",
        "at least one debate",
    ),
    "an Inspect log of another version": (
        evaluation() | {"version": 3},
        "version",
        "the number 2",
    ),
    "an Inspect log without samples": (without(evaluation(), "samples"), "samples", "at least"),
    "an Inspect sample with an attachment": (
        evaluation()
        | {"samples": [{"messages": [{"role": "user", "content": "attachment://0a1b"}]}]},
        "samples[0].messages[0].content",
        "attachments resolved",
    ),
}


@pytest.mark.parametrize(
    ("document", "place", "allowed"), NEAR_MISSES.values(), ids=NEAR_MISSES.keys()
)
def test_a_near_miss_is_refused_at_its_place(document: object, place: str, allowed: str) -> None:
    error = refusal(document)
    assert error.place == place
    assert allowed in error.allowed


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("A letter without any colon.\n", "the document", "no line that begins with a speaker"),
        ("Ann: I am alone.\nAnn: Still.\n", "the document", "1 speakers"),
        ("10:30 the meeting began: all sat.", "the document", "no line"),
        ("Ann: Hello.\nBen:\n\nAnn: Ben?\nBen: Yes.", "line 2", "an empty turn"),
        (" \n\t", "the whole file", "nothing"),
    ],
)
def test_text_that_is_no_debate_is_refused(text: str, place: str, found: str) -> None:
    with pytest.raises(TraceError) as caught:
        import_trace(text.encode(), file_name="a.txt")
    assert (caught.value.file, caught.value.place) == ("a.txt", place)
    assert found in caught.value.found


def test_a_broken_line_of_json_lines_is_refused_by_its_number() -> None:
    data = as_bytes({"role": "user", "content": "Hello."}) + b'\n{"role": "us'
    with pytest.raises(TraceError, match=r"a\.jsonl: line 2: line 1, column"):
        import_trace(data, file_name="a.jsonl")


def test_only_newlines_separate_json_lines() -> None:
    line = as_bytes({"role": "user", "content": "Wait\u2028here\x85."})
    trace = import_trace(line + b"\n" + line, file_name="a.jsonl")
    assert trace.turns[0].text == "Wait\u2028here\x85."


def test_surrogates_in_json_lines_are_warned_of_with_their_line() -> None:
    line = json.dumps({"role": "user", "content": "a\ud800"}).encode()
    trace = import_trace(line + b"\n" + line, file_name="a.jsonl")
    assert trace.warnings == (
        "line 1: content: 1 NUL or lone surrogate became U+FFFD",
        "line 2: content: 1 NUL or lone surrogate became U+FFFD",
    )


@pytest.mark.parametrize("entry", [0, 2])
@pytest.mark.parametrize(
    "data",
    [as_bytes(courtroom()), TRANSCRIPT.encode(), as_bytes(agents())],
    ids=["JSON", "text", "list"],
)
def test_an_entry_that_does_not_exist_is_refused(data: bytes, entry: int) -> None:
    with pytest.raises(TraceError):
        import_trace(data, file_name="a.json", entry=entry)
