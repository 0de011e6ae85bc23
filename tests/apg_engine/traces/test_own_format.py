"""The project's own format: what it holds, how it is written, what it refuses and how."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace

import jsonschema
import pytest

from apg_engine.errors import TraceError
from apg_engine.records import Severity, ShockKind, Source
from apg_engine.traces import (
    import_trace,
    trace_from_dict,
    trace_schema,
    trace_sha256,
    trace_to_bytes,
    trace_to_dict,
)
from tests.apg_engine.traces.samples import Document, as_bytes, imported, own_document
from tests.apg_engine.traces_for_tests import trace_of

Change = Callable[[Document], object]


def changed(change: Change) -> Document:
    document = copy.deepcopy(own_document())
    change(document)
    return document


def refusal(document: object) -> TraceError:
    with pytest.raises(TraceError) as caught:
        imported(document, file_name="ferry.json")
    return caught.value


def test_it_reads_every_part_of_a_debate() -> None:
    trace = imported(own_document())
    assert trace.title == "A ferry and two islands"
    assert trace.language == "en"
    assert [agent.mandate for agent in trace.agents] == ["", "keep the school open"]
    assert trace.turns[1].private_trace == "A later bell would do."
    assert trace.turns[1].evidence == ("bell",)
    assert trace.documents[0].kind == "document"
    assert (trace.shocks[0].kind, trace.shocks[0].severity) == (
        ShockKind.ZERO_SUM,
        Severity.HIGH,
    )
    assert trace.warnings == ()


def test_a_document_keeps_its_title_and_one_without_leaves_the_hash_as_it_was() -> None:
    plain, titled, emptied = own_document(), own_document(), own_document()
    titled["documents"][0]["title"] = "Table of the tides"
    emptied["documents"][0]["title"] = ""

    trace = imported(titled)

    assert trace.documents[0].title == "Table of the tides"
    assert imported(json.loads(trace_to_bytes(trace))).documents == trace.documents
    assert trace_sha256(trace) != trace_sha256(imported(plain))
    assert trace_sha256(imported(emptied)) == trace_sha256(imported(plain))
    assert "title" not in json.dumps(trace_to_dict(imported(plain))["documents"])


def test_an_error_says_how_places_in_lists_are_counted() -> None:
    document = own_document()
    document["documents"][0]["kind"] = "rumour"

    assert "ferry.json: documents[0].kind: found " in str(refusal(document))
    assert str(refusal(document)).endswith("(places in lists count from 0)")


def test_the_source_names_the_file_and_the_hash_of_its_bytes() -> None:
    data = as_bytes(own_document())
    trace = import_trace(data, file_name="some/folder/ferry.json")
    assert trace.source == Source("apg-trace", "ferry.json", hashlib.sha256(data).hexdigest())


def test_a_source_inside_the_file_is_kept() -> None:
    source = {"format": "other-log", "file_name": "run.log", "sha256": "ab" * 32}
    assert imported(own_document(source=source)).source == Source("other-log", "run.log", "ab" * 32)


def test_a_written_trace_reads_back_as_it_was() -> None:
    trace = imported(own_document(warnings=["from a scan"]))
    assert import_trace(trace_to_bytes(trace), file_name="copy.json") == trace
    assert trace_from_dict(trace_to_dict(trace), file_name="copy.json") == trace


def test_equal_traces_are_written_as_equal_bytes() -> None:
    document = own_document()
    reordered = dict(reversed(document.items()))
    source = {"format": "apg-trace", "file_name": "a", "sha256": "0" * 64}
    first = imported(document | {"source": source})
    second = imported(reordered | {"source": source})
    assert trace_to_bytes(first) == trace_to_bytes(second)
    assert trace_to_bytes(first).endswith(b"}\n")


def test_the_hash_is_of_the_content_and_not_of_its_file() -> None:
    trace = imported(own_document(), file_name="a.json")
    renamed = imported(own_document(), file_name="b.json")
    assert trace_sha256(trace) == trace_sha256(renamed)
    assert trace_sha256(trace) == trace_sha256(replace(trace, warnings=("noted",)))
    assert trace_sha256(trace) != trace_sha256(imported(own_document(question="Who rows?")))


def test_the_hash_can_be_recomputed_from_canonical_json() -> None:
    trace = imported(own_document())
    content = trace_to_dict(trace)
    del content["source"], content["warnings"]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert trace_sha256(trace) == hashlib.sha256(text.encode()).hexdigest()


def test_a_trace_from_data_without_a_source_is_named_by_its_content() -> None:
    trace = trace_from_dict(own_document(), file_name="in memory")
    assert trace.source == Source("apg-trace", "in memory", trace_sha256(trace))


@pytest.mark.parametrize(
    ("shocks", "level"),
    [
        ([], ""),
        ([{"turn": 1, "kind": "ad_hominem", "severity": "high", "text": "Rude."}], "low"),
        ([{"turn": 1, "kind": "zero_sum", "severity": "low", "text": "One only."}], "high"),
    ],
)
def test_a_conflict_level_that_is_not_stated_follows_the_zero_sum_rule(
    shocks: list[Document], level: str
) -> None:
    assert imported(own_document(shocks=shocks)).conflict_level == level


def test_a_stated_conflict_level_wins_over_the_rule() -> None:
    assert imported(own_document(conflict_level="low")).conflict_level == "low"


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
    error = refusal(changed(change))
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
    error = refusal(document)
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
    error = refusal(document)
    assert error.place == "turns[0].text"
    assert "not empty" in error.allowed


def test_a_trace_that_was_built_with_half_a_surrogate_pair_has_a_hash_and_a_file() -> None:
    trace = trace_of("One \ud800 half.", "Another.")

    assert len(trace_sha256(trace)) == 64
    assert b"half" in trace_to_bytes(trace)
