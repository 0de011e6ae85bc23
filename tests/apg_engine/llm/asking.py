"""One request to a fake server, on a clock that only sleeping moves."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from apg_engine import ModelSpec
from apg_engine.calls import ChatReply, ChatRequest, Message
from apg_engine.llm.openai_client import OpenAIModel, Surroundings
from tests.fakes.openai_server import FakeOpenAI

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


def ask(
    server: FakeOpenAI, time: Time, request: ChatRequest = REQUEST, **settings: Any
) -> ChatReply:
    spec = ModelSpec(kind="openai", name="m", base_url=server.base_url, api_key_env="K")
    spec = replace(spec, **{"timeout_seconds": 5.0, **settings})
    around = Surroundings(lambda: time.now, time.sleep, random.Random(1))
    return OpenAIModel(spec, key=KEY, surroundings=around).complete(request, ordinal=1)
