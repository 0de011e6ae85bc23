from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from apg_engine import (
    Corpus,
    GateConfig,
    GateResult,
    MemoryJournal,
    Outcome,
    Severity,
    Shock,
    ShockKind,
    Trace,
    gate,
    import_trace,
    models_from_config,
)
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from apg_engine.stages.divergence import divergence_schema
from tests.apg_engine.traces_for_tests import renamed, trace_of, two_sided

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = re.compile(
    r"\b(?:pf|provenance fidelity|thresholds?|iterations?|hints?|gates?|apg|baselines?|proposer|"
    r"auditor|ladder|offline|models?|draft)\b|[CSTAP]\d+\.\d+",
    re.IGNORECASE,
)


def run(trace: Trace, language: str = "en") -> GateResult:
    config = replace(GateConfig(), language="pl" if language == "pl" else "en")
    models = models_from_config(config, environment={})
    return gate(trace, config=config, models=models, journal=MemoryJournal())


def report_of(trace: Trace) -> dict[str, Any]:
    result = run(trace)
    assert result.outcome is Outcome.DIVERGENCE
    assert result.divergence is not None
    return result.divergence


def corpus_of(trace: Trace) -> Corpus:
    return corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)


def quotes_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "quote" in value:
            yield value
        for inner in value.values():
            yield from quotes_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from quotes_in(inner)


def stalemate() -> Trace:
    path = ROOT / "fixtures" / "debates" / "stalemate.json"
    return import_trace(path.read_bytes(), file_name=path.name)


TRACES = {"two sided": two_sided(), "stalemate": stalemate(), "thin": trace_of("It rains.", "No.")}


@pytest.fixture(params=list(TRACES.values()), ids=list(TRACES))
def trace(request: pytest.FixtureRequest) -> Trace:
    found: Trace = request.param
    return found


def test_the_schema_is_a_schema_and_every_report_follows_it(trace: Trace) -> None:
    jsonschema.Draft202012Validator.check_schema(divergence_schema())
    jsonschema.validate(json.loads(json.dumps(report_of(trace))), divergence_schema())


def test_every_quote_stands_at_its_address(trace: Trace) -> None:
    corpus = corpus_of(trace)
    found = list(quotes_in(report_of(trace)))

    assert found
    for quote in found:
        assert corpus[quote["address"]][quote["start"] : quote["end"]] == quote["quote"]
        item = corpus.item(quote["address"])
        assert item is not None
        assert (quote["agent"], quote["turn"]) == (item.speaker, item.turn)


def test_each_demand_says_who_asserts_and_who_denies_it() -> None:
    claims = report_of(two_sided())["unresolved_claims"]
    demands = {c["claim"]: c for c in claims if c["kind"] == "competing demand"}

    water = demands["The pumping station must receive at least 26 MW."]
    assert [one["agent"] for one in water["asserted_by"]] == ["water"]
    assert [one["agent"] for one in water["denied_by"]] == ["clinic"]
    assert water["denied_by"][0]["quote"].startswith("The Clinic Trust rejects 26 MW")


def test_an_invented_settlement_is_unresolved_and_nobody_asserts_it() -> None:
    claims = report_of(two_sided())["unresolved_claims"]
    (invented,) = [c for c in claims if c["kind"] == "proposed settlement"]

    assert invented["asserted_by"] == []
    assert invented["verdict"] in {"undetermined", "not_enough_information", "contradicted"}


def test_demands_beyond_what_there_is_are_added_up() -> None:
    conflicts = report_of(two_sided())["conflicting_sources"]
    (arithmetic,) = [c for c in conflicts if c["kind"] == "arithmetic"]

    assert (arithmetic["available"], arithmetic["asked"], arithmetic["missing"]) == (40, 48, 8)
    assert arithmetic["measure"] == "MW"
    assert [demand["amount"] for demand in arithmetic["demands"]] == [26, 22]
    assert arithmetic["source"]["address"] == "C1.1"


def test_a_later_demand_replaces_an_earlier_one() -> None:
    trace = trace_of(
        "The pumping station must receive at least 39 MW.",
        "The clinic must receive at least 22 MW.",
        "The pumping station must receive at least 26 MW.",
    )
    (arithmetic,) = [
        c for c in report_of(trace)["conflicting_sources"] if c["kind"] == "arithmetic"
    ]

    assert arithmetic["asked"] == 48


@pytest.mark.parametrize(
    "first",
    [
        "The pumping station must receive at least 10 MW.",
        "The pumping station must receive at least 26 litres.",
        "The pumping station would need 26 MW.",
        "If the fan fails, the pumping station needs 26 MW.",
        "The pumping station should receive no more than 26 MW.",
        "Why must the pumping station receive 26 MW?",
    ],
)
def test_nothing_is_added_up_that_is_no_demand_beyond_the_total(first: str) -> None:
    conflicts = report_of(trace_of(first, "The clinic must receive at least 22 MW."))

    assert not [c for c in conflicts["conflicting_sources"] if c["kind"] == "arithmetic"]


def test_a_shock_may_revise_the_total() -> None:
    shock = Shock(2, ShockKind.EPISTEMIC_SHIFT, Severity.HIGH, "Only 30 MW of power remain now.")
    trace = replace(two_sided(), shocks=(shock,))
    (arithmetic,) = [
        c for c in report_of(trace)["conflicting_sources"] if c["kind"] == "arithmetic"
    ]

    assert (arithmetic["available"], arithmetic["source"]["address"]) == (30, "S1.1")


