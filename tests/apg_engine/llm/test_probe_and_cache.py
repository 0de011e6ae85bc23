from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apg_engine import FileJournal, JournalError, MemoryJournal, ModelSpec
from apg_engine.calls import CallStatus, ChatReply, ChatRequest, Message
from apg_engine.cli.parser import main
from apg_engine.journal import CallLedger
from apg_engine.llm.cached import CachedModel
from apg_engine.llm.probing import Enforcement, schema_probe
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.models import chat_model_build
from tests.apg_engine.provenance.runs import trace_file
from tests.apg_engine.traces_for_tests import two_sided
from tests.fakes.openai_answers import Answer, refusal, status, text
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible

REQUEST = ChatRequest((Message("user", "hello"),), temperature=0.0, max_tokens=9)


def enforcing(body: dict[str, Any]) -> Answer:
    """A server that gives what the schema asks for, whatever the prompt says."""
    schema = body["response_format"]["json_schema"]["schema"]
    return text(json.dumps({"word": schema["properties"]["word"]["enum"][0]}))


def without_schemas(body: dict[str, Any]) -> Answer:
    if "response_format" in body:
        return status(400, "response_format is not supported")
    return text("hello")


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (enforcing, Enforcement.ENFORCED),
        ([text("hello")], Enforcement.NOT_ENFORCED),
        ([text('{"word": "hello"}')], Enforcement.NOT_ENFORCED),
        (without_schemas, Enforcement.REFUSED),
        ([refusal("I cannot.")], Enforcement.UNKNOWN),
        ([status(401, "no key")], Enforcement.UNKNOWN),
    ],
)
def test_the_probe_tells_a_server_that_enforces_from_one_that_only_accepts(
    script: Any, found: Enforcement
) -> None:
    with FakeOpenAI(script) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url)
        journal = MemoryJournal()
        told = schema_probe(chat_model_build(spec, "auditor", {}), calls=CallLedger(journal))

    assert told.schema is found
    assert [record.role for record in journal.records] == ["probe"]


def test_the_finding_is_kept_and_told_again_without_a_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "probe.jsonl"
    with FakeOpenAI([text("hello")]) as server:
        arguments = ["probe", "--auditor", "m", "--auditor-base-url", server.base_url]
        for _ in range(2):
            assert main([*arguments, "--journal", str(journal)], environment={}) == 0
            assert "m: JSON schema not enforced" in capsys.readouterr().out
        assert server.calls == 1
        assert main([*arguments, "--json"], environment={}) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "not enforced"
    assert FileJournal(journal).records[0].role == "probe"


def test_a_server_that_gives_nothing_is_not_judged_and_rules_cannot_be_probed() -> None:
    with FakeOpenAI([refusal("No.")]) as server:
        arguments = ["probe", "--auditor", "m", "--auditor-base-url", server.base_url]
        assert main(arguments, environment={}) == 4
    assert main(["probe"], environment={}) == 2


def test_an_equal_request_of_a_later_run_is_not_asked_again(tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two"])
    first = CachedModel(model, tmp_path).complete(REQUEST, ordinal=1)
    again = CachedModel(model, tmp_path).complete(REQUEST, ordinal=2)

    assert first == again
    assert len(model.requests) == 1


def test_the_second_time_within_a_run_is_a_second_question(tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two"])
    for _ in range(2):
        run = CachedModel(model, tmp_path)
        replies = [run.complete(REQUEST, ordinal=n).text for n in (1, 2)]
        assert replies == ["one", "two"]
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, messages=(Message("user", "Hello"),)),
        replace(REQUEST, messages=(Message("system", "x"), *REQUEST.messages)),
        replace(REQUEST, temperature=0.1),
        replace(REQUEST, max_tokens=10),
        replace(REQUEST, schema={"type": "object"}),
        replace(REQUEST, schema_name="another"),
    ],
)
def test_any_other_request_is_asked(other: ChatRequest, tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two"])
    CachedModel(model, tmp_path).complete(REQUEST, ordinal=1)

    assert CachedModel(model, tmp_path).complete(other, ordinal=2).text == "two"


def test_one_model_never_gets_anothers_answer(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        cached = CachedModel(ScriptedModel([f"from {name}"], name=name), tmp_path)
        assert cached.complete(REQUEST, ordinal=1).text == f"from {name}"


def test_only_whole_answers_are_kept(tmp_path: Path) -> None:
    cut = ChatReply(CallStatus.TRUNCATED, text="hal")
    model = ScriptedModel([cut, "whole"])
    assert CachedModel(model, tmp_path).complete(REQUEST, ordinal=1) == cut

    assert CachedModel(model, tmp_path).complete(REQUEST, ordinal=2).text == "whole"


@pytest.mark.parametrize("damage", ["", "{}", "null", '{"request": {}, "reply": {}}'])
def test_a_damaged_or_foreign_reply_is_refused(damage: str, tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two"])
    CachedModel(model, tmp_path).complete(REQUEST, ordinal=1)
    (path,) = tmp_path.glob("*/*.json")
    data = json.loads(path.read_text())
    path.write_text(damage or json.dumps({**data, "request": {"model": "another"}}))

    with pytest.raises(JournalError, match=r"\.json"):
        CachedModel(model, tmp_path).complete(REQUEST, ordinal=1)


def test_a_second_run_from_the_shell_asks_nothing(tmp_path: Path) -> None:
    debate, cache = trace_file(tmp_path / "d.json", two_sided()), tmp_path / "cache"
    with FakeOpenAI(plausible) as server:
        models = [
            "--proposer", "m", "--proposer-base-url", server.base_url,
            "--auditor", "n", "--auditor-base-url", server.base_url, "--cache", str(cache),
        ]  # fmt: skip
        for name in ("one", "two"):
            out = str(tmp_path / name)
            assert main(["gate", str(debate), "--out", out, *models], environment={}) == 3
        assert server.calls == 6
    results = [(tmp_path / name / "result.json").read_bytes() for name in ("one", "two")]
    assert results[0] == results[1]
