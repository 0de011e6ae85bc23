"""Answers of a debating model, for the fake endpoint and in a process of its own.

As its own process: `python -m tests.fakes.debating --port 8099 --latency 0.1 --log calls.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.segmentation.segments import segments_find
from tests.fakes.openai_answers import Answer, Body, text
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible


def debating(body: Body) -> Answer:
    """Answer the committee's prompts, and the gate's as `plausible` does."""
    said = answer_write([str(message["content"]) for message in body["messages"]])
    return text(said) if said else plausible(body)


def answer_write(messages: Sequence[str]) -> str:
    """Write a private plan or a turn; empty for any other prompt."""
    system, prompt = messages[0], messages[-1]
    if system.startswith("You plan in private"):
        return json.dumps(_plan(system, rows_of(prompt)))
    if system.startswith("You speak in public"):
        return _turn(rows_of(prompt), _between(system, "speaks for ", ","))
    return ""


def rows_of(prompt: str) -> list[dict[str, Any]]:
    """Read the material of a prompt, one JSON object a line."""
    lines = (line for line in prompt.splitlines() if line.startswith('{"id": '))
    return [json.loads(line) for line in lines]


class DebatingModel:
    """The same as a chat model, for tests without a server; it keeps what it was asked."""

    def __init__(self, name: str = "debating model") -> None:
        self.name = name
        self.requests: list[ChatRequest] = []

    @property
    def identity(self) -> dict[str, Any]:
        return {"kind": "scripted", "name": self.name}

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        self.requests.append(request)
        said = answer_write([message.content for message in request.messages])
        return ChatReply(CallStatus.OK, text=said)


def _plan(system: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    name = _between(system, "for the ", ", one of")
    others = [row for row in rows if row["kind"] == "turn" and row["speaker"] != name]
    target = ""
    if others:
        said = others[-1]["text"]
        first = segments_find(said)[0]
        target = said[first.start : first.end]
    axioms = [row["id"] for row in rows if row["kind"] == "axiom"]
    return {
        "target_claim": target,
        "attack_surface": "resource_tradeoff",
        "intent": "counter",
        "anticipated_counter": "They will ask who pays for the difference in the end.",
        "retrieved_axioms": axioms[:1],
    }


def _turn(rows: list[dict[str, Any]], load: str) -> str:
    # The newest turn is shown longest, so that even in a small context no entry comes twice.
    number = max((int(row["id"][1:]) for row in rows if row["kind"] == "turn"), default=0) + 1
    unit = next(row for row in rows if row["kind"] == "context")["text"]
    measure = "MWh" if "MWh" in unit else "kg" if " kg " in unit else "filter sets"
    subject = load[:1].upper() + load[1:]
    needs = f"{subject} must receive at least 21 {measure}."
    return f"Log entry {1000 + 7 * number} speaks for it. {needs}"


def _between(text: str, before: str, after: str) -> str:
    return text.partition(before)[2].partition(after)[0]


def main(arguments: Sequence[str]) -> None:
    """Serve `debating` answers until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--log", type=Path, default=None)
    options = parser.parse_args(arguments)
    server = FakeOpenAI(debating, latency=options.latency, port=options.port, log=options.log)
    sys.stdout.write(f"listening on {server.base_url}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
