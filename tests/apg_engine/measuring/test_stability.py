from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from apg_engine import Label, MemoryJournal
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.llm import AUDITOR_PROMPTS, POLISH_PROMPT, REWORDED_PROMPTS, ModelAuditor
from apg_engine.auditors.protocol import Auditor
from apg_engine.auditors.replies import reply_read
from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.journal import CallLedger
from apg_engine.measuring.cases import trace_corpus
from apg_engine.measuring.stability import stability_measure
from apg_engine.prompting import prompt_load
from apg_engine.stages.sentences import draft_sentences
from tests.apg_engine.measuring.judges import RuleJudge
from tests.apg_engine.traces_for_tests import trace_of

DRAFT = "The pump draws 9 MW of power. A fair plan serves everyone."
CORPUS = trace_corpus(trace_of("The pump draws 9 MW of power.", "It rains in the valley today."))


class AskedModel:
    """Answers by a function of the request, and remembers what it was asked."""

    name = "asked"
    identity: dict[str, Any] = {"name": "asked"}

    def __init__(self, verdict: Callable[[str, int], str]) -> None:
        self._verdict = verdict
        self.systems: list[str] = []

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        self.systems.append(request.messages[0].content)
        whole = " ".join(message.content for message in request.messages)
        entry = {"evidence_for": [], "evidence_against": [], "reason": ""}
        said = self._verdict(whole, ordinal)
        answer = [{"id": one, "verdict": said, **entry} for one in ("s1", "s2")]
        return ChatReply(CallStatus.OK, json.dumps({"verdicts": answer}))


def flips_of(auditor: Auditor, *, repeat: int = 3, prompts: int = 3) -> dict[str, tuple[int, int]]:
    found = stability_measure(
        auditor,
        sentences=draft_sentences(DRAFT),
        corpus=CORPUS,
        repeat=repeat,
        prompts=prompts,
        dice=random.Random(1),
        calls=CallLedger(MemoryJournal()),
    )
    return {one.what: (one.changed, one.n) for one in found}


def model(verdict: Callable[[str, int], str]) -> ModelAuditor:
    return ModelAuditor(AskedModel(verdict), temperature=0.0, max_tokens=99)


def test_the_ladder_never_changes_its_mind() -> None:
    assert flips_of(LadderAuditor()) == {"repeat": (0, 4), "order": (0, 2), "padding": (0, 2)}


def test_a_model_that_answers_by_mood_flips_on_repeats() -> None:
    moody = model(lambda _, ordinal: "contradicted" if ordinal % 2 else "undetermined")

    assert flips_of(moody)["repeat"] == (2, 4)


def test_a_model_led_by_words_flips_on_prompt_and_language() -> None:
    led = model(lambda whole, _: "contradicted" if "closed world" in whole else "undetermined")

    assert flips_of(led) == {
        "repeat": (0, 4),
        "order": (0, 2),
        "padding": (0, 2),
        "prompt": (4, 4),
        "language": (2, 2),
    }


def test_a_judge_thrown_by_padding_is_found_out() -> None:
    thrown = RuleJudge(
        lambda _, record: Label.UNDETERMINED if "lighthouse" in record else Label.CONTRADICTED
    )

    assert flips_of(thrown)["padding"] == (2, 2)
    assert flips_of(thrown)["order"] == (0, 2)


def test_one_audit_and_one_prompt_measure_neither_repeats_nor_wordings() -> None:
    kinds = flips_of(model(lambda *_: "undetermined"), repeat=1, prompts=1)

    assert set(kinds) == {"order", "padding", "language"}


@pytest.mark.parametrize("name", [*AUDITOR_PROMPTS, *REWORDED_PROMPTS, POLISH_PROMPT])
def test_the_example_in_each_prompt_is_a_reply_that_can_be_read(name: str) -> None:
    system = prompt_load(name).system
    (example,) = [line for line in system.splitlines() if line.startswith('{"verdicts"')]

    reading = reply_read(example, ["s1", "s2"])

    assert set(reading.judged) == {"s1", "s2"}
    assert not reading.faults


def test_all_prompts_have_the_same_slots() -> None:
    filled = {"agents": "AG", "evidence": "EV", "draft": "DR", "sentences": "SE", "again": "AN",
              "ids": "ID"}  # fmt: skip
    for name in (*AUDITOR_PROMPTS, *REWORDED_PROMPTS, POLISH_PROMPT):
        (_, user) = prompt_load(name).messages(**filled)

        assert all(value in user.content for value in filled.values())
