"""One call and votes: what is a vote, who wins, and what votes may take."""

from __future__ import annotations

import pytest

from apg_engine.calls import CallStatus, ChatReply, Usage
from apg_engine.errors import ConfigError
from apg_engine.evaluating.advisors import RuleAdvisor
from apg_engine.evaluating.claims import BINARY, Label
from apg_engine.evaluating.opinions import Allowance
from apg_engine.evaluating.panels import Panel, Single
from apg_engine.evaluating.stance import RuleReader
from apg_engine.journal import MemoryJournal
from tests.apg_engine.evaluating.benches import MASKS, PRICES, advisor, calls_of, exhibits, sitting
from tests.fakes.evaluating import verdict


def panel(*advisors: object, samples: int = 3) -> Panel:
    judges = list(advisors)
    return Panel("vote", judges, exhibits(), BINARY, samples=samples, prices=PRICES)  # type: ignore[arg-type]


def test_one_call_is_one_vote_with_its_own_confidence() -> None:
    opinion, calls = calls_of(Single(advisor([verdict("REFUTE", 0.9)]), exhibits(2), BINARY), MASKS)
    assert (opinion.label, opinion.confidence, calls) == (Label.REFUTE, 0.9, 1)
    assert (opinion.documents, opinion.chunks, opinion.rounds) == (2, 2, 0)


@pytest.mark.parametrize(
    "said", ["SUPPORT", verdict("MAYBE", 0.5), verdict("SUPPORT", float("nan")), "{}"]
)
def test_what_is_no_verdict_is_no_vote_and_is_asked_for_once_more(said: str) -> None:
    opinion, calls = calls_of(Single(advisor([said, said]), exhibits(), BINARY), MASKS)
    assert (opinion.label, opinion.confidence, opinion.ending, calls) == (None, None, "unparsed", 2)


def test_a_refusal_is_an_ending_and_no_verdict() -> None:
    refused = ChatReply(CallStatus.REFUSED, detail="no")
    opinion, calls = calls_of(Single(advisor([refused]), exhibits(), BINARY), MASKS)
    assert (opinion.label, opinion.ending, calls) == (None, "refused", 1)


def test_not_enough_is_no_finding_where_two_are_asked_for() -> None:
    said = verdict("NOTENOUGHINFO", 0.9)
    two = Single(advisor([said, said]), exhibits(), BINARY)
    three = Single(advisor([said]), exhibits(), tuple(Label))
    assert calls_of(two, MASKS)[0].ending == "unparsed"
    assert calls_of(three, MASKS)[0].label is Label.NOT_ENOUGH


def test_a_majority_decides_and_a_tie_does_not() -> None:
    yes, no = verdict("SUPPORT", 0.6), verdict("REFUTE", 0.9)
    won, _ = calls_of(panel(advisor([yes, no, yes])), MASKS)
    tied, _ = calls_of(panel(advisor([yes, no]), samples=2), MASKS)
    assert won.label is Label.SUPPORT
    assert won.confidence == pytest.approx(2 / 3)
    assert (tied.label, tied.confidence, tied.ending) == (None, None, "undecided")


def test_a_broken_vote_does_not_count() -> None:
    script = [verdict("SUPPORT", 0.6), "?", "?", verdict("SUPPORT", 0.7)]
    opinion, _ = calls_of(panel(advisor(script)), MASKS)
    assert [vote.status for vote in opinion.votes] == ["voted", "unparsed", "voted"]
    assert (opinion.label, opinion.confidence) == (Label.SUPPORT, 1.0)


def test_a_vote_takes_no_more_calls_than_it_is_allowed() -> None:
    judge = advisor([verdict("SUPPORT", 0.6)] * 9)
    opinion = panel(judge).decide(MASKS, sitting(allowance=Allowance(calls=7)))
    assert len(opinion.votes) == 7


def test_where_tokens_are_told_a_vote_takes_no_more_of_them() -> None:
    reply = ChatReply(CallStatus.OK, text=verdict("SUPPORT", 0.6), usage=Usage(80, 20))
    opinion = panel(advisor([reply] * 9)).decide(
        MASKS, sitting(allowance=Allowance(calls=8, tokens=450))
    )
    assert len(opinion.votes) == 4


def test_one_vote_is_always_made() -> None:
    opinion = panel(advisor([verdict("SUPPORT", 0.6)])).decide(
        MASKS, sitting(allowance=Allowance(calls=0, tokens=0))
    )
    assert len(opinion.votes) == 1


def test_rules_cannot_be_sampled() -> None:
    with pytest.raises(ConfigError, match="always answers the same"):
        panel(RuleAdvisor(RuleReader()))
    with pytest.raises(ConfigError, match="1 to 99"):
        panel(advisor([]), samples=0)


def test_no_allowance_is_larger_than_99_votes() -> None:
    judge = advisor([verdict("SUPPORT", 0.6)] * 120)
    opinion = panel(judge).decide(MASKS, sitting(allowance=Allowance(calls=500)))
    assert len(opinion.votes) == 99


def test_a_vote_that_was_recorded_is_counted_and_not_made_again() -> None:
    journal = MemoryJournal()
    answers = [verdict("SUPPORT", 0.6)] * 3
    first = panel(advisor(answers)).decide(MASKS, sitting(journal=journal))
    silent = ChatReply(CallStatus.UNAVAILABLE)
    again = panel(advisor([silent] * 9)).decide(MASKS, sitting(journal=journal))
    assert again == first
