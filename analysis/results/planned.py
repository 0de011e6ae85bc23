"""What a plan names and the data do not hold: a slip must not pass as an empty result."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.dataset import Dataset, background_of
from analysis.saying import Saying, say
from analysis.schema import CHOICE, RATING


def plan_missing(dataset: Dataset) -> Iterator[Saying]:
    """Say which tests, questions and measures of the plan are unknown to the data."""
    plan, held = dataset.plan, _held(dataset)
    groups = plan.get("groups", {})
    calibration = plan.get("calibration", {})
    named = {
        "primary": plan.get("primary", ()),
        "family": plan.get("family", ()),
        "groups": [rule["of"] for rule in groups.values()],
        "ordered": [name for name in plan.get("ordered", ()) if name not in groups],
        "calibration": [calibration[key] for key in ("rating", "choice") if key in calibration],
    }
    for key, names in named.items():
        missing = [name for name in names if name not in held]
        if missing:
            yield say("plan_missing", part=key, names=", ".join(missing))


def _held(dataset: Dataset) -> set[str]:
    """Tests (`<scenario>.<measure>`), measures and background questions with an answer."""
    rows = [row for row in dataset.rows if row.kind in (RATING, CHOICE)]
    tests = {f"{row.scenario}.{row.measure}" for row in rows}
    return tests | {row.measure for row in rows} | set(background_of(dataset))
