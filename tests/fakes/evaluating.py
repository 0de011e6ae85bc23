"""Answers of a model that is evaluated, for the fake endpoint and in a process of its own.

As its own process: `python -m tests.fakes.evaluating --port 0 --latency 0.05 --log calls.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.fakes.debating import rows_of
from tests.fakes.openai_answers import Answer, Body, text
from tests.fakes.openai_server import FakeOpenAI


def evaluated(body: Body) -> Answer:
    """Argue in a debate; find that texts support a claim unless one of them has the word 'not'."""
    system, prompt = (str(message["content"]) for message in body["messages"][:2])
    rows = rows_of(prompt)
    if system.startswith("You take part in a debate"):
        number = 100 + 7 * sum(row["kind"] == "turn" for row in rows)
        return text(f"Text [{rows[0]['id']}] bears on it, with {number} cases.")
    refuted = any(" not " in row["text"] for row in rows if row["kind"] == "document")
    found = "REFUTE" if refuted else "SUPPORT"
    return text(verdict(found, 0.8, cited=[rows[0]["id"]]))


def verdict(finding: str, confidence: float, *, cited: Sequence[str] = ()) -> str:
    """A judge's whole answer."""
    return json.dumps(
        {"finding": finding, "confidence": confidence, "cited": list(cited), "reason": "read"}
    )


def main(arguments: Sequence[str]) -> None:
    """Serve `evaluated` answers until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--log", type=Path, default=None)
    options = parser.parse_args(arguments)
    server = FakeOpenAI(evaluated, latency=options.latency, port=options.port, log=options.log)
    sys.stdout.write(f"listening on {server.base_url}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
