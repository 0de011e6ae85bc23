"""The standard debate: both sides, one judge, and what ends it."""

from __future__ import annotations

import pytest

from apg_engine.calls import CallStatus, ChatReply
from apg_engine.debates.budget import ScopeSpentError
from apg_engine.debates.voices import Voice
from apg_engine.errors import ConfigError
from apg_engine.evaluating.advisors import RuleAdvisor
from apg_engine.evaluating.claims import BINARY, Label
from apg_engine.evaluating.debaters import ModelArguer, RuleArguer
from apg_engine.evaluating.opinions import EvaluationStoppedError
from apg_engine.evaluating.panels import Single
from apg_engine.evaluating.stance import RuleReader
from apg_engine.evaluating.standard_debate import Debaters, StandardDebate
from apg_engine.llm.scripted import ScriptedModel
from tests.apg_engine.evaluating.benches import MASKS, ZINC, advisor, calls_of, exhibits, sitting
from tests.fakes.evaluating import verdict


def arguer(*script: str | ChatReply) -> ModelArguer:
    return ModelArguer(Voice(ScriptedModel(script, name="debater")))


def test_a_debate_has_both_sides_in_each_round_and_one_judge() -> None:
    turns = [f"There were {n} cases." for n in (10, 20, 30)]
    speakers = Debaters(arguer(*turns), arguer(*reversed(turns)), advisor([verdict("REFUTE", 1)]))
    opinion, calls = calls_of(StandardDebate(speakers, exhibits(2), BINARY, rounds=2), MASKS)
    assert (opinion.label, opinion.rounds, calls) == (Label.REFUTE, 2, 5)
    assert opinion.documents == 2


def test_a_debate_that_fails_is_not_judged() -> None:
    down = ChatReply(CallStatus.UNAVAILABLE, detail="connection refused")
    speakers = Debaters(arguer("There were 10 cases."), arguer(down), advisor([]))
    opinion, _ = calls_of(StandardDebate(speakers, exhibits(), BINARY), MASKS)
    assert (opinion.label, opinion.ending, opinion.votes) == (None, "unavailable", ())


def test_a_spent_budget_gives_no_opinion() -> None:
    speakers = Debaters(arguer("There were 10 cases."), arguer("No."), advisor([]))
    debate = StandardDebate(speakers, exhibits(), BINARY)
    with pytest.raises(EvaluationStoppedError):
        debate.decide(MASKS, sitting(calls=1))
    with pytest.raises(ScopeSpentError):
        Single(advisor([]), exhibits(), BINARY).decide(MASKS, sitting(calls=0))


def test_rules_debate_by_quoting_and_the_debate_ends_when_nothing_is_left() -> None:
    reader = RuleReader()
    speakers = Debaters(RuleArguer(reader), RuleArguer(reader), RuleAdvisor(reader))
    opinion, calls = calls_of(StandardDebate(speakers, exhibits(2), BINARY, rounds=9), ZINC)
    assert (opinion.label, calls) == (Label.REFUTE, 0)
    assert 1 <= opinion.rounds < 9


def test_a_debate_needs_rounds() -> None:
    speakers = Debaters(arguer(), arguer(), advisor([]))
    with pytest.raises(ConfigError, match="1 to 30"):
        StandardDebate(speakers, exhibits(), BINARY, rounds=0)
