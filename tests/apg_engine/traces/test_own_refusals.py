"""What the project's own format refuses, how it says so, and that the schema refuses the same."""

from __future__ import annotations

import copy
from collections.abc import Callable

import jsonschema
import pytest

from apg_engine.traces import (
    trace_schema,
    trace_to_dict,
)
from tests.apg_engine.traces.samples import Document, imported, own_document, refusal

Change = Callable[[Document], object]


def changed(change: Change) -> Document:
    document = copy.deepcopy(own_document())
    change(document)
    return document


REFUSED: dict[str, tuple[Change, str, str, str]] = {
    "another version": (lambda d: d.update(version=2), "version", "the number 2", "the number 1"),
    "a version in words": (lambda d: d.update(version="1"), "version", "'1'", "a whole number"),
    "no format": (lambda d: d.pop("format"), "format", "nothing", '"apg-trace"'),
    "no turns": (lambda d: d.update(turns=[]), "turns", "a list of 0", "a list of at least one"),
    "turns absent": (lambda d: d.pop("turns"), "turns", "nothing", "a list of at least one"),
    "turns of a wrong kind": (lambda d: d.update(turns={}), "turns", "an object", "a list"),
    "no agents": (lambda d: d.update(agents=[]), "agents", "a list of 0", "at least one"),
    "an empty turn": (
        lambda d: d["turns"][1].update(text=" \n"),
        "turns[1].text",
        "' \\n'",
        "a text that is not empty",
    ),
    "a turn that is a number": (lambda d: d["turns"].append(3), "turns[2]", "3", "an object"),
    "a text that is null": (
        lambda d: d["turns"][0].update(text=None),
        "turns[0].text",
        "null",
        "a text",
    ),
    "an unknown speaker": (
        lambda d: d["turns"][0].update(speaker="west"),
        "turns[0].speaker",
        "'west'",
        "'north', 'south'",
    ),
    "evidence that names no document": (
        lambda d: d["turns"][1].update(evidence=["bell", "clock"]),
        "turns[1].evidence[1]",
        "'clock'",
        "'bell'",
    ),
    "evidence without documents": (
        lambda d: d.update(documents=[]),
        "turns[1].evidence[0]",
        "'bell'",
        "nothing: the list is empty",
    ),
    "evidence named twice": (
        lambda d: d["turns"][1].update(evidence=["bell", "bell"]),
        "turns[1].evidence[1]",
        "'bell' a second time",
        "each identifier once",
    ),
    "turns that skip a number": (
        lambda d: d["turns"][1].update(number=3),
        "turns[1].number",
        "the number 3",
        "2 (turns stand in order",
    ),
    "turns numbered from 0": (
        lambda d: d["turns"][0].update(number=0),
        "turns[0].number",
        "the number 0",
        "1 (turns stand in order",
    ),
    "a number that is no whole number": (
        lambda d: d["turns"][0].update(number=1.5),
        "turns[0].number",
        "the number 1.5",
        "a whole number",
    ),
    "a shock after the last turn": (
        lambda d: d["shocks"][0].update(turn=3),
        "shocks[0].turn",
        "the number 3",
        "1 to 2",
    ),
    "a shock before the first turn": (
        lambda d: d["shocks"][0].update(turn=0),
        "shocks[0].turn",
        "the number 0",
        "1 to 2",
    ),
    "an unknown kind of shock": (
        lambda d: d["shocks"][0].update(kind="fire"),
        "shocks[0].kind",
        "'fire'",
        '"epistemic_shift" | "cascading_risk" | "zero_sum" | "ad_hominem"',
    ),
    "an unknown severity": (
        lambda d: d["shocks"][0].update(severity="extreme"),
        "shocks[0].severity",
        "'extreme'",
        '"low" | "medium" | "high"',
    ),
    "two agents of one id": (
        lambda d: d["agents"][1].update(id="north"),
        "agents[1].id",
        "'north' a second time",
        "each identifier once",
    ),
    "two documents of one id": (
        lambda d: d["documents"].append(d["documents"][0]),
        "documents[1].id",
        "'bell' a second time",
        "each identifier once",
    ),
    "an unknown kind of document": (
        lambda d: d["documents"][0].update(kind="rumour"),
        "documents[0].kind",
        "'rumour'",
        '"axiom" | "document"',
    ),
    "an unknown conflict level": (
        lambda d: d.update(conflict_level="medium"),
        "conflict_level",
        "'medium'",
        '"low" | "high" | ""',
    ),
    "a misspelt field": (
        lambda d: d["turns"][0].update(privat_trace="x"),
        "turns[0]",
        "unknown field 'privat_trace'",
        "private_trace",
    ),
    "a misspelt field at the top": (
        lambda d: d.update(shock=[]),
        "the document",
        "unknown field 'shock'",
        "shocks",
    ),
    "a title over its limit": (
        lambda d: d.update(title="x" * 201),
        "title",
        "201 characters",
        "at most 200",
    ),
    "a language that is no tag": (
        lambda d: d.update(language="English!"),
        "language",
        "'English!'",
        "a language tag",
    ),
    "a source hash that is none": (
        lambda d: d.update(source={"format": "f", "file_name": "n", "sha256": "abc"}),
        "source.sha256",
        "'abc'",
        "64 hexadecimal digits",
    ),
    "a flag in words": (
        lambda d: d["turns"][0].update(private_is_boilerplate="no"),
        "turns[0].private_is_boilerplate",
        "'no'",
        "true or false",
    ),
}


