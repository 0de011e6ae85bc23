from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from apg_engine import ModelSpec
from apg_engine.calls import CallStatus, ChatReply, ChatRequest, Message
from apg_engine.llm.endpoint_pace import EndpointPaces
from apg_engine.models import chat_model_build
from tests.fakes.openai_answers import Answer, status, text
from tests.fakes.openai_server import FakeOpenAI

REQUEST = ChatRequest((Message("user", "hello"),), temperature=0.0, max_tokens=9)


class Time:
    """A clock that moves only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def taken(paces: EndpointPaces, time_: Time, until: float = 1e9, endpoint: str = "a") -> None:
    paces.take(endpoint, until=until, clock=lambda: time_.now, sleep=time_.sleep)


def test_nobody_waits_for_an_endpoint_that_never_asked() -> None:
    paces, time_ = EndpointPaces(), Time()
    for _ in range(3):
        taken(paces, time_)
    paces.slow("another", 5, now=100)
    taken(paces, time_)

    assert time_.slept == []


def test_callers_of_one_endpoint_are_spaced_as_it_asked() -> None:
    paces, time_ = EndpointPaces(), Time()
    paces.slow("a", 2, now=100)
    for _ in range(4):
        taken(paces, time_)

    assert time_.slept == [2.0, 4.0, 6.0]


def test_answers_ease_the_pace_until_it_is_gone() -> None:
    paces, time_ = EndpointPaces(), Time()
    paces.slow("a", 2, now=100)
    for _ in range(8):
        paces.ease("a", now=100)
    for _ in range(3):
        taken(paces, time_)

    assert time_.slept == []


def test_nobody_waits_beyond_their_own_deadline() -> None:
    paces, time_ = EndpointPaces(), Time()
    paces.slow("a", 30, now=100)
    taken(paces, time_)
    taken(paces, time_, until=105)

    assert time_.slept == [5.0]


class Narrow:
    """A server that answers one request in a while and sends the others away."""

    def __init__(self, gap: float) -> None:
        self._gap, self._lock, self._free_at = gap, threading.Lock(), 0.0
        self.refused = 0

    def __call__(self, body: dict[str, Any]) -> Answer:
        with self._lock:
            now = time.monotonic()
            if now < self._free_at:
                self.refused += 1
                return status(429, "too many requests", retry_after=self._gap)
            self._free_at = now + self._gap
            return text("hello")


def test_ten_workers_at_a_narrow_server_are_paced_and_all_get_through() -> None:
    narrow = Narrow(0.1)
    with FakeOpenAI(narrow) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url, attempts=8)

        def ask(_: int) -> ChatReply:
            return chat_model_build(spec, "auditor", {}).complete(REQUEST, ordinal=1)

        with ThreadPoolExecutor(10) as pool:
            replies = list(pool.map(ask, range(10)))

        assert {reply.status for reply in replies} == {CallStatus.OK}
        # Without a shared pace ten workers come back as one, and 9 + 8 + ... + 1 = 45 are refused.
        assert narrow.refused <= 30
