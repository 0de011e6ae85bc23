"""A summary as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from apg_engine.calibration.calibration_error import CalibrationReport
from apg_engine.calibration.rates import Rate
from apg_engine.evaluating.calibrating import Calibration
from apg_engine.evaluating.published import (
    CLAIMS,
    ECE,
    ECE_AVERAGED,
    PUBLISHED,
    SOURCE,
    PublishedRow,
)
from apg_engine.evaluating.summary import RunSummary, SeedSummary, Summary


def summary_to_dict(summary: Summary, *, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Give what was run, what it was run with, and beside it what others have published."""
    return {
        "schema": "apg-evaluation",
        "version": 1,
        "settings": dict(settings),
        "runs": [_run(run) for run in summary.runs],
        "seeds": [_seeds(one) for one in summary.seeds],
        "paired_tests": [asdict(test) for test in summary.tests],
        "published_elsewhere": {
            "source": SOURCE,
            "note": "other models, other runs; not measured here",
            "claims": CLAIMS,
            "ece": ECE,
            "ece_plain_averaging": ECE_AVERAGED,
            "rows": [_published(row) for row in PUBLISHED],
        },
    }


def rate_to_dict(rate: Rate) -> dict[str, Any]:
    """Give a share with its counts and Wilson's interval."""
    interval = rate.interval
    return {
        "hits": rate.hits,
        "n": rate.n,
        "value": rate.value,
        "low": interval.low,
        "high": interval.high,
    }


def _run(run: RunSummary) -> dict[str, Any]:
    rounds = {
        found: {"mean": mean, "claims": count}
        for found, (mean, count) in run.rounds_by_finding.items()
    }
    return {
        "system": run.system,
        "seed": run.seed,
        "accuracy": rate_to_dict(run.accuracy),
        "accuracy_decided": rate_to_dict(run.accuracy_decided),
        "macro_f1": run.macro_f1,
        "kappa_truth": run.kappa_truth,
        "judges": asdict(run.judges) if run.judges else None,
        "order_flips": rate_to_dict(run.order_flips),
        "calibration": _calibration(run.calibration),
        "taken": asdict(run.taken),
        "refute_found": rate_to_dict(run.refute_found),
        "refute_known": rate_to_dict(run.refute_known),
        "rounds_by_finding": rounds,
        "endings": dict(run.endings),
    }


def _seeds(one: SeedSummary) -> dict[str, Any]:
    data = asdict(one)
    return {**data, "oracle": rate_to_dict(one.oracle)}


def _calibration(calibration: Calibration) -> dict[str, Any]:
    data: dict[str, Any] = asdict(calibration)
    for name in data:
        report = getattr(calibration, name)
        if isinstance(report, CalibrationReport):
            data[name] = {**asdict(report), "coverage": report.coverage}
    return data


def _published(row: PublishedRow) -> dict[str, Any]:
    return {**asdict(row), "accuracy": rate_to_dict(row.accuracy)}