@pytest.mark.parametrize(
    ("change", "place", "found", "allowed"), REFUSED.values(), ids=REFUSED.keys()
)
def test_it_refuses_and_names_file_place_finding_and_what_is_allowed(
    change: Change, place: str, found: str, allowed: str
) -> None:
    error = refusal(changed(change), file_name="ferry.json")
    assert error.file == "ferry.json"
    assert error.place == place
    assert found in error.found
    assert allowed in error.allowed
    assert str(error).startswith(f"ferry.json: {place}: found ")


def test_a_long_finding_is_cut_and_a_long_list_of_choices_too() -> None:
    document = own_document(
        agents=[{"id": f"a{i}", "name": f"Agent {i}"} for i in range(14)],
        turns=[{"number": 1, "speaker": "z" * 500, "text": "Hello."}],
    )
    error = refusal(document, file_name="ferry.json")
    assert len(error.found) < 80
    assert error.allowed.endswith("'a9', and 4 more")


# What the schema cannot say, so that it must let it pass; everything else it refuses too.
BEYOND_THE_SCHEMA = {
    "an unknown speaker",
    "evidence that names no document",
    "evidence without documents",
    "turns that skip a number",
    "a shock after the last turn",
    "two agents of one id",
    "two documents of one id",
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_published_schema_refuses_what_the_reader_refuses(name: str) -> None:
    validator = jsonschema.Draft202012Validator(trace_schema())
    assert validator.is_valid(changed(REFUSED[name][0])) is (name in BEYOND_THE_SCHEMA)


def test_the_published_schema_is_a_schema_and_accepts_what_is_written() -> None:
    schema = trace_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(own_document(), schema)
    jsonschema.validate(trace_to_dict(imported(own_document())), schema)
    jsonschema.validate({"$schema": "trace.schema.json", **own_document()}, schema)
    assert imported({"$schema": "trace.schema.json", **own_document()}).title != ""


@pytest.mark.parametrize("invisible", ["\u200b", "\u2060 \u200d\n"])
def test_a_turn_of_invisible_characters_is_an_empty_turn(invisible: str) -> None:
    document = own_document()
    document["turns"][0]["text"] = invisible
    error = refusal(document, file_name="ferry.json")
    assert error.place == "turns[0].text"
    assert "not empty" in error.allowed
