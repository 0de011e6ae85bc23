"""Each system through its one door, `decide`, with a scripted model or with rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apg_engine.calls import CallStatus, ChatReply, Usage
from apg_engine.debates.budget import ScopeSpentError
from apg_engine.debates.courtroom.casting import cast_build
from apg_engine.debates.courtroom.config import preset_load
from apg_engine.debates.voices import Voice
from apg_engine.errors import ConfigError
from apg_engine.evaluating.advisors import RuleAdvisor
from apg_engine.evaluating.assembly import SYSTEMS, Bench, system_build
from apg_engine.evaluating.claims import BINARY, ClaimsError, Label, LabelledClaim
from apg_engine.evaluating.controls import ClaimOnly, Majority
from apg_engine.evaluating.debaters import ModelArguer, RuleArguer
from apg_engine.evaluating.exhibits import Rationale, Retrieved
from apg_engine.evaluating.opinions import Allowance, EvaluationStoppedError
from apg_engine.evaluating.panels import Panel, Single
from apg_engine.evaluating.stance import Rule, RuleReader
from apg_engine.evaluating.standard_debate import Debaters, StandardDebate
from apg_engine.evaluating.trial import ABLATIONS, Trial
from apg_engine.journal import MemoryJournal
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.spending.prices import prices_packaged
from tests.apg_engine.evaluating.benches import (
    CLAIMS,
    MASKS,
    MOON,
    ZINC,
    advisor,
    calls_of,
    index,
    sitting,
)
from tests.fakes.evaluating import verdict

PRICES = prices_packaged()


def exhibits(count: int = 1) -> Retrieved:
    return Retrieved(index(), count=count)


def panel(*advisors: object, samples: int = 3) -> Panel:
    judges = list(advisors)
    return Panel("vote", judges, exhibits(), BINARY, samples=samples, prices=PRICES)  # type: ignore[arg-type]


def arguer(*script: str | ChatReply) -> ModelArguer:
    return ModelArguer(Voice(ScriptedModel(script, name="debater")))


@pytest.mark.parametrize(
    ("claim", "label"), [(MASKS, Label.SUPPORT), (ZINC, Label.REFUTE), (MOON, None)]
)
def test_rules_read_the_nearest_texts_and_leave_open_what_none_is_about(
    claim: LabelledClaim, label: Label | None
) -> None:
    opinion, calls = calls_of(Single(RuleAdvisor(RuleReader()), exhibits(2), BINARY), claim)
    assert (opinion.label, calls) == (label, 0)
    assert opinion.ending == ("decided" if label else "undecided")


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


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (Rule.NEGATION, "Masks do not help the children in schools."),
        (Rule.DIRECTION, "Masks reduce spread by 40 percent."),
        (Rule.NUMBERS, "Masks increase spread by 70 percent."),
    ],
)
def test_each_rule_turns_a_sentence_against_a_claim(rule: Rule, sentence: str) -> None:
    claim = {
        Rule.NEGATION: "Masks help the children in schools.",
        Rule.DIRECTION: "Masks increase spread by 40 percent.",
        Rule.NUMBERS: "Masks increase spread by 40 percent.",
    }[rule]
    (own,) = RuleReader([rule]).read(claim, [sentence])
    (none,) = RuleReader([]).read(claim, [sentence])
    assert (own.supports, none.refutes) == (0.0, 0.0)
    assert own.refutes == none.supports > 0.5


def test_a_sentence_about_something_else_says_nothing() -> None:
    (stance,) = RuleReader().read(MASKS.claim, ["The moon is not made of cheese."])
    assert (stance.supports, stance.refutes) == (0.0, 0.0)


def test_the_majority_control_says_what_training_claims_are_most() -> None:
    opinion, _ = calls_of(Majority(CLAIMS, BINARY), MASKS)
    assert opinion.label is Label.REFUTE
    assert opinion.confidence == pytest.approx(2 / 3)
    with pytest.raises(ConfigError, match="training"):
        Majority((), BINARY)


def test_the_claim_only_control_reads_the_wording_and_no_evidence() -> None:
    training = [
        LabelledClaim(str(n), f"Herb {n} {'never' if n % 2 else 'always'} works.", BINARY[n % 2])
        for n in range(8)
    ]
    control = ClaimOnly(training, BINARY)
    asked = LabelledClaim("x", "Tea never works.", Label.SUPPORT)
    opinion, calls = calls_of(control, asked)
    assert (opinion.label, calls, opinion.documents) == (Label.REFUTE, 0, 0)
    assert 0.5 < (opinion.confidence or 0) < 1
    with pytest.raises(ConfigError, match="too few"):
        ClaimOnly(training[:1], BINARY)


def test_three_labels_are_judged_by_the_rationale_alone() -> None:
    claim = LabelledClaim("a", MASKS.claim, Label.NOT_ENOUGH, "d1", ("Schools were closed.",))
    opinion, _ = calls_of(Single(RuleAdvisor(RuleReader()), Rationale(), tuple(Label)), claim)
    assert opinion.label is Label.NOT_ENOUGH
    with pytest.raises(ClaimsError, match="masks: rationale"):
        Rationale().find(MASKS)


def test_a_court_tries_a_claim_by_rules() -> None:
    config = preset_load("proclaim", claim="any")
    court = Trial("courtroom", config, cast_build(config, environment={}), index())
    opinion, calls = calls_of(court, ZINC)
    assert (opinion.label, opinion.ending, calls) == (Label.REFUTE, "decided", 0)
    assert len(opinion.votes) == 3
    assert opinion.parts is not None
    assert opinion.premises
    assert opinion.rounds >= 1
    assert opinion.chunks >= opinion.documents >= 1
    assert court.offline


def test_a_court_without_a_verdict_has_no_label_and_no_confidence() -> None:
    config = preset_load("proclaim", claim="any")
    court = Trial("courtroom", config, cast_build(config, environment={}), index())
    opinion, _ = calls_of(court, MOON)
    assert (opinion.label, opinion.confidence, opinion.parts) == (None, None, None)


def bench(**changed: object) -> Bench:
    given = {
        "labels": BINARY,
        "environment": {},
        "prices": PRICES,
        "exhibits": exhibits(),
        "training": CLAIMS,
        "index": index(),
        "court": preset_load("proclaim", claim="any"),
    }
    return Bench(**{**given, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(set(SYSTEMS) - {"self_consistency"}))
def test_every_system_but_self_consistency_runs_offline(name: str) -> None:
    system = system_build(name, bench())
    opinion = system.decide(MASKS, sitting(journal=MemoryJournal()))
    assert system.name == name
    assert system.offline
    assert opinion.ending in {"decided", "undecided"}


def test_each_ablation_takes_one_part_away() -> None:
    whole = dict(system_build("courtroom", bench()).settings)
    for name in set(ABLATIONS) - {"courtroom"}:
        parts = dict(system_build(name, bench()).settings)
        changed = [
            key for key, value in parts["ablations"].items() if value != whole["ablations"][key]
        ]
        assert len(changed) == 1, name


@pytest.mark.parametrize(
    ("name", "changed", "told"),
    [
        ("court", {}, "courtroom, no_rag"),
        ("single", {"exhibits": None}, "--index"),
        ("courtroom", {"index": None}, "--index"),
        ("courtroom", {"labels": tuple(Label)}, "binary"),
    ],
)
def test_a_system_that_cannot_be_built_says_what_it_lacks(
    name: str, changed: dict[str, object], told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        system_build(name, bench(**changed))


@pytest.mark.parametrize("name", sorted(set(SYSTEMS) - {"self_consistency"}))
def test_no_system_looks_at_the_answer_or_at_where_it_stands(name: str) -> None:
    system = system_build(name, bench())
    for claim in CLAIMS:
        other = replace(claim, label=Label.NOT_ENOUGH, document="d9", rationale=("Gone.",))
        assert calls_of(system, claim) == calls_of(system, other)


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
