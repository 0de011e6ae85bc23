"""Nothing in the offline pair is keyed to a debate: renamed traces end the same way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import (
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    Outcome,
    SentenceKind,
    Trace,
    gate,
    import_trace,
    models_from_config,
)
from tests.apg_engine.traces_for_tests import agreeing, renamed, trace_of, two_sided

ROOT = Path(__file__).resolve().parents[2]
DEBATES = ROOT / "fixtures" / "debates"


def run(trace: Trace, language: str = "en") -> GateResult:
    config = replace(GateConfig(), language="pl" if language == "pl" else "en")
    models = models_from_config(config, environment={})
    return gate(trace, config=config, models=models, journal=MemoryJournal())


def debate(name: str) -> Trace:
    path = DEBATES / f"{name}.json"
    return import_trace(path.read_bytes(), file_name=path.name)


def supported(result: GateResult, pair: int) -> set[str]:
    good = {v.sentence_id for v in result.pairs[pair].verdicts if v.label is Label.SUPPORTED}
    return {s.text for s in result.pairs[pair].sentences if s.id in good}


ENERGY = {
    "Eastbank": "Nordvik", "hospital": "archive", "Hospital": "Archive", "cooling": "drying",
    "battery": "cistern", "MWh": "litres", "Grid Operations": "Pump Guild",
    "Neighbourhood Council": "Weavers Union", "restart": "rinse", "operations": "bindings",
    "committee": "assembly", "36": "63", "18": "31", "Friday": "Monday", "substation": "mill",
}  # fmt: skip
BRIDGES = {
    "bridge": "fence", "panels": "rails", "crossing": "pasture", "metres": "beds", "clinic": "lamb",
    "mill": "goat", "dam": "horse", "Dam": "Horse", "60": "50", "36": "31", "42": "37", "30": "26",
    "Ambulance Service": "Shepherds Office", "Food Supply Office": "Dairy Board",
    "reservoir": "brook", "valve": "latch",
}  # fmt: skip


class TestDemoDebates:
    def test_the_energy_debate_ends_in_a_verified_synthesis(self) -> None:
        result = run(debate("energy_allocation"))

        assert (result.outcome, result.reason) == (Outcome.SYNTHESIS, "passed")
        assert result.has_contrast

    def test_the_stalemate_ends_in_a_divergence_report(self) -> None:
        result = run(debate("stalemate"))

        assert (result.outcome, result.reason) == (Outcome.DIVERGENCE, "pairs_used")
        assert len(result.pairs) == 3

    def test_the_same_debates_under_other_names_end_the_same_way(self) -> None:
        assert run(renamed(debate("energy_allocation"), ENERGY)).outcome is Outcome.SYNTHESIS
        assert run(renamed(debate("stalemate"), BRIDGES)).outcome is Outcome.DIVERGENCE

    def test_one_partys_other_number_takes_the_synthesis_away(self) -> None:
        trace = debate("energy_allocation")
        last = trace.turns[-1]
        changed = replace(last, text=last.text.replace("assign 18 MWh", "assign 17 MWh"))
        result = run(replace(trace, turns=(*trace.turns[:-1], changed)))

        assert not any("18 MWh to" in text for text in supported(result, -1) if "agree" in text)
        assert "All parties agree that the committee should assign" not in result.apg_text

    def test_the_two_first_drafts_do_not_read_alike(self) -> None:
        drafts = [run(debate(name)).baseline_text for name in ("energy_allocation", "stalemate")]
        invented = [set(re.split(r"(?<=\.) ", draft)) for draft in drafts]

        assert not invented[0] & invented[1]


class TestFirstDraft:
    @pytest.mark.parametrize("trace", [two_sided(), agreeing()])
    def test_it_is_a_fluent_recommendation_of_three_to_six_sentences(self, trace: Trace) -> None:
        result = run(trace)
        first = result.pairs[0]

        assert 3 <= len(first.sentences) <= 6
        assert all(sentence.kind is SentenceKind.CLAIM for sentence in first.sentences)
        assert first.fidelity is not None
        assert first.fidelity.supported < first.fidelity.total
        assert "should" in first.draft
        assert "40 MW" in first.draft

    def test_it_names_the_parties_and_what_they_speak_for(self) -> None:
        draft = run(two_sided()).baseline_text

        assert "Water Board" in draft
        assert "Clinic Trust" in draft


class TestRepair:
    def test_it_says_nothing_again_that_was_refused(self) -> None:
        result = run(two_sided())
        for before, after in zip(result.pairs, result.pairs[1:], strict=False):
            refused = {v.sentence_id for v in before.verdicts if v.label is not Label.SUPPORTED}
            texts = {s.text for s in before.sentences if s.id in refused}
            assert not texts & {s.text for s in after.sentences}

    def test_without_a_shared_recommendation_one_invented_sentence_stays(self) -> None:
        result = run(two_sided())

        for pair in result.pairs[1:]:
            assert pair.fidelity is not None
            assert pair.fidelity.total - pair.fidelity.supported == 1
            (open_one,) = {s.text for s in pair.sentences} - supported(result, pair.number - 1)
            assert "should" in open_one

    def test_with_one_every_sentence_is_a_quote_or_says_who_says_it(self) -> None:
        result = run(agreeing())

        assert result.outcome is Outcome.SYNTHESIS
        assert "24 MW to the pumping station and 16 MW to the clinic" in result.apg_text

    def test_an_invented_sentence_cannot_be_bought_by_length(self) -> None:
        for pair in run(debate("stalemate")).pairs:
            assert pair.fidelity is not None
            assert pair.fidelity.total < 20

    @pytest.mark.parametrize("pairs", [4, 6, 11])
    def test_more_repairs_do_not_help_where_nothing_is_shared(self, pairs: int) -> None:
        config = GateConfig(pairs=pairs)
        models = models_from_config(config, environment={})
        result = gate(two_sided(), config=config, models=models, journal=MemoryJournal())

        assert result.outcome is Outcome.DIVERGENCE


PLAN = "The council should give 24 MW to the pumping station and 16 MW to the clinic."
NOT_SHARED = {
    "another number": PLAN.replace("16", "15"),
    "another unit": PLAN.replace("16 MW", "16 kW"),
    "a negation": PLAN.replace("should give", "should not give"),
    "a condition": f"If the boiler fails, {PLAN[0].lower()}{PLAN[1:]}",
    "a report": f"The Water Board claims that {PLAN[0].lower()}{PLAN[1:]}",
    "a question": PLAN.replace("The council should", "Should the council").replace(".", "?"),
    "a quantifier": PLAN.replace("give 24", "give at least 24"),
    "a withdrawal": f"{PLAN} {PLAN.replace('24', '30')}",
    "silence": "The clinic has spoken.",
}


class TestSharedRecommendation:
    def test_near_verbatim_wording_is_shared(self) -> None:
        other = PLAN.replace("The council should", "Therefore the council should also")

        assert run(trace_of(PLAN, other)).outcome is Outcome.SYNTHESIS

    @pytest.mark.parametrize("second", NOT_SHARED.values(), ids=NOT_SHARED.keys())
    def test_it_is_not_shared_if_a_party_says_something_else(self, second: str) -> None:
        assert run(trace_of(PLAN, second)).outcome is Outcome.DIVERGENCE

    def test_a_private_agreement_is_none(self) -> None:
        trace = trace_of(PLAN, "The clinic has spoken.", private=("", PLAN))

        assert run(trace).outcome is Outcome.DIVERGENCE

    def test_one_party_alone_agrees_with_nobody(self) -> None:
        assert run(trace_of(PLAN)).outcome is Outcome.DIVERGENCE


@pytest.mark.parametrize("name", ["archive_agrees", "telescope_deadlock", "orchards_agree_pl"])
def test_debates_of_another_kind_end_as_their_name_says(name: str) -> None:
    path = ROOT / "tests" / "apg_engine" / "debates" / f"{name}.json"
    trace = import_trace(path.read_bytes(), file_name=path.name)
    result = run(trace, language=trace.language)

    expected = Outcome.SYNTHESIS if "agree" in name else Outcome.DIVERGENCE
    assert result.outcome is expected


@pytest.mark.parametrize(
    "trace",
    [
        trace_of("It rains.", context="It is May."),
        trace_of("Yes.", "No.", context="?"),
        trace_of("```\ncode\n```", "| a | b |", context="# H"),
        trace_of("口罩有效。", "疫苗也有效。", context="口罩。"),
        trace_of("{slot} {{slot}} {l0}", "100 % {total}", context="Only 5 {units} remain."),
    ],
    ids=["thin", "one word", "markdown", "chinese", "braces"],
)
@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_thin_or_odd_trace_still_gets_a_draft_and_a_report(trace: Trace, language: str) -> None:
    result = run(trace, language)

    assert result.outcome is Outcome.DIVERGENCE
    assert result.baseline_text
    assert result.apg_text


@pytest.mark.slow
def test_the_result_does_not_depend_on_how_this_python_orders_its_sets() -> None:
    code = (
        "import sys; from tests.apg_engine.test_offline_pair import debate, run\n"
        "for name in ('energy_allocation', 'stalemate'):\n"
        "    result = run(debate(name)); print(result.baseline_text, result.apg_text)\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(outputs) == 1
