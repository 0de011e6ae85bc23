"""Plausible answers to the engine's prompts, by the role that asks."""

from __future__ import annotations

import json

from tests.fakes.openai_answers import Answer, Body, text

_PLANS = ("one common", "a joint", "a shared", "a wider", "a last")


def role_of(body: Body) -> str:
    """Tell which of the engine's roles asked."""
    system = str(body["messages"][0]["content"])
    return "auditor" if "check sentences against a record" in system else "proposer"


def plausible(body: Body) -> Answer:
    """Answer the engine's prompts: a fixed draft, and `not_enough_information` for each id.

    The draft's first sentence is the first line of the record, quoted and supported.
    """
    prompt = str(body["messages"][-1]["content"])
    record = [json.loads(line) for line in prompt.splitlines() if line.startswith('{"address"')]
    first = next(row for row in record if len(row["text"]) > 20)
    if role_of(body) == "proposer":
        # Another plan each time, so that the run uses all its pairs.
        known = [place for place, plan in enumerate(_PLANS) if f"back {plan} plan" in prompt]
        advice = _PLANS[min(len(_PLANS) - 1, known[0] + 1)] if known else _PLANS[0]
        return text(f"{first['text']} All parties back {advice} plan. It should start today.")
    sentences = [json.loads(line) for line in prompt.splitlines() if line.startswith('{"id": "s')]
    return text(json.dumps({"verdicts": [_verdict(one, first) for one in sentences]}))


def _verdict(sentence: Body, first: Body) -> Body:
    same = sentence["text"] == first["text"]
    evidence = [{"address": first["address"], "quote": first["text"]}] if same else []
    return {
        "id": sentence["id"],
        "verdict": "supported" if same else "not_enough_information",
        "evidence_for": evidence,
        "evidence_against": [],
        "reason": "stated" if same else "no party says so",
    }