def test_what_the_record_says_is_unknown_is_missing_evidence() -> None:
    missing = report_of(two_sided())["missing_evidence"]

    assert "The flow of the river has not been measured." in [one["text"] for one in missing]


def test_what_two_parties_state_alike_is_agreed() -> None:
    fact = "The cable carries no more than 40 MW after the storm."
    trace = trace_of(
        f"{fact} The pumping station must receive 26 MW.", f"The clinic must receive 22 MW. {fact}"
    )
    (agreed,) = [f for f in report_of(trace)["agreed_facts"] if f["stated_by"]]

    assert agreed["fact"] == fact
    assert agreed["stated_by"] == ["water", "clinic"]


def test_private_traces_are_never_quoted() -> None:
    hidden = "The pumping station could live with 12 MW in silence."
    trace = two_sided()
    turns = tuple(replace(turn, private_trace=hidden) for turn in trace.turns)
    result = run(replace(trace, turns=turns))

    assert "12 MW" not in json.dumps(result.divergence)
    assert "12 MW" not in result.apg_text
    assert "12 MW" not in result.baseline_text


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_prose_names_nothing_of_the_machine(trace: Trace, language: str) -> None:
    text = run(trace, language).apg_text

    assert FORBIDDEN.findall(text) == []
    assert "{" not in text


def test_the_prose_has_its_four_parts_in_both_languages() -> None:
    english, polish = run(two_sided()).apg_text, run(two_sided(), "pl").apg_text

    for heading in ("agreed", "unresolved", "party stands", "evidence is missing"):
        assert heading in english
    for heading in ("wspólne", "nierozstrzygnięte", "Stanowiska", "brakuje"):
        assert heading in polish
    assert "48 MW" in english
    assert "26 + 22" in english


def test_a_word_that_would_unblind_the_text_is_not_quoted() -> None:
    trace = renamed(two_sided(), {"pumping station": "sluice gate"})

    assert "gate" not in run(trace).apg_text.lower()


def test_marks_of_a_quote_are_not_read_as_markdown() -> None:
    trace = renamed(two_sided(), {"Water Board": "Water_Board <b>"})

    text = run(trace).apg_text
    assert "Water\\_Board \\<b\\>" in text
    assert "<b>" not in text


def test_the_prose_is_of_the_length_of_a_page() -> None:
    words = len(run(stalemate()).apg_text.split())

    assert 150 <= words <= 380


def test_real_trajectories_end_with_every_quote_at_its_address(shared: Path) -> None:
    for path in sorted((shared / "trajectories").glob("*.json")):
        real = import_trace(path.read_bytes(), file_name=path.name)
        result, corpus = run(real), corpus_of(real)

        assert result.outcome in {Outcome.SYNTHESIS, Outcome.DIVERGENCE}
        for quote in quotes_in(result.divergence or {}):
            assert corpus[quote["address"]][quote["start"] : quote["end"]] == quote["quote"]
        for pair in result.pairs:
            for verdict in pair.verdicts:
                for found in (*verdict.supporting, *verdict.opposing, *verdict.nearest):
                    assert corpus[found.address][found.start : found.end] == found.text
        assert FORBIDDEN.findall(result.apg_text) == []


def test_each_unresolved_claim_has_nearest_addresses_positions_and_the_hints_tried() -> None:
    report = report_of(two_sided())

    settled = [c for c in report["unresolved_claims"] if c["kind"] == "proposed settlement"]
    demands = [c for c in report["unresolved_claims"] if c["kind"] == "competing demand"]
    assert settled
    assert all(claim["nearest_supporting"] or claim["verdict"] for claim in settled)
    assert {1, 2} >= {pair for claim in settled for pair in claim["hints_tried"]}
    by_agent = {one["agent"]: one["stance"] for one in demands[0]["agents"]}
    assert by_agent == {"water": "asserts", "clinic": "denies"}
    assert demands[0]["nearest_opposing"][0]["address"] == "T2.2"


def test_the_history_holds_pf_under_every_count() -> None:
    report = report_of(two_sided())

    for pair in report["history"]:
        assert pair["strict"]["claims"] == pair["claims"]
        assert pair["pf_all"]["claims"] >= pair["claims"]
        assert pair["strict"]["supported"] <= pair["supported"]


@pytest.mark.parametrize(
    "division",
    [
        "The council ought to give the pumping station 24 MW and the clinic 16 MW.",
        "The council ought to give 24 MW to the pumping station and 16 MW to the clinic.",
    ],
)
def test_a_division_that_fits_is_not_added_up_to_a_shortfall(division: str) -> None:
    proposed = "The council should assign 24 MW to the pumping station, 16 MW to the clinic."
    trace = trace_of(
        "The pumping station needs 26 MW.", "The clinic needs 22 MW.", proposed, division
    )

    assert not report_of(trace)["conflicting_sources"]


@pytest.mark.parametrize("number", ["1.234.567", "12.345.67", "1.2.3", "\u0664\u0660", "40"])
def test_a_number_in_any_form_ends_no_run(number: str) -> None:
    trace = trace_of(
        f"The pumping station needs {number} MW.",
        "The clinic must receive 22 MW.",
        context=f"Only {number} MW remain.",
    )

    assert run(trace).outcome is Outcome.DIVERGENCE
