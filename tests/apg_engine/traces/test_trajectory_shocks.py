"""Shocks of trajectories: where they stand, what they are, what level of conflict they make."""

from __future__ import annotations

import pytest

from apg_engine.errors import ConfigError, TraceError
from apg_engine.records import Severity, ShockKind
from apg_engine.traces import CONFLICT_RULES, conflict_level, import_trace
from tests.apg_engine.traces.samples import (
    Document,
    as_bytes,
    imported,
    logged_shock,
    logged_turn,
    trajectory,
)


def shock(kind: ShockKind, severity: Severity) -> Document:
    metadata = {"category": kind.value, "severity": severity.value}
    return logged_shock(2, metadata=metadata, shock_type="")


@pytest.mark.parametrize(
    ("kind", "severity", "by_zero_sum", "by_paper"),
    [
        (ShockKind.ZERO_SUM, Severity.MEDIUM, "high", "high"),
        (ShockKind.CASCADING_RISK, Severity.HIGH, "low", "high"),
        (ShockKind.EPISTEMIC_SHIFT, Severity.MEDIUM, "low", "low"),
        (ShockKind.AD_HOMINEM, Severity.LOW, "low", "low"),
    ],
)
def test_the_conflict_level_follows_the_rule_that_is_named(
    kind: ShockKind, severity: Severity, by_zero_sum: str, by_paper: str
) -> None:
    data = as_bytes(trajectory(shocks=[shock(kind, severity)]))
    trace = import_trace(data, file_name="a.json")
    assert trace.conflict_level == by_zero_sum == conflict_level(trace.shocks)
    looser = import_trace(data, file_name="a.json", conflict_rule="paper")
    assert looser.conflict_level == by_paper == conflict_level(trace.shocks, rule="paper")


def test_without_shocks_no_rule_can_tell_the_conflict_level() -> None:
    assert [conflict_level((), rule=rule) for rule in CONFLICT_RULES] == ["", ""]


def test_a_conflict_rule_of_another_name_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"zero_sum \| paper"):
        conflict_level((), rule="strict")  # type: ignore[arg-type]  # what a config file may hold


# Shocks
def test_a_shock_is_placed_by_turn_number_also_where_numbers_have_gaps() -> None:
    turns = [logged_turn(number, "oak", f"M{number}.") for number in (2, 4, 9)]
    trace = imported(trajectory(turns=turns, shocks=[logged_shock(4), logged_shock(7)]))
    assert [t.number for t in trace.turns] == [1, 2, 3]
    assert [s.turn for s in trace.shocks] == [2, 3]
    assert trace.warnings == ("turn numbers 2, 4, 9 became 1 to 3",)


def test_a_shock_without_a_category_is_known_by_its_type() -> None:
    trace = imported(trajectory(shocks=[logged_shock(2, metadata={"severity": "high"})]))
    assert trace.shocks[0].kind is ShockKind.CASCADING_RISK


def test_a_category_that_contradicts_the_type_is_warned_of() -> None:
    trace = imported(trajectory(shocks=[logged_shock(2, shock_type="S3")]))
    assert trace.shocks[0].kind is ShockKind.CASCADING_RISK
    assert "contradicts shock_logs[0].shock_type" in trace.warnings[0]


@pytest.mark.parametrize(
    ("change", "place", "allowed"),
    [
        ({"turn_number": 9}, "shock_logs[0].turn_number", "1 to 3"),
        ({"turn_number": 0}, "shock_logs[0].turn_number", "1 to 3"),
        ({"turn_number": None}, "shock_logs[0].turn_number", "a whole number"),
        ({"shock_text": " "}, "shock_logs[0].shock_text", "not empty"),
        ({"metadata": {"severity": "low"}, "shock_type": "S9"}, "shock_logs[0].shock_type", '"S1"'),
        ({"metadata": {"category": "zero_sum"}}, "shock_logs[0].metadata.severity", '"medium"'),
        (
            {"metadata": {"category": "flood", "severity": "low"}},
            "shock_logs[0].metadata.category",
            '"zero_sum"',
        ),
    ],
)
def test_a_shock_that_cannot_be_placed_or_named_is_refused(
    change: Document, place: str, allowed: str
) -> None:
    with pytest.raises(TraceError) as caught:
        imported(trajectory(shocks=[logged_shock(3, **change)]))
    assert caught.value.place == place
    assert allowed in caught.value.allowed


@pytest.mark.parametrize("shocks", [None, []])
def test_a_trajectory_may_have_no_shocks(shocks: object) -> None:
    trace = imported(trajectory(shocks=[]) | {"shock_logs": shocks})
    assert trace.shocks == ()
    assert trace.conflict_level == ""
