from __future__ import annotations

import random

from apg_engine import Label, MemoryJournal
from apg_engine.journal import CallLedger
from apg_engine.measuring.cases import Case, Truth, evidence_corpus, evidence_shuffle
from apg_engine.measuring.claim_only import claim_only_tally
from apg_engine.measuring.judging import cases_judge, contradiction_tally, support_tally
from tests.apg_engine.measuring.judges import RuleJudge


def cases_of(rows: list[tuple[str, str, Truth]]) -> list[Case]:
    return [
        Case(f"c{n}", claim, evidence_corpus([evidence]), truth, group=f"g{n}")
        for n, (claim, evidence, truth) in enumerate(rows)
    ]


def reads(claim: str, evidence: str) -> Label:
    return Label.SUPPORTED if claim in evidence else Label.NOT_ENOUGH_INFORMATION


ROWS = [
    ("The pump runs.", "The pump runs.", Truth.SUPPORTED),
    ("The fan runs.", "The fan rests.", Truth.REFUTED),
    ("The belt runs.", "The belt runs.", Truth.NOT_ENOUGH),
]


def test_support_is_counted_over_all_cases_and_a_veto_over_the_decided_ones() -> None:
    judge_ = RuleJudge(reads)
    judged = cases_judge(cases_of(ROWS), auditor=judge_, calls=CallLedger(MemoryJournal()))

    support = support_tally(judged)
    veto = contradiction_tally(judged)

    assert (support.true_positives, support.positives) == (1, 1)
    assert (support.false_positives, support.negatives) == (1, 2)
    assert (veto.positives, veto.negatives) == (1, 1)


def test_an_abstention_is_not_decided_and_not_supported() -> None:
    judge_ = RuleJudge(lambda *_: Label.UNDETERMINED)
    judged = cases_judge(cases_of(ROWS), auditor=judge_, calls=CallLedger(MemoryJournal()))

    tally = support_tally(judged)

    assert (tally.decided, tally.true_positives, tally.false_positives) == (0, 0, 0)
    assert tally.precision.value is None


def test_supported_without_a_quote_at_its_address_does_not_count() -> None:
    case = Case("c", "The pump runs.", evidence_corpus([]), Truth.SUPPORTED, group="g")
    judge_ = RuleJudge(lambda *_: Label.SUPPORTED)

    judged = cases_judge([case], auditor=judge_, calls=CallLedger(MemoryJournal()))

    assert support_tally(judged).true_positives == 0


def test_the_claims_of_one_corpus_go_to_the_auditor_together() -> None:
    corpus = evidence_corpus(["The pump runs. The fan rests."])
    cases = [Case(f"c{n}", f"Claim {n}.", corpus, Truth.REFUTED, "g") for n in range(4)]
    done: list[int] = []

    cases_judge(
        cases,
        auditor=RuleJudge(reads),
        calls=CallLedger(MemoryJournal()),
        on_progress=done.append,
    )

    assert done == [4]


def test_shuffled_evidence_comes_from_another_group() -> None:
    shared = evidence_corpus(["The pump runs."])
    cases = [
        Case("a", "The pump runs.", shared, Truth.SUPPORTED, "one"),
        Case("b", "The pump rests.", shared, Truth.REFUTED, "one"),
        Case("c", "The fan runs.", evidence_corpus(["The fan runs."]), Truth.SUPPORTED, "two"),
    ]

    shuffled = {case.id: case for case in evidence_shuffle(cases, dice=random.Random(3))}

    for case in cases:
        assert shuffled[case.id].corpus is not case.corpus
        assert shuffled[case.id].claim == case.claim


def test_one_group_alone_is_shuffled_to_no_evidence() -> None:
    corpus = evidence_corpus(["The pump runs."])
    cases = [Case(name, "The pump runs.", corpus, Truth.SUPPORTED, "one") for name in "ab"]

    assert all(not case.corpus.items for case in evidence_shuffle(cases, dice=random.Random(1)))


def test_the_claim_only_control_finds_a_giveaway_word_and_nothing_else() -> None:
    telling = [(f"It is surely so {n}.", "x", Truth.SUPPORTED) for n in range(60)]
    telling += [(f"It is never so {n}.", "x", Truth.REFUTED) for n in range(60)]
    dice = random.Random(5)
    mute = [
        (f"Claim {dice.randrange(9)} holds.", "x", dice.choice((Truth.SUPPORTED, Truth.REFUTED)))
        for _ in range(200)
    ]

    given_away = claim_only_tally(cases_of(telling)).balanced_accuracy
    nothing = claim_only_tally(cases_of(mute)).balanced_accuracy

    assert given_away is not None
    assert nothing is not None
    assert given_away > 0.95
    assert abs(nothing - 0.5) < 0.12


def test_the_claim_only_control_never_learns_from_the_claims_own_source() -> None:
    # Every word is new to every other group, so there is nothing to learn; leaking folds would
    # make each claim know its twin.
    cases = [
        Case(f"{n}{twin}", f"word{n} item{n}", evidence_corpus(["x"]), truth, group=f"g{n}")
        for n in range(40)
        for twin in "ab"
        for truth in [Truth.SUPPORTED if n % 2 else Truth.REFUTED]
    ]

    found = claim_only_tally(cases).balanced_accuracy

    assert found is not None
    assert found < 0.6


def test_the_claim_only_control_is_not_carried_away_by_the_larger_class() -> None:
    dice = random.Random(2)
    rare = [(f"Claim {dice.randrange(20)} holds.", "x", Truth.SUPPORTED) for _ in range(80)]
    many = [(f"Claim {dice.randrange(20)} holds.", "x", Truth.REFUTED) for _ in range(320)]

    tally = claim_only_tally(cases_of([*rare, *many]))

    assert tally.balanced_accuracy is not None
    assert abs(tally.balanced_accuracy - 0.5) < 0.12


def test_the_claim_only_control_can_learn_from_other_cases() -> None:
    training = [(f"It is surely so {n}.", "x", Truth.SUPPORTED) for n in range(40)]
    training += [(f"It is never so {n}.", "x", Truth.REFUTED) for n in range(40)]
    asked = [("Surely it rains.", "x", Truth.SUPPORTED), ("Never.", "x", Truth.REFUTED)]

    tally = claim_only_tally(cases_of(asked), training=cases_of(training))

    assert (tally.true_positives, tally.false_positives) == (1, 0)
