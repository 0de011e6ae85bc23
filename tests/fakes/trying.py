"""Answers of a model in a courtroom, for tests without a server, and for the fake endpoint.

As its own process: `python -m tests.fakes.trying --port 0 --latency 0.5 --log calls.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.debates.courtroom.ballots import DIMENSIONS
from tests.fakes.debating import rows_of
from tests.fakes.openai_answers import Answer, Body, text
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible

Rows = list[dict[str, Any]]
Write = Callable[[Rows, str], str]
_MARKS = {
    "mine": "You prepare a court",
    "query": "Write one query for a search",
    "weigh": "For each item of",
    "prepare": "You plan your next turn in private",
    "refine": "Turn what counsel says it lacks",
    "argue": "say of another",
    "open": "You speak first",
    "grant": "hear a witness",
    "testify": "You are a witness",
    "reflect": "Look back on your own",
    "review": "You watch a court",
    "judge": "one of several judges",
    "judgment": "You write the judgment",
}


def purpose_of(system: str) -> str:
    """Tell what a prompt of the courtroom is for; empty for any other."""
    return next((name for name, mark in _MARKS.items() if mark in system), "")


class TryingModel:
    """A model that plays any role; single purposes can be answered otherwise.

    Attributes:
        requests: everything it was asked, with the purpose.
    """

    def __init__(
        self, name: str = "trying model", **answers: str | ChatReply | Write | Sequence[str]
    ) -> None:
        self.name = name
        self._answers = answers
        self._lock = threading.Lock()
        self._counted: dict[str, int] = {}
        self.requests: list[tuple[str, ChatRequest]] = []

    @property
    def identity(self) -> dict[str, Any]:
        return {"kind": "scripted", "name": self.name}

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        system, prompt = (message.content for message in request.messages)
        purpose = purpose_of(system)
        with self._lock:
            self.requests.append((purpose, request))
            count = self._counted[purpose] = self._counted.get(purpose, 0) + 1
        given = self._answers.get(purpose)
        if isinstance(given, ChatReply):
            return given
        if given is None:
            return ChatReply(CallStatus.OK, text=answer_write(purpose, prompt))
        if isinstance(given, str):
            return ChatReply(CallStatus.OK, text=given)
        if callable(given):
            return ChatReply(CallStatus.OK, text=given(rows_of(prompt), prompt))
        return ChatReply(CallStatus.OK, text=given[min(count, len(given)) - 1])

    def asked(self, purpose: str) -> list[tuple[str, str]]:
        """Give system and user part of what it was asked for a purpose."""
        return [
            (request.messages[0].content, request.messages[1].content)
            for name, request in self.requests
            if name == purpose
        ]


def trying(body: Body) -> Answer:
    """Answer the courtroom's prompts, and the gate's as `plausible` does."""
    system, prompt = (str(message["content"]) for message in body["messages"])
    said = answer_write(purpose_of(system), prompt)
    return text(said) if said else plausible(body)


def answer_write(purpose: str, prompt: str) -> str:
    """Write what a role would; empty for any other prompt."""
    return _ANSWERS[purpose](rows_of(prompt), prompt) if purpose in _ANSWERS else ""


def opinion(
    finding: str, *, cited: Sequence[str] = (), score: float = 7, reason: str = "so"
) -> str:
    """Write a judge's answer."""
    scores = dict.fromkeys(DIMENSIONS, score)
    return json.dumps(
        {"finding": finding, "scores": scores, "cited": list(cited), "reason": reason}
    )


def weights(rows: Rows, relevance: float = 0.9, credibility: float = 0.9) -> str:
    """Weigh every item alike."""
    return json.dumps(
        {
            "weights": [
                {"id": row["id"], "relevance": relevance, "credibility": credibility}
                for row in rows
            ]
        }
    )


def plan(**fields: str) -> str:
    """Write counsel's plan."""
    usual = {
        "gap": "How long the effect lasts is not shown.",
        "position": "hold",
        "motion": "",
        "expert": "no",
        "field": "",
        "question": "",
    }
    return json.dumps(usual | fields)


def _turn(rows: Rows, _: str) -> str:
    number = sum(row["kind"] == "turn" for row in rows) + 1
    exhibits = [row for row in rows if row["kind"] == "document"]
    own = exhibits[number % len(exhibits)] if exhibits else None
    said = f"{first_sentence(own['text'])} [{own['id']}]" if own else "Nothing is on the record."
    return f"{said} Reading {1000 + 13 * number} of tally {number} weighs most here."


def first_sentence(said: str) -> str:
    """Give the first sentence of a text."""
    return said.partition(". ")[0].rstrip(".") + "."


def _judgment(rows: Rows, _: str) -> str:
    turns = [row for row in rows if row["kind"] == "turn"]
    exhibits = [row for row in rows if row["kind"] == "document"]
    carried = [first_sentence(row["text"]) for row in exhibits[:1]]
    return " ".join([turns[-1]["text"], *carried])


def _premises(rows: Rows) -> Rows:
    return [row for row in rows if row["kind"] == "context" and row["id"].startswith("P")]


def _claim(prompt: str) -> str:
    return str(json.loads(prompt.partition("(JSON string): ")[2].partition("\n")[0]))


_ANSWERS: Mapping[str, Write] = {
    "mine": lambda _, prompt: json.dumps({"premises": [_claim(prompt)]}),
    "query": lambda _, prompt: json.dumps({"query": _claim(prompt)}),
    "weigh": lambda rows, _: weights(rows),
    "prepare": lambda *_: plan(),
    "refine": lambda _, prompt: json.dumps({"query": f"{_claim(prompt)} duration"}),
    "argue": _turn,
    "open": _turn,
    "grant": lambda *_: '{"ruling": "granted"}',
    "testify": lambda rows, _: f"The exhibits are to be read with care. [{rows[0]['id']}]",
    "reflect": lambda *_: json.dumps(
        {"logic": 0.8, "novelty": 0.5, "rebuttal": 0.5, "discovery_need": "A longer study."}
    ),
    "review": lambda rows, _: json.dumps(
        {
            "premises": [{"id": row["id"], "state": "open"} for row in _premises(rows)],
            "resolved": "no",
        }
    ),
    "judge": lambda rows, _: opinion(
        "SUPPORT", cited=[row["id"] for row in rows if row["kind"] == "document"][:2]
    ),
    "judgment": _judgment,
}


def main(arguments: Sequence[str]) -> None:
    """Serve `trying` answers until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--log", type=Path, default=None)
    options = parser.parse_args(arguments)
    server = FakeOpenAI(trying, latency=options.latency, port=options.port, log=options.log)
    sys.stdout.write(f"listening on {server.base_url}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
