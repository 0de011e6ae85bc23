"""The plan's rules on attention and on what was in view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import OptionError
from analysis.records import (
    PARADATA_FILE,
    ParadataRow,
)
from analysis.results.exclusions import exclusions_apply, reading_sensitivity
from analysis.schema import LongRow
from tests.analysis.record_rows import (
    ATTENTION,
    PEOPLE,
    REPORT,
    read,
)


def attentive() -> list[LongRow]:
    """The small study; p2 failed a check, p3 failed two."""
    failed = {"p1": 0, "p2": 1, "p3": 2, "p4": 0}
    sides = {row.participant_id: row.left_arm for row in PEOPLE}
    return [
        *PEOPLE,
        *(
            replace(
                ATTENTION,
                participant_id=person,
                left_arm=sides[person],
                measure=f"check{n}",
                value="failed" if n <= count else "passed",
            )
            for person, count in failed.items()
            for n in (1, 2)
        ),
    ]


@pytest.mark.parametrize(
    ("rule", "rows", "out", "text"),
    [
        ({"rule": "attention"}, attentive(), ("p2", "p3"), "more than 0 attention checks"),
        ({"rule": "attention", "value": 1}, attentive(), ("p3",), "more than 1 attention checks"),
        (
            {"rule": "minimum_exposure", "item_kind": "report", "value": 20},
            PEOPLE,
            ("p3", "p4"),
            "looked at a report for less than 20 s",
        ),
        (
            {"rule": "scroll_coverage", "item_kind": "report", "value": 0.5},
            PEOPLE,
            ("p1",),
            "saw less than 50 % of a report",
        ),
    ],
)
def test_the_plans_rules_on_attention_and_paradata(
    tmp_path: Path, rule: Mapping[str, Any], rows: list[LongRow], out: tuple[str, ...], text: str
) -> None:
    found = exclusions_apply(
        read(tmp_path, {PARADATA_FILE: looks()}, rows, plan={"exclusions": [rule]})
    )
    assert [(left.ids, text in left.rule) for left in found.left_out] == [(out, True)]


def looks() -> list[ParadataRow]:
    """Both reports of everybody; p3 glanced at one, p4 at both, p1 saw the half of one."""
    seconds = {"p1": (30, 40), "p2": (25, 90), "p3": (60, 5), "p4": (3, 4)}
    coverage = {"p1": (1.0, 0.4), "p2": (1.0, 1.0), "p3": (0.5, 1.0), "p4": (1.0, 1.0)}
    return [
        replace(
            REPORT,
            participant_id=person,
            item=("left", "right")[side],
            visible_seconds=float(both[side]),
            scroll_coverage=coverage[person][side],
        )
        for person, both in seconds.items()
        for side in (0, 1)
    ]


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        ({"rule": "attention"}, "needs attention checks"),
        ({"rule": "minimum_exposure", "item_kind": "trace", "value": 5}, "needs paradata of a"),
        ({"rule": "scroll_coverage", "item_kind": "report", "value": 0.5}, "needs scroll coverage"),
        ({"rule": "too_fast", "value": 5}, "needs times"),
        ({"rule": "minimum_exposure", "item_kind": "turn", "value": 5}, "item_kind 'turn'"),
        ({"rule": "minimum_exposure", "item_kind": "report"}, "value None"),
        ({"rule": "too_fast", "value": True}, "value True"),
    ],
)
def test_a_rule_that_cannot_be_checked_is_refused(
    tmp_path: Path, rule: Mapping[str, Any], missing: str
) -> None:
    # Passing everybody would look as if the preregistered rule had been applied.
    rows = [replace(row, presented_at="", answered_at="") for row in PEOPLE]
    with pytest.raises(OptionError, match=missing):
        exclusions_apply(read(tmp_path, {}, rows, plan={"exclusions": [rule]}))


def test_reading_sensitivity_uses_what_was_in_view_and_attention(tmp_path: Path) -> None:
    dataset = read(tmp_path, {PARADATA_FILE: looks()}, attentive())
    removed = {(row.basis, row.seconds): row.removed for row in reading_sensitivity(dataset)}
    assert removed["visible", 30] == 1  # p4 saw both reports for 7 s
    assert removed["visible", 120] == 4
    assert removed["elapsed", 120] == 0
    assert removed["attentive", None] == 2
    assert len(dataset.participants) == 4
