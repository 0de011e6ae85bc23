from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from email.utils import formatdate
from time import time as wall_clock
from typing import Any

import pytest

from apg_engine import ModelSpec
from apg_engine.calls import CallStatus, ChatReply, ChatRequest, Message
from apg_engine.llm.openai_client import OpenAIModel, Surroundings
from apg_engine.prompting import audit_schema
from tests.fakes.openai_server import (
    Answer,
    Body,
    FakeOpenAI,
    dropped,
    raw,
    refusal,
    status,
    text,
)

KEY = "sk-secret-0123456789"
REQUEST = ChatRequest((Message("user", "Speak."),), temperature=0.5, max_tokens=64)


class Time:
    """A clock that only sleeping moves, so that tests wait for nothing."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time()


def ask(
    server: FakeOpenAI, time: Time, request: ChatRequest = REQUEST, **settings: Any
) -> ChatReply:
    spec = ModelSpec(kind="openai", name="m", base_url=server.base_url, api_key_env="K")
    spec = replace(spec, **{"timeout_seconds": 5.0, **settings})
    around = Surroundings(lambda: time.now, time.sleep, random.Random(1))
    return OpenAIModel(spec, key=KEY, surroundings=around).complete(request, ordinal=1)


def test_an_answer_comes_back_with_its_usage(time: Time) -> None:
    with FakeOpenAI([text("hello")]) as server:
        reply = ask(server, time)

        assert (reply.status, reply.text) == (CallStatus.OK, "hello")
        assert reply.usage.completion_tokens == 50
        assert [attempt.status for attempt in reply.attempts] == ["ok"]
        sent = server.requests[0]
        assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("m", 0.5, 64)
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_burst_of_429_is_waited_out_and_every_try_is_recorded(time: Time) -> None:
    with FakeOpenAI([status(429)] * 3 + [text("hello")]) as server:
        reply = ask(server, time)

        assert reply.status is CallStatus.OK
        assert [attempt.http_status for attempt in reply.attempts] == [429, 429, 429, 200]
        waits = [attempt.waited_seconds for attempt in reply.attempts]
        assert waits == [round(seconds, 3) for seconds in time.slept] + [0.0]
        assert waits[0] < waits[1] < waits[2]


def test_the_server_says_how_long_to_wait_and_jitter_only_adds(time: Time) -> None:
    with FakeOpenAI([status(429, retry_after=7), text("hello")]) as server:
        reply = ask(server, time)

        assert reply.status is CallStatus.OK
        assert 7 <= time.slept[0] <= 7.7


def test_a_retry_after_given_as_a_date_counts_from_the_servers_own_clock(time: Time) -> None:
    # The fake server dates its answers itself, with the true time.
    until = formatdate(wall_clock() + 3600, usegmt=True)
    busy = Answer(body={"error": {}}, status=503, headers={"Retry-After": until})
    with FakeOpenAI([busy, text("hi")]) as server:
        assert ask(server, time, deadline_seconds=9_000.0).status is CallStatus.OK
        assert 3_500 <= time.slept[0] <= 3_970


@pytest.mark.parametrize("value", ["-3", "soon", "inf", "Wed, 99 Oct 2026 07:28:00 GMT"])
def test_a_retry_after_that_is_no_time_is_not_followed(value: str, time: Time) -> None:
    answer = Answer(body={"error": {}}, status=503, headers={"Retry-After": value})
    with FakeOpenAI([answer, text("hello")]) as server:
        assert ask(server, time).status is CallStatus.OK
        assert 0 < time.slept[0] <= 1


@pytest.mark.parametrize("code", [500, 502, 503, 529, 408, 409])
def test_a_passing_fault_of_the_server_is_tried_again(code: int, time: Time) -> None:
    with FakeOpenAI([status(code), text("hello")]) as server:
        assert ask(server, time).status is CallStatus.OK
        assert server.calls == 2


def test_a_server_that_never_recovers_ends_the_call(time: Time) -> None:
    with FakeOpenAI([status(500)]) as server:
        reply = ask(server, time, attempts=3)

        assert reply.status is CallStatus.UNAVAILABLE
        assert server.calls == len(reply.attempts) == 3


def test_a_deadline_ends_waiting_before_it_is_passed(time: Time) -> None:
    with FakeOpenAI([status(429, retry_after=50)]) as server:
        reply = ask(server, time, deadline_seconds=60.0)

        assert reply.status is CallStatus.UNAVAILABLE
        assert server.calls == 2
        assert time.now < 60


@pytest.mark.parametrize("after_headers", [False, True])
def test_a_dropped_connection_is_tried_again_and_may_be_charged_twice(
    after_headers: bool, time: Time
) -> None:
    with FakeOpenAI([dropped(after_headers=after_headers), text("hello")]) as server:
        reply = ask(server, time)

        assert reply.status is CallStatus.OK
        assert "possible double charge" in reply.attempts[0].note


def test_an_address_where_nobody_listens_is_not_charged(time: Time) -> None:
    with FakeOpenAI([text("x")]) as server:
        gone = server.base_url
    spec = ModelSpec(kind="openai", name="m", base_url=gone, attempts=2, timeout_seconds=2.0)
    around = Surroundings(lambda: time.now, time.sleep, random.Random(1))

    reply = OpenAIModel(spec, key=KEY, surroundings=around).complete(REQUEST, ordinal=1)

    assert reply.status is CallStatus.UNAVAILABLE
    assert "double charge" not in reply.attempts[0].note


def test_a_slow_answer_times_out(time: Time) -> None:
    with FakeOpenAI([text("late", delay=1.0)]) as server:
        reply = ask(server, time, timeout_seconds=0.1, attempts=2)

        assert reply.status is CallStatus.TIMEOUT
        assert len(reply.attempts) == 2


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


def picky(field: str, message: str) -> Any:
    def answer(body: Body) -> Answer:
        return status(400, message) if field in body else text("hello")

    return answer


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("temperature", "Unsupported value: 'temperature' does not support 0.5"),
        ("response_format", "response_format json_schema is not supported"),
        ("max_tokens", "Unsupported parameter: use max_completion_tokens instead"),
    ],
)
def test_what_a_server_does_not_take_is_left_out_and_recorded(
    field: str, message: str, time: Time
) -> None:
    request = replace(REQUEST, schema=audit_schema(), schema_name="audit_reply")
    with FakeOpenAI(picky(field, message)) as server:
        reply = ask(server, time, request)

        assert reply.status is CallStatus.OK
        assert field in server.requests[0]
        assert field not in server.requests[1]
        assert reply.attempts[-1].note
        assert time.slept in ([], [0.0])


def test_a_bad_request_is_not_repeated(time: Time) -> None:
    with FakeOpenAI([status(400, "no such thing")]) as server:
        assert ask(server, time).status is CallStatus.BAD_REQUEST
        assert server.calls == 1


def test_a_complaint_that_leaving_out_does_not_mend_ends_the_call(time: Time) -> None:
    with FakeOpenAI([status(400, "temperature is odd")]) as server:
        assert ask(server, time).status is CallStatus.BAD_REQUEST
        assert server.calls == 2


@pytest.mark.parametrize("code", [401, 403, 404])
def test_a_wrong_key_or_name_is_not_repeated_and_the_key_is_never_shown(
    code: int, time: Time
) -> None:
    with FakeOpenAI([status(code, f"Incorrect API key provided: {KEY}")]) as server:
        reply = ask(server, time)

        assert reply.status is CallStatus.BAD_REQUEST
        assert server.calls == 1
        assert KEY not in repr(reply)


def test_a_spent_quota_is_not_waited_for(time: Time) -> None:
    with FakeOpenAI([status(429, "insufficient_quota: check your plan")]) as server:
        assert ask(server, time).status is CallStatus.UNAVAILABLE
        assert server.calls == 1


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (400, "This model's maximum context length is 4096 tokens"),
        (413, "too large"),
        (400, "the request exceeds the available context size"),
    ],
)
def test_a_context_that_is_too_small_is_typed(code: int, message: str, time: Time) -> None:
    with FakeOpenAI([status(code, message)]) as server:
        assert ask(server, time).status is CallStatus.CONTEXT_OVERFLOW
        assert server.calls == 1


def test_a_server_that_cut_the_prompt_in_silence_is_caught(time: Time) -> None:
    long = replace(REQUEST, messages=(Message("user", "word " * 20_000),))
    with FakeOpenAI([text("hello")], context_tokens=4096) as server:
        assert ask(server, time, long).status is CallStatus.PROMPT_CUT


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": null}]}',
        b"[]",
        b"\xff",
    ],
)
def test_a_body_that_is_no_completion_is_tried_again(data: bytes, time: Time) -> None:
    with FakeOpenAI([raw(data), text("hello")]) as server:
        assert ask(server, time).status is CallStatus.OK


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
