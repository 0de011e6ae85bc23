"""What endpoints of different makes say when they do not answer, and how they draw it out."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from apg_engine import ModelSpec
from apg_engine.calls import CallStatus, ChatReply, ChatRequest, Message
from apg_engine.llm.openai_client import OpenAIModel, Surroundings
from tests.fakes.openai_answers import Answer, dripping, raw, status, text
from tests.fakes.openai_server import FakeOpenAI

KEY = "sk-secret-0123456789"
REQUEST = ChatRequest((Message("user", "Speak."),), temperature=0.5, max_tokens=64)


def ask(server: FakeOpenAI, **settings: Any) -> ChatReply:
    spec = ModelSpec(kind="openai", name="m", base_url=server.base_url, **settings)
    around = Surroundings(time.monotonic, lambda _: None, random.Random(1))
    return OpenAIModel(spec, key=KEY, surroundings=around).complete(REQUEST, ordinal=1)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"error": "model 'm' not found"}, "HTTP 400: model 'm' not found"),
        ({"object": "error", "message": "no such model"}, "HTTP 400: no such model"),
        ({"detail": "Not Found"}, "HTTP 400: Not Found"),
        (
            {"detail": [{"loc": ["body", "n"], "msg": "too big", "input": "our own words"}]},
            "HTTP 400: body.n: too big",
        ),
        ([{"error": {"message": "an invalid argument"}}], "HTTP 400: an invalid argument"),
        ({"error": {"message": "spent", "code": "x_spent"}}, "HTTP 400: spent (x_spent)"),
        ({"error": {"message": "a\x1b[2J\nb"}}, "HTTP 400: a [2J b"),
        ({}, "HTTP 400: no message"),
    ],
)
def test_a_servers_own_words_reach_the_record(body: Any, told: str) -> None:
    with FakeOpenAI([Answer(body=body, status=400)]) as server:
        assert ask(server).detail == told


def test_the_page_of_a_wrong_address_is_told_without_its_tags() -> None:
    page = b"<html><style>p {}</style><title>Wiki</title><p>Welcome</p></html>"
    with FakeOpenAI([raw(page)]) as server:
        told = ask(server, attempts=1).detail

    assert told == "the body is no chat completion: Wiki Welcome"


@pytest.mark.parametrize(
    "body",
    [
        {"error": "the prompt is greater than the context length"},
        {"error": {"message": "reduce the messages", "code": "context_length_exceeded"}},
        {"error": {"message": "The input token count exceeds the maximum number of tokens"}},
    ],
)
def test_a_context_that_is_too_small_is_known_in_every_shape(body: Any) -> None:
    with FakeOpenAI([Answer(body=body, status=400)]) as server:
        assert ask(server).status is CallStatus.CONTEXT_OVERFLOW
        assert server.calls == 1


def test_an_error_that_comes_with_success_counts_by_the_status_it_names() -> None:
    behind = Answer(body={"error": {"message": "wrong key", "code": 401}})
    with FakeOpenAI([behind]) as server:
        reply = ask(server)

        assert (reply.status, reply.detail) == (CallStatus.BAD_REQUEST, "HTTP 401: wrong key")
        assert server.calls == 1


def test_an_answer_that_broke_off_behind_a_router_is_not_used() -> None:
    with FakeOpenAI([text("half of a", finish="error"), text("whole")]) as server:
        assert ask(server).text == "whole"


def test_no_part_of_a_key_is_left_where_a_long_message_is_cut() -> None:
    for padding in (285, 290, 295):
        with FakeOpenAI([status(401, "x" * padding + KEY)]) as server:
            assert "sk-sec" not in repr(ask(server))


@pytest.mark.parametrize(
    "answer",
    [
        dripping("headers"),
        dripping("body"),
        dripping("body", code=400),
        dripping("body", code=503),
    ],
)
def test_a_server_that_sends_a_byte_at_a_time_does_not_outlast_the_deadline(answer: Answer) -> None:
    started = time.monotonic()
    with FakeOpenAI([answer]) as server:
        reply = ask(server, timeout_seconds=0.4, deadline_seconds=0.6)

    assert reply.status is CallStatus.TIMEOUT
    assert reply.attempts[0].note == "possible double charge; " + reply.detail
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ("<think>Let me see.</think>\n\nThe answer.", "The answer."),
        ("<think>\n</think>The answer.", "The answer."),
        ("Let me see.\n</think>\n\nThe answer.", "The answer."),
        ("<think>It says </think> false end. So</think>The answer.", "The answer."),
        ("Say </think> aloud.", "Say </think> aloud."),
        ("The answer.", "The answer."),
    ],
)
def test_what_a_model_thought_aloud_before_its_answer_is_no_part_of_it(
    content: str, answer: str
) -> None:
    with FakeOpenAI([text(content)]) as server:
        assert ask(server).text == answer


def test_a_model_that_only_thought_has_not_answered() -> None:
    with FakeOpenAI([text("<think>Let me see, the clinic should")]) as server:
        assert ask(server).status is CallStatus.EMPTY
