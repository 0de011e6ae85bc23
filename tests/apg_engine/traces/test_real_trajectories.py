"""The two supplied trajectories of the paper come through whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apg_engine.records import ShockKind
from apg_engine.traces import import_trace, trace_from_dict, trace_to_dict


@pytest.mark.parametrize(
    ("name", "level", "second_shock", "axioms"),
    [
        ("aegis_blackout_run_09.json", "low", ShockKind.AD_HOMINEM, 6),
        ("aegis_blackout_run_26.json", "high", ShockKind.ZERO_SUM, 5),
    ],
)
def test_a_real_trajectory_loses_no_turn(
    shared: Path, name: str, level: str, second_shock: ShockKind, axioms: int
) -> None:
    data = (shared / "trajectories" / name).read_bytes()
    trace = import_trace(data, file_name=name)
    logs = json.loads(data)["turn_logs"]
    assert [t.text for t in trace.turns] == [log["message_content"] for log in logs]
    assert [t.speaker for t in trace.turns] == [log["module_id"] for log in logs]
    assert [t.number for t in trace.turns] == list(range(1, 12))
    assert [s.turn for s in trace.shocks] == [3, 5]
    assert trace.shocks[1].kind is second_shock
    assert trace.conflict_level == level
    assert len(trace.documents) == axioms
    assert [t.number for t in trace.turns if t.private_is_boilerplate] == [7, 8, 9, 10, 11]
    assert [t.number for t in trace.turns if t.evidence] == [3, 4, 5, 6]
    assert any("in public" in line for line in trace.warnings)
    assert trace_from_dict(trace_to_dict(trace), file_name=name) == trace
