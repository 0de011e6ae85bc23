"""What comes back from a server: answers, typed failures, and no key in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from apg_engine.calls import CallStatus
from apg_engine.prompting import audit_schema
from tests.apg_engine.llm.asking import KEY, REQUEST, Time, ask
from tests.fakes.openai_answers import Answer, refusal, text
from tests.fakes.openai_server import FakeOpenAI


def test_an_answer_comes_back_with_its_usage(time: Time) -> None:
    with FakeOpenAI([text("hello")]) as server:
        reply = ask(server, time)

        assert (reply.status, reply.text) == (CallStatus.OK, "hello")
        assert reply.usage.completion_tokens == 50
        assert [attempt.status for attempt in reply.attempts] == ["ok"]
        sent = server.requests[0]
        assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("m", 0.5, 64)
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("content", ["", "  \n", None])
def test_an_empty_answer_is_typed(content: str | None, time: Time) -> None:
    with FakeOpenAI([text(content)]) as server:
        assert ask(server, time).status is CallStatus.EMPTY


def test_an_answer_in_the_reasoning_channel_is_not_salvaged(time: Time) -> None:
    with FakeOpenAI([text(None, reasoning='{"verdicts": []}')]) as server:
        assert ask(server, time).status is CallStatus.EMPTY


def test_an_answer_in_parts_is_joined(time: Time) -> None:
    parts: Any = [
        {"type": "text", "text": "hel"},
        {"type": "image"},
        {"type": "text", "text": "lo"},
    ]
    with FakeOpenAI([text(parts)]) as server:
        assert ask(server, time).text == "hello"


def test_a_cut_answer_is_asked_for_once_with_more_room(time: Time) -> None:
    with FakeOpenAI([text("hel", finish="length"), text("hello")]) as server:
        reply = ask(server, time)

        assert (reply.status, reply.text) == (CallStatus.OK, "hello")
        assert [body["max_tokens"] for body in server.requests] == [64, 128]


@pytest.mark.parametrize("cut", ["hel", ""])
def test_an_answer_cut_twice_is_truncated(cut: str, time: Time) -> None:
    with FakeOpenAI([text(cut, finish="length")]) as server:
        reply = ask(server, time)

        assert (reply.status, reply.text) == (CallStatus.TRUNCATED, cut)
        assert server.calls == 2


@pytest.mark.parametrize("answer", [refusal("I will not."), text("", finish="content_filter")])
def test_a_refusal_is_typed_and_not_repeated(answer: Answer, time: Time) -> None:
    with FakeOpenAI([answer]) as server:
        assert ask(server, time).status is CallStatus.REFUSED
        assert server.calls == 1


def test_the_schema_is_asked_for(time: Time) -> None:
    request = replace(REQUEST, schema=audit_schema(), schema_name="audit_reply")
    with FakeOpenAI([text("{}")]) as server:
        ask(server, time, request)

        asked = server.requests[0]["response_format"]["json_schema"]
        assert asked["schema"] == audit_schema()


def bodies(server: FakeOpenAI) -> Iterator[str]:
    return (json.dumps(body) for body in server.requests)


def test_the_key_stands_in_no_request_body(time: Time) -> None:
    with FakeOpenAI([text("hello")]) as server:
        ask(server, time)

        assert all(KEY not in body for body in bodies(server))
