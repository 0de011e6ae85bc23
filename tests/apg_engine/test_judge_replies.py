from __future__ import annotations

import json

import jsonschema
import pytest

from apg_engine.auditors.replies import ALLOWED_VERDICTS, reply_read
from apg_engine.prompting import audit_schema, prompt_load

IDS = ("s1", "s2", "s3")


def entry(sentence_id: object, verdict: object = "supported", **more: object) -> dict[str, object]:
    evidence = [{"address": "T1.1", "quote": "the words"}]
    return {
        "id": sentence_id,
        "verdict": verdict,
        "evidence_for": evidence,
        "evidence_against": [],
        "reason": "stated",
        **more,
    }


def reply(*entries: object, **more: object) -> str:
    return json.dumps({"verdicts": list(entries), **more})


def whole() -> str:
    return reply(*(entry(sentence_id) for sentence_id in IDS))


@pytest.mark.parametrize(
    "wrap", ["{}", "```json\n{}\n```", "```\n{}\n```", "  \n{}\n", "```JSON\n{}```"]
)
def test_a_whole_reply_is_read_with_or_without_a_fence(wrap: str) -> None:
    reading = reply_read(wrap.replace("{}", whole()), IDS)

    assert set(reading.judged) == set(IDS)
    assert not reading.faults


@pytest.mark.parametrize(
    "reason", ['stated "citing \\"health risks\\""', "line\nbreak", '{"id": "s2"}']
)
def test_quotes_inside_a_reason_break_nothing(reason: str) -> None:
    reading = reply_read(reply(entry("s1", reason=reason), entry("s2"), entry("s3")), IDS)

    assert reading.judged["s1"].reason == reason


def test_an_escaped_apostrophe_is_read_as_one() -> None:
    text = whole().replace('"stated"', '"the clinic\\\'s own"', 1)

    assert reply_read(text, IDS).judged["s1"].reason == "the clinic's own"


def test_a_cut_reply_keeps_its_complete_verdicts() -> None:
    text = whole()
    reading = reply_read(text[: text.index('"s3"') + 20], IDS)

    assert set(reading.judged) == {"s1", "s2"}
    assert set(reading.faults) == {"s3"}


@pytest.mark.parametrize(
    "value", [-1, "-1", "N/A", "maybe", "idk", "Supported", "SUPPORTED", "not supported", None,
              True, 1.7, "NaN", "0.9/1", "supported unsupported", ["supported"], {"v": "supported"}]
)  # fmt: skip
def test_a_value_outside_the_list_is_no_verdict(value: object) -> None:
    reading = reply_read(reply(entry("s1", value), entry("s2"), entry("s3")), IDS)

    assert set(reading.judged) == {"s2", "s3"}
    assert "none of" in reading.faults["s1"]


def test_ids_nobody_asked_about_are_ignored_and_noted() -> None:
    reading = reply_read(reply(*(entry(f"s{n}") for n in range(1, 6))), IDS)

    assert set(reading.judged) == set(IDS)
    assert reading.notes == ("verdicts for ids that were not asked: s4, s5",)


def test_two_verdicts_for_one_id_are_none() -> None:
    reading = reply_read(reply(entry("s1"), entry("s1"), entry("s2"), entry("s3")), IDS)

    assert "s1" in reading.faults
    assert "s1" not in reading.judged


@pytest.mark.parametrize("sentence_id", [1, None, "S1", "s1 ", "sentence 1"])
def test_an_id_that_is_not_the_one_asked_is_missing(sentence_id: object) -> None:
    reading = reply_read(reply(entry(sentence_id), entry("s2"), entry("s3")), IDS)

    assert set(reading.faults) == {"s1"}


HOPELESS = (
    "",
    "{}",
    "[]",
    "null",
    "[1, 2,",
    "__import__('os').system('true')",
    "I apologize, but I cannot help with that.",
    "Not supported.",
    "supported? no",
    "supported unsupported",
    "Score: 7259001000",
    "On a scale of 0 to 3 with 43 patients, I give 2",
    "Score: 10.0",
    '{"verdicts": "supported"}',
    '{"verdicts": {"s1": "supported"}}',
    '{"verdict": "supported"}',
    '"verdicts": [{"id": "s1", "verdict": "supported"}]',
    "[" * 5000,
)


@pytest.mark.parametrize("text", HOPELESS)
def test_a_reply_that_is_none_gives_no_verdict_at_all(text: str) -> None:
    reading = reply_read(text, IDS)

    assert not reading.judged
    assert set(reading.faults) == set(IDS)


def test_two_objects_back_to_back_are_no_reply() -> None:
    assert not reply_read(whole() + whole(), IDS).judged


def test_a_verdict_hidden_in_prose_is_not_fished_out() -> None:
    assert not reply_read(f"Here you are: {whole()} Best regards", IDS).judged


@pytest.mark.parametrize(
    "evidence", [None, "T1.1", [["T1.1", "x"]], [{"address": "T1.1"}], [{"quote": 3}]]
)
def test_evidence_in_another_shape_is_no_verdict(evidence: object) -> None:
    reading = reply_read(reply(entry("s1", evidence_for=evidence), entry("s2"), entry("s3")), IDS)

    assert set(reading.faults) == {"s1"}


def test_the_example_in_the_prompt_follows_the_schema() -> None:
    system = prompt_load("audit").system
    example = next(line for line in system.splitlines() if line.startswith('{"verdicts"'))

    jsonschema.validate(json.loads(example), audit_schema())
    assert set(reply_read(example, ("s1", "s2")).judged) == {"s1", "s2"}


def test_schema_and_reader_allow_the_same_verdicts() -> None:
    schema = audit_schema()
    assert tuple(schema["properties"]["verdicts"]["items"]["properties"]["verdict"]["enum"]) == (
        ALLOWED_VERDICTS
    )
    jsonschema.validate(json.loads(whole()), schema)


@pytest.mark.parametrize(
    "text",
    [
        whole().replace(
            '"verdict": "supported"', '"verdict": "contradicted", "verdict": "supported"'
        ),
        whole()[:-1] + ', "verdicts": []}',
        '{"verdicts": [], ' + whole()[1:],
        whole().replace('"id": "s1"', '"id": "s2", "id": "s1"'),
        f'```json\n{whole()[:-1]}, "verdicts": []}}\n```',
    ],
)
def test_a_key_that_comes_twice_spoils_the_reply(text: str) -> None:
    reading = reply_read(text, IDS)

    assert not reading.judged
    assert set(reading.faults) == set(IDS)
