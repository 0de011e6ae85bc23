"""When a request is made again, how long that waits, and when it ends."""

from __future__ import annotations

import random
from email.utils import formatdate
from time import time as wall_clock

import pytest

from apg_engine import ModelSpec
from apg_engine.calls import CallStatus
from apg_engine.llm.openai_client import OpenAIModel, Surroundings
from tests.apg_engine.llm.asking import KEY, REQUEST, Time, ask
from tests.fakes.openai_answers import Answer, dropped, raw, status, text
from tests.fakes.openai_server import FakeOpenAI


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
