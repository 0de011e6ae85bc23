"""From bytes to a document: encodings, limits and characters that would break storage."""

from __future__ import annotations

import json

import pytest

from apg_engine.errors import TraceError
from apg_engine.traces import import_trace, trace_from_dict, trace_sha256
from tests.apg_engine.traces.samples import as_bytes, imported, own_document, trajectory


def refusal(data: bytes, *, max_bytes: int = 20_000_000) -> TraceError:
    with pytest.raises(TraceError) as caught:
        import_trace(data, file_name="bad.json", max_bytes=max_bytes)
    assert caught.value.file == "bad.json"
    return caught.value


@pytest.mark.parametrize("cut", [1, 40, 200, 500])
def test_a_truncated_file_is_refused_at_its_line(cut: int) -> None:
    error = refusal(as_bytes(own_document())[:cut])
    assert error.place.startswith("line 1, column ")
    assert error.allowed == "one whole JSON document"


def test_a_file_that_ends_too_early_is_said_to_end() -> None:
    error = refusal(b'{"format": "apg-trace",\n "turns": [')
    assert (error.place, error.found) == ("line 2, column 12", "the end of the file")


def test_two_documents_in_one_file_are_refused() -> None:
    assert "Extra data" in refusal(b"{} {}").found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"[]", "a list of 0"),
        (b"[1, 2]", "a list of 2"),
        (b"{}", "an object"),
        (b'{"turns": []}', "an object"),
        (b'{"turns": [{"a": 1}]}', "an object"),
    ],
)
def test_a_document_of_no_known_format_is_refused_with_the_known_ones(
    data: bytes, found: str
) -> None:
    error = refusal(data)
    assert error.place == "the document"
    assert error.found == f"{found} of no known format"
    assert error.allowed == (
        "apg-trace | apg-paper-trajectory | mallm | ucl-dark-transcript | inspect-log | "
        "autogen-agentchat | openai-chat | speaker-lines"
    )


@pytest.mark.parametrize("data", [b'"hello"', b"17", b"null", b"true", b"hello"])
def test_a_file_that_is_neither_json_nor_a_transcript_is_refused(data: bytes) -> None:
    error = refusal(data)
    assert error.found == "no line that begins with a speaker"
    assert "JSON of a known format" in error.allowed


def test_a_file_over_the_limit_is_refused_before_it_is_read() -> None:
    data = as_bytes(own_document())
    error = refusal(data, max_bytes=len(data) - 1)
    assert (error.found, error.allowed) == (
        f"{len(data)} bytes",
        f"at most {len(data) - 1} bytes",
    )
    assert import_trace(data, file_name="bad.json", max_bytes=len(data)).title != ""


def test_the_limit_is_20_mb_unless_it_is_set() -> None:
    data = as_bytes(own_document(crisis_context="x" * 20_000_000))
    assert refusal(data).allowed == "at most 20000000 bytes"
    assert import_trace(data, file_name="big.json", max_bytes=21_000_000).title != ""


def test_bytes_that_are_not_utf8_are_refused_at_their_place() -> None:
    data = as_bytes(own_document(title="Zürich")).decode().encode("latin-1")
    error = refusal(data)
    assert error.place == f"byte {data.index(0xFC)}"
    assert (error.found, error.allowed) == ("byte 0xfc", "UTF-8")


def test_utf16_is_refused() -> None:
    assert refusal(as_bytes(own_document()).decode().encode("utf-16")).allowed == "UTF-8"


def test_a_byte_order_mark_and_a_last_newline_are_tolerated() -> None:
    data = as_bytes(own_document())
    plain = import_trace(data, file_name="a.json")
    marked = import_trace(b"\xef\xbb\xbf" + data + b"\r\n", file_name="a.json")
    assert trace_sha256(marked) == trace_sha256(plain)
    assert marked.warnings == ()
    assert marked.source.sha256 != plain.source.sha256


def test_nul_and_lone_surrogates_become_replacement_characters_with_a_warning() -> None:
    document = own_document(title="a\0b")
    document["turns"][0]["text"] = "x\ud800y\udfffz \U0001f30a"
    trace = import_trace(as_escaped(document), file_name="a.json")
    assert trace.title == "a\ufffdb"
    assert trace.turns[0].text == "x\ufffdy\ufffdz \U0001f30a"
    assert trace.warnings == (
        "title: 1 NUL or lone surrogate became U+FFFD",
        "turns[0].text: 2 NUL or lone surrogate became U+FFFD",
    )


def test_a_raw_nul_byte_inside_a_text_is_replaced_too() -> None:
    data = as_bytes(own_document(title="a#b")).replace(b"a#b", b"a\0b")
    trace = import_trace(data, file_name="a.json")
    assert trace.title == "a\ufffdb"
    assert trace.warnings == ("1 NUL bytes became U+FFFD",)


def test_data_handed_over_in_memory_is_cleaned_as_well() -> None:
    trace = trace_from_dict(own_document(title="\ud8ff!"), file_name="in memory")
    assert trace.title == "\ufffd!"
    assert len(trace.warnings) == 1


def test_surrogates_hidden_in_json_inside_json_are_replaced() -> None:
    document = trajectory()
    document["turn_logs"][2]["metadata"]["private_strategy_json"] = (
        '{"simulated_antagonist_counter": "", "retrieved_axioms": ["a \\ud800 b"]}'
    )
    assert imported(document).documents[0].text == "a \ufffd b"


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
def test_numbers_that_json_does_not_know_are_refused(number: bytes) -> None:
    data = as_bytes(own_document()).replace(b'"version": 1', b'"version": ' + number)
    assert refusal(data).allowed == "finite numbers"


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    data = as_bytes(own_document()).replace(b'"version": 1', b'"version": ' + b"9" * 5000)
    assert refusal(data).place == "a number"


def test_an_infinite_float_is_no_whole_number() -> None:
    data = as_bytes(own_document()).replace(b'"version": 1', b'"version": 1e999')
    assert refusal(data).allowed == "a whole number"


def test_one_field_twice_is_refused_because_nobody_knows_which_counts() -> None:
    data = as_bytes(own_document()).replace(b'"title"', b'"title": "first", "title"', 1)
    error = refusal(data)
    assert error.place == "an object's field 'title'"
    assert error.allowed == "it once"


def test_nesting_without_end_is_refused() -> None:
    assert refusal(b"[" * 100_000).found == "lists or objects nested too deeply"


def test_nesting_without_end_in_memory_is_refused() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(TraceError, match="nested too deeply"):
        trace_from_dict({"turns": deep}, file_name="in memory")


def as_escaped(document: object) -> bytes:
    return json.dumps(document).encode()
