"""The gate inside the debate: a turn's factual claims against the record so far."""

from __future__ import annotations

import json

import pytest

from apg_engine import MemoryJournal, ModelSpec
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.debates.committee.allocations import (
    arithmetic_holds,
    plan_in,
    request_in,
)
from apg_engine.debates.committee.config import ShockPlan
from apg_engine.debates.committee.holding import Cast, cast_build
from apg_engine.debates.committee.knowledge import MODULES
from apg_engine.debates.committee.model_debater import ModelDebater
from apg_engine.debates.committee.scenario import scenario_load
from apg_engine.debates.enforcement import Enforcement, record_corpus, turn_findings
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Party
from apg_engine.debates.voices import Voice
from apg_engine.journal import CallLedger
from apg_engine.records import ItemKind, Label
from tests.apg_engine.debates.committee.sessions import (
    Interrupted,
    hold,
    offline,
    setting,
    spoken,
)
from tests.fakes.debating import DebatingModel

RING = Party("continuity", "Continuity Module")
CARE = Party("protection", "Protection Module")
RECORD = (
    Piece(ItemKind.CONTEXT, "C1", "Only 60 MWh remain in the store until the cable is repaired."),
    Piece(ItemKind.TURN, "T1", "The warm houses shelter 4,300 people.", "Protection Module"),
    Piece(ItemKind.AXIOM, "continuity:f1", "The control ring keeps nine substations in step."),
)


def findings(text: str) -> list[tuple[str, Label]]:
    found = turn_findings(
        text,
        corpus=record_corpus(RECORD, (RING, CARE)),
        speaker=RING,
        auditor=LadderAuditor(),
        calls=CallLedger(MemoryJournal()),
    )
    return [(one.sentence.text, one.label) for one in found]


@pytest.mark.parametrize(
    "text",
    [
        "The control ring keeps nine substations in step.",
        "Only 60 MWh remain in the store until the cable is repaired.",
        "The Protection Module states that the warm houses shelter 4,300 people.",
        "The control ring must receive at least 28 MWh.",
        "The Continuity Module cannot accept 30 MWh for the warm houses.",
        "Who would pay for 12 more hours?",
        "Courage is a poor substitute for planning.",
    ],
)
def test_what_the_record_carries_or_needs_no_source_is_not_found_fault_with(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Only 90 MWh remain in the store until the cable is repaired.", Label.CONTRADICTED),
        ("The warm houses shelter 9,000 people.", Label.CONTRADICTED),
        ("The harbour crane weighs 40 tonnes.", Label.UNDETERMINED),
        (
            "The Protection Module states that the control ring keeps nine substations in step.",
            Label.UNDETERMINED,
        ),
    ],
)
def test_a_claim_the_record_does_not_carry_is_found(text: str, label: Label) -> None:
    assert findings(f"Courage is a poor substitute. {text}") == [(text, label)]


WRONG = "The control ring keeps 14 substations of Varnholt in step."
RIGHT = "The control ring must receive at least 24 MWh."


def test_off_audits_nothing() -> None:
    debate = spoken({"continuity": Interrupted({2: WRONG})}, enforcement=Enforcement.OFF)

    assert debate.floor.turns[0].text == WRONG
    assert debate.details["enforcement"]["open_claims"] == {}


def test_flag_admits_the_turn_and_records_the_claim() -> None:
    debate = spoken({"continuity": Interrupted({2: WRONG})}, enforcement=Enforcement.FLAG)

    assert debate.floor.turns[0].text == WRONG
    assert debate.details["enforcement"]["open_claims"]["1"][0]["text"] == WRONG
    assert any(WRONG in told for told in debate.floor.turns[0].warnings)
    assert debate.trace is not None
    assert any(WRONG in told for told in debate.trace.warnings)


def test_repair_holds_the_turn_back_until_the_record_carries_it() -> None:
    model = Interrupted({2: f"{WRONG} {RIGHT}", 3: RIGHT})
    debate = spoken({"continuity": model}, enforcement=Enforcement.REPAIR, turns=3)

    turn = debate.floor.turns[0]
    assert turn.text == RIGHT
    assert WRONG not in " ".join(one.text for one in debate.floor.turns)
    assert len(turn.rows) == 3
    assert "1" not in debate.details["enforcement"]["open_claims"]
    assert debate.details["enforcement"]["turns_held_back"] >= 1
    asked = model.requests[2].messages[-1].content
    assert json.dumps(f"{WRONG} {RIGHT}") in asked
    assert f'{{"text": {json.dumps(WRONG)}' in asked


