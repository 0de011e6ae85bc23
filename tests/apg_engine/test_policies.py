from __future__ import annotations

import json

import pytest

from apg_engine import (
    Fidelity,
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    Models,
    Outcome,
    Trace,
    gate,
    result_from_dict,
    result_to_dict,
)
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.llm import ModelAuditor
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.records import Policy, Verdict
from tests.apg_engine.scripted_pair import Writer
from tests.apg_engine.test_model_roles import judged, verdict
from tests.apg_engine.traces_for_tests import trace_of, two_sided

PLAN = "The council should give 24 MW to the pumping station."


def ladder_run(draft: str, trace: Trace, policy: Policy = "paper") -> GateResult:
    return gate(
        trace,
        config=GateConfig(pairs=1, policy=policy),
        models=Models(Writer(draft), LadderAuditor()),
        journal=MemoryJournal(),
    )


def judge_run(draft: str, trace: Trace, *verdicts: dict[str, object]) -> Verdict:
    judge = ScriptedModel([judged(*verdicts)] * 2)
    result = gate(
        trace,
        config=GateConfig(pairs=1),
        models=Models(Writer(draft), ModelAuditor(judge, temperature=0.0, max_tokens=100)),
        journal=MemoryJournal(),
    )
    return result.pairs[0].verdicts[0]


def test_what_a_party_denies_is_supported_under_paper_and_not_under_strict() -> None:
    demand = "The pumping station must receive at least 26 MW."
    paper = ladder_run(demand, two_sided())
    strict = ladder_run(demand, two_sided(), "strict")

    assert (paper.outcome, strict.outcome) == (Outcome.SYNTHESIS, Outcome.DIVERGENCE)
    assert paper.pairs[0].counts == strict.pairs[0].counts
    assert paper.pairs[0].counts is not None
    assert paper.pairs[0].counts.paper == Fidelity(1, 1)
    assert paper.pairs[0].counts.strict == Fidelity(0, 1)
    found = strict.pairs[0].verdicts[0]
    assert found.label is Label.SUPPORTED
    assert "Clinic Trust" in found.strict


def test_the_strict_policy_lets_a_text_say_who_demands_and_who_rejects() -> None:
    draft = (
        "The Water Board states that the pumping station must receive at least 26 MW. "
        "The Clinic Trust rejects 26 MW for the pumping station."
    )

    assert ladder_run(draft, two_sided(), "strict").outcome is Outcome.SYNTHESIS


def test_a_number_that_another_party_gives_otherwise_is_contested() -> None:
    trace = trace_of("The old boiler needs 12 MW at night.", "The old boiler needs 7 MW at night.")

    [found] = ladder_run("The old boiler needs 12 MW at night.", trace).pairs[0].verdicts

    assert "Clinic Trust" in found.strict


@pytest.mark.parametrize(
    "claim",
    [
        f"All parties agree that {PLAN[0].lower()}{PLAN[1:]}",
        "There is consensus that the council should give 24 MW to the pumping station.",
        "The Water Board and the Clinic Trust agree to 24 MW for the pumping station.",
    ],
)
def test_agreement_needs_every_party(claim: str) -> None:
    evidence = verdict("s1", address="T1.1", quote=PLAN)
    one_says_it = judge_run(claim, trace_of(PLAN, "The clinic is old and large."), evidence)
    both_say_it = judge_run(claim, trace_of(PLAN, PLAN), evidence)

    assert one_says_it.label is both_say_it.label is Label.SUPPORTED
    assert "Clinic Trust" in one_says_it.strict
    assert both_say_it.strict == ""


def test_that_there_is_no_agreement_needs_nobody() -> None:
    claim = "The parties do not agree on 24 MW for the pumping station."

    found = judge_run(
        claim,
        trace_of(PLAN, "The clinic is old and large."),
        verdict("s1", address="T1.1", quote=PLAN),
    )

    assert found.strict == ""


def test_what_a_judge_cites_against_a_sentence_makes_it_contested() -> None:
    entry = verdict("s1", address="T1.1", quote=PLAN)
    entry["evidence_against"] = [{"address": "T2.1", "quote": "The clinic is old and large."}]

    found = judge_run(PLAN, trace_of(PLAN, "The clinic is old and large."), entry)

    assert found.denies == ("clinic",)
    assert "Clinic Trust" in found.strict


def test_the_words_of_one_party_for_itself_are_a_single_source() -> None:
    alone = ladder_run(PLAN, trace_of(PLAN, "The clinic is old and large.")).pairs[0].verdicts[0]
    shared = ladder_run(PLAN, trace_of(PLAN, f"We can live with that. {PLAN}")).pairs[0].verdicts[0]
    attributed = ladder_run(
        f"The Water Board states that {PLAN[0].lower()}{PLAN[1:]}", trace_of(PLAN, "It rains.")
    )
    given = ladder_run("Only 40 MW of power remain in the valley until Friday.", trace_of(PLAN))

    assert alone.flags == ("single source",)
    assert shared.flags == ()
    assert attributed.pairs[0].verdicts[0].flags == ()
    assert given.pairs[0].verdicts[0].flags == ()


def test_a_turn_that_only_repeats_another_is_no_second_source() -> None:
    text = (
        f"{PLAN} The river rose two metres last night and the pumps ran without a break. "
        "The crew has not slept since Tuesday and asks for relief before the next storm."
    )
    repeating = trace_of(text, text)

    [found] = ladder_run(PLAN, repeating).pairs[0].verdicts

    assert found.asserts == ("water", "clinic")
    assert found.flags == ("single source",)


def test_support_by_private_traces_alone_is_flagged() -> None:
    private = "We could live with 20 MW in the second night."
    trace = trace_of("The pump runs.", "The clinic is open.", private=(private,))

    found = judge_run(
        "One side could accept 20 MW later.", trace, verdict("s1", address="P1.1", quote=private)
    )

    assert found.flags == ("private only",)


def test_every_result_says_what_pf_means_and_names_its_policy() -> None:
    result = ladder_run(PLAN, two_sided(), "strict")
    data = json.loads(json.dumps(result_to_dict(result)))

    assert "not truth" in data["pf_meaning"]
    assert data["config"]["policy"] == "strict"
    assert result.divergence is not None
    assert "not truth" in result.divergence["pf_meaning"]
    assert result.divergence["policy"] == "strict"
    assert "not truth" not in result.apg_text
    assert result_from_dict(data) == result


def test_initial_and_terminal_pf_stand_in_the_result_under_both_policies() -> None:
    result = gate(
        two_sided(),
        config=GateConfig(pairs=2),
        models=Models(
            Writer("All agree on lunch.", "The pumping station must receive at least 26 MW."),
            LadderAuditor(),
        ),
        journal=MemoryJournal(),
    )

    [measure] = result.measures
    assert measure.role == "steered"
    assert measure.initial is not None
    assert measure.terminal is not None
    assert (measure.initial.paper, measure.initial.strict) == (Fidelity(0, 1), Fidelity(0, 1))
    assert (measure.terminal.paper, measure.terminal.strict) == (Fidelity(1, 1), Fidelity(0, 1))
