"""Time pressure: where it comes from, and the order of its levels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.dataset import pressure_of
from analysis.errors import BundleError
from analysis.load import load
from analysis.records import (
    ASSIGNMENTS_FILE,
    PARTICIPANTS_FILE,
)
from analysis.results.subgroups import comparison, pressure_groups
from tests.analysis.record_rows import (
    ASSIGNMENT,
    participants,
    read,
)
from tests.analysis.studies import text_file


def test_time_pressure_is_tested_from_least_to_most(tmp_path: Path) -> None:
    levels = {"p1": "60", "p2": "none", "p3": "60", "p4": "180"}
    dataset = read(tmp_path, {PARTICIPANTS_FILE: participants(**levels)})
    (found,) = comparison(pressure_groups(dataset))
    assert [(group.level, group.test.n) for group in found.groups] == [
        ("none", 1),
        ("180", 1),
        ("60", 2),
    ]
    assert found.grouping == "time_pressure"
    assert found.trend is not None


def test_a_trials_time_pressure_wins_over_the_participants(tmp_path: Path) -> None:
    dataset = read(
        tmp_path,
        {
            PARTICIPANTS_FILE: participants(p1="none", p2="none"),
            ASSIGNMENTS_FILE: [replace(ASSIGNMENT, time_pressure="90")],
        },
    )
    assert pressure_of(dataset) == {("s1", "p1"): "90", ("s1", "p2"): "none"}


def test_levels_without_an_order_get_no_trend(tmp_path: Path) -> None:
    levels = {"p1": "calm", "p2": "none", "p3": "calm", "p4": "none"}
    (found,) = comparison(
        pressure_groups(read(tmp_path, {PARTICIPANTS_FILE: participants(**levels)}))
    )
    assert found.trend is None


@pytest.mark.parametrize(
    "text",
    [
        """participant_id,measure,arm,value,time_pressure
a,trust,baseline,2,60
a,trust,apg,4,60
b,trust,baseline,3,none
b,trust,apg,3,none
""",
        """participant_id,trust_baseline,trust_apg,time_pressure
a,2,4,60
b,3,3,none
""",
        """participant.code,x.1.player.trust_baseline,x.1.player.trust_apg,\
x.1.player.time_pressure,x.1.player.scenario
a,2,4,60,all
b,3,3,none,all
""",
    ],
)
def test_time_pressure_comes_from_any_table_of_answers(tmp_path: Path, text: str) -> None:
    dataset = load(text_file(tmp_path, text))
    assert pressure_of(dataset) == {("all", "a"): "60", ("all", "b"): "none"}
    assert {measure.key for measure in dataset.measures} == {"trust"}


def test_two_levels_of_time_pressure_in_one_trial_are_refused(tmp_path: Path) -> None:
    text = (
        "participant_id,measure,arm,value,time_pressure\na,trust,apg,4,60\na,trust,baseline,4,9\n"
    )
    with pytest.raises(BundleError, match="9, but 60 in row 2 of the same trial"):
        load(text_file(tmp_path, text))
