"""Every system through its one door, `decide`: courts, ablations, and what none may see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apg_engine.debates.courtroom.casting import cast_build
from apg_engine.debates.courtroom.config import preset_load
from apg_engine.errors import ConfigError
from apg_engine.evaluating.assembly import SYSTEMS, Bench, system_build
from apg_engine.evaluating.claims import BINARY, Label
from apg_engine.evaluating.trial import ABLATIONS, Trial
from apg_engine.journal import MemoryJournal
from tests.apg_engine.evaluating.benches import (
    CLAIMS,
    MASKS,
    MOON,
    PRICES,
    ZINC,
    calls_of,
    exhibits,
    index,
    sitting,
)


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
