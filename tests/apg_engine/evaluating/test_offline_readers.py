"""Rules, controls and rationales: what each of them looks at."""

from __future__ import annotations

import pytest

from apg_engine.errors import ConfigError
from apg_engine.evaluating.advisors import RuleAdvisor
from apg_engine.evaluating.claims import BINARY, ClaimsError, Label, LabelledClaim
from apg_engine.evaluating.controls import ClaimOnly, Majority
from apg_engine.evaluating.exhibits import Rationale
from apg_engine.evaluating.panels import Single
from apg_engine.evaluating.stance import Rule, RuleReader
from tests.apg_engine.evaluating.benches import CLAIMS, MASKS, MOON, ZINC, calls_of, exhibits


@pytest.mark.parametrize(
    ("claim", "label"), [(MASKS, Label.SUPPORT), (ZINC, Label.REFUTE), (MOON, None)]
)
def test_rules_read_the_nearest_texts_and_leave_open_what_none_is_about(
    claim: LabelledClaim, label: Label | None
) -> None:
    opinion, calls = calls_of(Single(RuleAdvisor(RuleReader()), exhibits(2), BINARY), claim)
    assert (opinion.label, calls) == (label, 0)
    assert opinion.ending == ("decided" if label else "undecided")


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
