"""A party may take its agreement back: what was shared once is then not published as agreed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import (
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    Outcome,
    Trace,
    gate,
    import_trace,
    models_from_config,
)
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.journal import CallLedger
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.audit import draft_audit
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.sentences import draft_sentences

DEBATES = Path(__file__).resolve().parents[2] / "fixtures" / "debates"
SHARED = (
    "The committee should assign 18 MWh to the two hospital sites, 10 MWh to the five cooling "
    "halls and 8 MWh to the restart reserve."
)
WITHDRAWALS = [
    "The Neighbourhood Council withdraws its agreement.",
    "The Neighbourhood Council rejects these shares.",
    "The Neighbourhood Council has changed its mind about this plan.",
    "We were wrong to say yes.",
    "The Neighbourhood Council does not agree to this after all.",
    "We cannot accept it any longer.",
    "The council refuses.",
    "The Neighbourhood Council disagrees.",
    "Never will the Neighbourhood Council sign that.",
    "We do not.",
    "No deal.",
    "Not with us.",
    "That would be a mistake.",
    "The Neighbourhood Council cannot live with this.",
    "This is not our final word.",
    "The Neighbourhood Council is no longer ready to share.",
    "So says the hospital, and it is wrong.",
    "Just kidding.",
    "It cannot accept 18 MWh for the two hospital sites.",
    "The five cooling halls must receive at least 14 MWh.",
    "The council no longer agrees that the committee should assign 18 MWh to the hospital sites.",
    SHARED.replace("should", "should not"),
]
HARMLESS = [
    "All five halls stay open.",
    "Volunteers take the readings back to the committee at 18:00.",
    "Rain is no longer expected on Thursday.",
    "The weather is not good.",
    "The halls and the engineers never disagreed about the weather of the coming week in public.",
]


def energy(last_words: str = "", first_words: str = "") -> Trace:
    """The energy debate; the council, the last to speak, says these words around its agreement."""
    path = DEBATES / "energy_allocation.json"
    trace = import_trace(path.read_bytes(), file_name=path.name)
    *turns, last = trace.turns
    return replace(
        trace, turns=(*turns, replace(last, text=f"{first_words} {last.text} {last_words}"))
    )


def run(trace: Trace) -> GateResult:
    config = GateConfig()
    models = models_from_config(config, environment={})
    return gate(trace, config=config, models=models, journal=MemoryJournal())


@pytest.mark.parametrize("last_words", WITHDRAWALS)
def test_an_agreement_taken_back_ends_in_a_divergence_report(last_words: str) -> None:
    assert run(energy(last_words)).outcome is Outcome.DIVERGENCE


@pytest.mark.parametrize("last_words", HARMLESS)
def test_what_takes_nothing_back_leaves_the_agreement(last_words: str) -> None:
    assert run(energy(last_words)).outcome is Outcome.SYNTHESIS


PROCEDURE = [
    "The board should decide tonight.",
    "The board should not split the panels before midnight.",
]


@pytest.mark.parametrize("procedure", PROCEDURE)
def test_a_shared_word_on_procedure_settles_no_deadlock(procedure: str) -> None:
    path = DEBATES / "stalemate.json"
    trace = import_trace(path.read_bytes(), file_name=path.name)
    *turns, tenth, eleventh, twelfth = trace.turns
    last = [replace(turn, text=f"{turn.text} {procedure}") for turn in (tenth, eleventh, twelfth)]
    assert run(replace(trace, turns=(*turns, *last))).outcome is Outcome.DIVERGENCE


def test_a_report_counts_demands_as_their_parties_revised_them() -> None:
    trace = energy()
    *turns, last = trace.turns
    held = replace(last, text="The five cooling halls must receive at least 14 MWh.")
    result = run(replace(trace, turns=(*turns, held)))
    report = result.divergence or {}
    (counted,) = [one for one in report["conflicting_sources"] if one["kind"] == "arithmetic"]
    assert [demand["amount"] for demand in counted["demands"]] == [8.0, 18.0, 14.0]
    assert counted["missing"] == 4.0
    assert "12 MWh" not in result.apg_text
    assert result.apg_text.count("Whether the committee should") == 1


def test_an_agreement_stated_again_after_its_withdrawal_counts() -> None:
    assert run(energy(first_words=WITHDRAWALS[1])).outcome is Outcome.SYNTHESIS


@pytest.mark.parametrize(
    "claim", [f"All parties agree that {SHARED}", f"There is a consensus that {SHARED}"]
)
def test_the_audit_refuses_a_sentence_that_states_a_withdrawn_agreement(claim: str) -> None:
    kept, taken_back = (
        corpus_build(energy(words), segment=segments_find, segmenter=SEGMENTER)
        for words in (HARMLESS[0], WITHDRAWALS[0])
    )
    sentences = draft_sentences(claim)
    before, after = (
        draft_audit(
            auditor=LadderAuditor(),
            sentences=sentences,
            corpus=corpus,
            calls=CallLedger(MemoryJournal()),
        ).verdicts[0]
        for corpus in (kept, taken_back)
    )
    assert after.label is not Label.SUPPORTED
    if claim.startswith("All parties"):
        assert before.label is Label.SUPPORTED
        assert after.decided_by == "rules: withdrawal veto"
        assert after.denies == ("council",)
        assert [quote.text for quote in after.opposing] == [WITHDRAWALS[0]]