def test_a_turn_that_stays_wrong_is_admitted_with_its_flags_after_the_repairs() -> None:
    model = Interrupted({2: WRONG, 3: WRONG, 4: WRONG})
    debate = spoken({"continuity": model}, enforcement=Enforcement.REPAIR, repairs=2, turns=3)

    assert debate.floor.turns[0].text == WRONG
    assert len(debate.floor.turns[0].rows) == 4
    assert debate.details["enforcement"]["open_claims"]["1"]


def test_a_models_audit_of_turns_is_journalled_and_replayed() -> None:
    verdict = {
        "id": "s1",
        "verdict": "not_enough_information",
        "evidence_for": [],
        "evidence_against": [],
        "reason": "nobody says so",
    }
    script = tuple([json.dumps({"verdicts": [verdict]})] * 3)
    config = setting(turns=3, auditor=ModelSpec(kind="scripted", script=script))
    debaters = {module: ModelDebater(Voice(DebatingModel())) for module in MODULES}
    journal = MemoryJournal()

    def once() -> object:
        cast = Cast(debaters, cast_build(config, environment={}).auditor)
        return hold(config, cast, journal=journal).details["enforcement"]

    first = once()
    rows = [record.role for record in journal.records]
    assert rows.count("auditor") == 3
    assert once() == first
    assert len(journal.records) == len(rows)


def test_the_rule_based_debater_repairs_by_leaving_the_claim_out() -> None:
    for seed in (106, 109, 111):
        loose = offline(seed=seed, enforcement=Enforcement.FLAG)
        strict = offline(seed=seed, enforcement=Enforcement.REPAIR)
        assert strict.details["enforcement"]["open_claims"] == {}
        assert strict.details["verdict"] == loose.details["verdict"]


def test_a_zero_sum_debate_is_enforced_like_any_other() -> None:
    debate = offline(enforcement=Enforcement.REPAIR, shocks=ShockPlan(turns=(4, 8)), seed=105)

    assert debate.details["enforcement"]["open_claims"] == {}
    assert len(debate.floor.turns) == 12


# --- arithmetic ---------------------------------------------------------------------------------

ENERGY = scenario_load("energy")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("The control ring must receive at least 28 MWh.", 28),
        ("The control ring needs 24 MWh, and the control ring needs 21 MWh.", 21),
        ("the control ring should, after all, receive 21 MWh", None),
        ("The control ring should receive 21 MWh.", 21),
        ("The control ring must not receive 28 MWh.", None),
        ("The warm houses must receive 28 MWh.", None),
        ("The control ring must receive at least 28 kg.", None),
    ],
)
def test_a_request_is_read_from_a_modules_own_words(text: str, asked: int | None) -> None:
    assert request_in(text, ENERGY, "continuity") == asked


def test_a_plan_needs_an_amount_for_every_load() -> None:
    whole = (
        "We propose 20 MWh for the control ring, 22 MWh for the warm houses and 16 MWh for the "
        "dispatch chain."
    )

    assert plan_in(whole, ENERGY) == {"continuity": 20, "protection": 22, "structure": 16}
    assert plan_in("We propose 20 MWh for the control ring.", ENERGY) is None


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("Together the modules ask for 80 MWh, which is 20 MWh more than there is.", True),
        ("Together the modules ask for 81 MWh, which is 21 MWh more than there is.", False),
        ("The Protection Module asks for 30 MWh for the warm houses.", True),
        ("The Protection Module asks for 31 MWh for the warm houses.", False),
        ("The warm houses shelter 4300 people.", False),
        ("The requests come to 80 MWh on 3 days.", False),
    ],
)
def test_sums_are_checked_by_code(sentence: str, holds: bool) -> None:
    requests = {"continuity": 28, "protection": 30, "structure": 22}

    assert arithmetic_holds(sentence, requests, ENERGY) is holds
