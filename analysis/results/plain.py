"""Turn results into what JSON can hold: null for undefined, never NaN or infinity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from analysis.errors import AnalysisError
from analysis.results.core import ChoiceRow, Core, RatingRow, row_warnings


def core_plain(core: Core) -> dict[str, Any]:
    """Lay the core rows out by scenario and measure, with full precision."""
    data = core.dataset
    scenarios: dict[str, dict[str, Any]] = {scenario: {} for scenario in data.scenarios}
    rows: tuple[RatingRow | ChoiceRow, ...] = (*core.ratings, *core.choices)
    for row in rows:
        scenarios[row.scenario][row.measure] = plain(row)
        if isinstance(row, RatingRow):
            scenarios[row.scenario][row.measure]["warnings"] = list(row_warnings(row))
    return {
        "schema": {"name": "apg-analysis", "version": 1},
        "data": {
            **plain(data.source),
            "study": data.study,
            "title": data.title,
            "kind": data.kind,
            "design_hash": data.design_hash,
            "arms": list(data.arms),
            "difference": f"{data.arms[1]} - {data.arms[0]}",
            "participants": len(data.participants),
            "left_out": plain(data.left_out),
            "notices": list(data.notices),
        },
        "scenarios": scenarios,
        "background": core.background,
        "background_shares": {
            measure: {answer: count / sum(counts.values()) for answer, count in counts.items()}
            for measure, counts in core.background.items()
        },
    }


def plain(value: Any) -> Any:
    """Convert dataclasses, tuples and enums to dicts, lists and text.

    Raises:
        AnalysisError: A NaN or an infinity got into a result; undefined values must be null.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        raise AnalysisError(f"a result is {value}; undefined values must be null with a reason")
    return value


def lookup(results: Mapping[str, Any], path: str) -> Any:
    """Follow a path such as `scenarios/s026/trust/t_test/t` through plain results.

    Raises:
        AnalysisError: There is no such result.
    """
    found: Any = results
    for step in path.split("/"):
        if not isinstance(found, Mapping) or step not in found:
            raise AnalysisError(f"no result {path!r}: {step!r} is missing")
        found = found[step]
    return found
