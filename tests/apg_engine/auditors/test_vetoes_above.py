from __future__ import annotations

import json

import pytest

from apg_engine import Label
from apg_engine.auditors.llm import ModelAuditor
from apg_engine.llm.scripted import ScriptedModel
from tests.apg_engine.auditors.auditing import verdict_by

SAID = "The dry pump of the valley draws 9 MW at night."


def judge_citing(*cited: tuple[str, str]) -> ModelAuditor:
    """A model that calls the first sentence supported by what it cites."""
    entry = {
        "id": "s1",
        "verdict": "supported",
        "evidence_for": [{"address": address, "quote": quote} for address, quote in cited],
        "evidence_against": [],
        "reason": "so it says",
    }
    answer = json.dumps({"verdicts": [entry]})
    return ModelAuditor(ScriptedModel((answer,), name="judge"), temperature=0.0, max_tokens=99)


@pytest.mark.parametrize(
    ("claim", "kind", "label"),
    [
        ("The dry pump of the valley draws 90 MW at night.", "number", Label.CONTRADICTED),
        ("At night the dry pump of the valley draws 9 kW.", "unit", Label.CONTRADICTED),
        ("At night the dry pump of the valley never draws 9 MW.", "negation", Label.CONTRADICTED),
        ("At night the dry pump of the valley always draws 9 MW.", "quantifier",
         Label.NOT_ENOUGH_INFORMATION),
    ],
)  # fmt: skip
def test_a_rule_overrules_a_models_support_and_shows_both_spans(
    claim: str, kind: str, label: Label
) -> None:
    verdict = verdict_by(judge_citing(("T1.1", SAID)), claim, SAID)

    assert (verdict.label, verdict.decided_by) == (label, f"veto: {kind}")
    assert verdict.opposing[0].text == SAID
    assert verdict.reason.startswith("judge called it supported, but")


def test_a_wish_that_a_model_takes_for_a_fact_is_overruled() -> None:
    wish = "The dry pump of the valley should draw 9 MW at night."

    verdict = verdict_by(
        judge_citing(("T1.1", wish)), "The dry pump of the valley will draw 9 MW at night.", wish
    )

    assert verdict.decided_by == "veto: modal"
    assert "'will', T1.1 has 'should'" in verdict.reason


def test_a_paraphrase_without_such_a_difference_stays_supported() -> None:
    verdict = verdict_by(
        judge_citing(("T1.1", SAID)), "At night 9 MW go to the dry pump of the valley.", SAID
    )

    assert (verdict.label, verdict.decided_by) == (Label.SUPPORTED, "judge")


def test_a_contested_number_is_not_overruled_by_the_other_sides_sentence() -> None:
    other = "The dry pump of the valley draws 4 MW at night."
    claim = "At night the dry pump of the valley draws 9 MW."

    verdict = verdict_by(judge_citing(("T2.1", other), ("T1.1", SAID)), claim, SAID, other)

    assert verdict.label is Label.SUPPORTED


def test_what_the_record_states_in_so_many_words_is_left_alone() -> None:
    other = "The dry pump of the valley draws 4 MW at night."

    verdict = verdict_by(judge_citing(("T2.1", other)), SAID, SAID, other)

    assert verdict.label is Label.SUPPORTED


def test_a_whole_turn_that_is_cited_is_looked_at_sentence_by_sentence() -> None:
    turn = f"It rains. {SAID} The fan rests."

    verdict = verdict_by(
        judge_citing(("T1", turn)), "The dry pump of the valley draws 90 MW at night.", turn
    )

    assert verdict.decided_by == "veto: number"
    assert verdict.opposing[0].address == "T1.2"
