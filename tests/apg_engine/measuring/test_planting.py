from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from apg_engine import Label, MemoryJournal, Trace, import_trace
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.journal import CallLedger
from apg_engine.measuring.cases import Case, Truth
from apg_engine.measuring.judging import cases_judge
from apg_engine.measuring.planting.building import kinds_of, planted_cases
from apg_engine.measuring.planting.faults import (
    FAULTS,
    broadening,
    condition_drop,
    date_change,
    number_change,
)
from apg_engine.measuring.planting.plot import Plot
from apg_engine.measuring.planting.quotes import QUOTES
from tests.apg_engine.traces_for_tests import trace_of

ROOT = Path(__file__).resolve().parents[3]
BEDS = [
    *sorted((ROOT / "fixtures" / "debates").glob("*.json")),
    *sorted((ROOT / "tests" / "apg_engine" / "debates").glob("*.json")),
]


@cache
def planted_in(path: Path) -> tuple[Case, ...]:
    return planted(import_trace(path.read_bytes(), file_name=path.name))


def planted(trace: Trace, seed: int = 1) -> tuple[Case, ...]:
    return planted_cases(trace, dice=random.Random(seed))


def plain(text: str) -> str:
    words = "".join(c if c.isalnum() else " " for c in text.casefold()).split()
    return f" {' '.join(words)} "


@pytest.mark.parametrize("path", BEDS, ids=lambda path: path.stem)
def test_every_quote_stands_in_the_debate_and_no_fault_does(path: Path) -> None:
    cases = planted_in(path)
    record = [plain(item.text) for item in cases[0].corpus.items]

    for case in cases:
        stated = any(plain(case.claim) in text for text in record)
        if case.kind == "quote":
            assert stated, case.claim
        # A dropped condition leaves a part of the source, which is the fault.
        elif not case.is_supported and case.kind != "condition":
            assert not stated, case.claim


def test_the_demo_debates_hold_every_kind() -> None:
    kinds = {kind for path in BEDS[:2] for kind in kinds_of(planted_in(path))}

    assert set(FAULTS) | set(QUOTES) <= kinds
    assert {"near: attributed", "speaker", "agreement", "bridge"} <= kinds


def test_one_seed_plants_one_set() -> None:
    trace = import_trace(BEDS[3].read_bytes(), file_name=BEDS[3].name)

    assert [c.claim for c in planted(trace)] == [c.claim for c in planted(trace)]
    assert [c.claim for c in planted(trace)] != [c.claim for c in planted(trace, seed=2)]


def test_claims_and_ids_are_distinct() -> None:
    cases = planted_in(BEDS[1])

    assert len({case.claim for case in cases}) == len({case.id for case in cases}) == len(cases)


def test_private_traces_are_not_planted() -> None:
    unsaid = "The board would settle for twenty megawatts in the end."
    trace = trace_of("The pump of the valley draws 9 MW.", "It rains.", private=(unsaid,))

    assert not any("settle" in case.claim for case in planted(trace))


def test_a_fault_that_the_debate_states_elsewhere_is_left_out() -> None:
    said = "The dry pump of the valley draws 9 MW at night."
    denied = "The dry pump of the valley does not draw 9 MW at night."
    numbers = [
        f"The dry pump of the valley draws {n} MW at night." for n in range(1, 100) if n != 9
    ]

    claims = [c.claim for c in planted(trace_of(said, denied)) if not c.is_supported]
    assert claims
    assert denied not in claims
    every = planted(trace_of(said, " ".join(numbers)))
    assert not [c.claim for c in every if c.claim in numbers and not c.is_supported]


def test_one_partys_claim_is_told_as_agreement_only_where_another_is_silent() -> None:
    said = "The dry pump of the valley draws 9 MW at night."
    kinds = {case.kind for case in planted(trace_of(said, said))}

    assert not {"agreement", "speaker"} & kinds
    assert "agreement" in {case.kind for case in planted(trace_of(said, "It rains a lot today."))}


def test_what_goes_beyond_the_record_is_not_called_refuted() -> None:
    truths = {case.kind: case.truth for path in BEDS for case in planted_in(path)}

    assert truths["number"] is truths["speaker"] is Truth.REFUTED
    assert truths["bridge"] is truths["agreement"] is truths["broadened"] is Truth.NOT_ENOUGH


class TestAChangedNumberDoesNotFollow:
    """At least 42 follows from at least 60: such a change would be no fault."""

    @pytest.mark.parametrize(
        ("text", "larger"),
        [
            ("The mill must receive at least 42 metres of panels.", True),
            ("The mill may use up to 42 metres of panels.", False),
            ("The mill cannot run with less than 42 metres of panels.", True),
            ("The mill must not take more than 42 metres of panels.", False),
        ],
    )
    def test_in_either_direction(self, text: str, larger: bool) -> None:
        for seed in range(20):
            (changed,) = number_change(Plot(text, random.Random(seed)))
            number = int("".join(c for c in changed if c.isdigit()))
            assert (number > 42) is larger


def test_dates_conditions_and_restrictions_are_changed_readably() -> None:
    dice = random.Random(1)

    (day,) = date_change(Plot("The line returns on Thursday.", dice))
    assert day.startswith("The line returns on ")
    assert "Thursday" not in day
    assert condition_drop(Plot("The valve stays shut unless the level falls.", dice)) == [
        "The valve stays shut."
    ]
    assert condition_drop(Plot("If the level falls, the crew opens the valve.", dice)) == [
        "The crew opens the valve."
    ]
    assert broadening(Plot("All planned operations can wait.", dice)) == [
        "All operations can wait."
    ]


@pytest.mark.timeout(60)
def test_the_ladder_catches_what_is_planted_and_lets_quotes_pass() -> None:
    cases = [case for path in BEDS[:2] for case in planted_in(path)]

    judged = cases_judge(cases, auditor=LadderAuditor(), calls=CallLedger(MemoryJournal()))
    wrong = [j for j in judged if (j.verdict.label is Label.SUPPORTED) is not j.case.is_supported]
    missed = [j for j in wrong if not j.case.is_supported]
    refused = [j for j in wrong if j.case.is_supported]

    assert len(missed) <= 0.05 * sum(not case.is_supported for case in cases), missed
    assert len(refused) <= 0.05 * sum(case.is_supported for case in cases), refused
