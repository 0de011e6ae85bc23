"""The bundled debates keep what the demo study needs: even turns, shocks, checkable numbers."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from apg_engine import GateConfig, MemoryJournal, gate, models_from_config
from apg_engine.records import ShockKind, Trace
from apg_engine.traces import import_trace, trace_schema, trace_to_dict

DEBATES = Path(__file__).resolve().parents[3] / "fixtures" / "debates"
NAMES = ("energy_allocation.json", "stalemate.json")
# Words a participant must not meet, because they name the method under study.
TELLING = re.compile(
    r"\b(gate|gates|baseline|threshold|iteration|hint|apg|provenance|fidelity)\b", re.IGNORECASE
)
ENERGY_SHARES = (18, 10, 8)
SPANS = {"clinic": 36, "mill": 42, "dam": 30}
PANELS = 60


def debate(name: str) -> Trace:
    return import_trace((DEBATES / name).read_bytes(), file_name=name)


def public_texts(trace: Trace) -> list[str]:
    return [
        trace.crisis_context,
        trace.question,
        *(turn.text for turn in trace.turns),
        *(shock.text for shock in trace.shocks),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_three_agents_take_the_same_number_of_turns(name: str) -> None:
    trace = debate(name)
    counts = Counter(turn.speaker for turn in trace.turns)
    assert len(trace.agents) == len(counts) == 3
    assert len(set(counts.values())) == 1
    assert 12 <= len(trace.turns) <= 15
    assert trace.warnings == ()


@pytest.mark.parametrize("name", NAMES)
def test_two_shocks_private_traces_and_evidence_are_in_place(name: str) -> None:
    trace = debate(name)
    assert len(trace.shocks) == 2
    assert trace.question.endswith("?")
    assert all(turn.private_trace for turn in trace.turns)
    used = {identifier for turn in trace.turns for identifier in turn.evidence}
    assert used == {document.id for document in trace.documents}
    assert {document.kind for document in trace.documents} == {"axiom", "document"}


@pytest.mark.parametrize("name", NAMES)
def test_a_participant_reads_one_in_about_five_minutes(name: str) -> None:
    words = sum(len(text.split()) for text in public_texts(debate(name)))
    assert 700 <= words <= 1100


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_debate_names_the_method_under_study(name: str) -> None:
    trace = debate(name)
    everything = " ".join([*public_texts(trace), *(d.text for d in trace.documents)])
    assert TELLING.findall(everything) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_private_trace_is_not_spoken_in_public(name: str) -> None:
    trace = debate(name)
    public = " ".join(public_texts(trace))
    assert [turn.number for turn in trace.turns if turn.private_trace in public] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_debate_fits_the_published_schema(name: str) -> None:
    jsonschema.validate(trace_to_dict(debate(name)), trace_schema())


def test_the_low_conflict_debate_ends_in_one_recommendation_of_all_three() -> None:
    trace = debate("energy_allocation.json")
    assert trace.conflict_level == "low"
    shares = "18 MWh to the two hospital sites, 10 MWh to the five cooling halls and 8 MWh"
    last = {turn.speaker: turn.text for turn in trace.turns}
    assert all(f"assign {shares}" in text for text in last.values())
    assert "Only 36 MWh remain" in trace.crisis_context
    assert sum(ENERGY_SHARES) == 36


def test_the_first_requests_of_the_low_conflict_debate_do_not_fit() -> None:
    first = debate("energy_allocation.json").turns[:3]
    requests = [int(re.findall(r"should receive (\d+) MWh", turn.text)[0]) for turn in first]
    assert requests == [12, 22, 14]
    assert sum(requests) > 36


def test_no_two_needs_of_the_stalemate_fit_into_the_stated_resource() -> None:
    trace = debate("stalemate.json")
    assert f"Only {PANELS} metres of bridge panels remain" in trace.crisis_context
    assert all(
        f"The {name} crossing must receive at least {metres} metres"
        in " ".join(public_texts(trace))
        for name, metres in SPANS.items()
    )
    assert all(a + b > PANELS for a, b in itertools.combinations(SPANS.values(), 2))
    assert all(metres <= PANELS for metres in SPANS.values())


def test_the_stalemate_has_a_zero_sum_shock_that_rules_out_a_split() -> None:
    trace = debate("stalemate.json")
    assert trace.conflict_level == "high"
    zero_sum = [shock for shock in trace.shocks if shock.kind is ShockKind.ZERO_SUM]
    assert len(zero_sum) == 1
    assert "Any split of the panels therefore leaves all three crossings closed" in zero_sum[0].text


def test_every_party_of_the_stalemate_ends_on_its_own_demand() -> None:
    last = {turn.speaker: turn.text for turn in debate("stalemate.json").turns}
    demands = {
        speaker: re.findall(r"The (\w+) crossing must receive at least (\d+) metres", text)[-1]
        for speaker, text in last.items()
    }
    assert demands == {
        "ambulance": ("clinic", "36"),
        "food": ("mill", "42"),
        "dam": ("dam", "30"),
    }


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("energy_allocation.json", "synthesis"), ("stalemate.json", "divergence")],
)
def test_the_offline_pair_ends_as_the_debate_did(name: str, outcome: str) -> None:
    config = GateConfig.preset("offline")
    result = gate(
        debate(name),
        config=config,
        models=models_from_config(config, environment={}),
        journal=MemoryJournal(),
    )
    assert result.outcome == outcome
    assert result.has_contrast
    assert TELLING.findall(f"{result.baseline_text} {result.apg_text}") == []
