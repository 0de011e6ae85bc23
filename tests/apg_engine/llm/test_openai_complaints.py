"""What a server does not take: fields, keys, names, quotas and long prompts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apg_engine.calls import CallStatus, Message
from apg_engine.prompting import audit_schema
from tests.apg_engine.llm.asking import KEY, REQUEST, Time, ask
from tests.fakes.openai_answers import Answer, Body, status, text
from tests.fakes.openai_server import FakeOpenAI


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
