"""The project's own format: what it holds, how it is written, what it refuses and how."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from apg_engine.records import Severity, ShockKind, Source
from apg_engine.traces import (
    import_trace,
    trace_from_dict,
    trace_sha256,
    trace_to_bytes,
    trace_to_dict,
)
from tests.apg_engine.traces.samples import Document, as_bytes, imported, own_document, refusal
from tests.apg_engine.traces_for_tests import trace_of


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

    assert "ferry.json: documents[0].kind: found " in str(refusal(document, file_name="ferry.json"))
    assert str(refusal(document, file_name="ferry.json")).endswith("(places in lists count from 0)")


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


def test_a_trace_that_was_built_with_half_a_surrogate_pair_has_a_hash_and_a_file() -> None:
    trace = trace_of("One \ud800 half.", "Another.")

    assert len(trace_sha256(trace)) == 64
    assert b"half" in trace_to_bytes(trace)
