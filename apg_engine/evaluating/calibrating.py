"""How well confidences fit, and how well others reckoned from the same ballots would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from apg_engine.calibration.calibration_error import CalibrationReport, calibration_report
from apg_engine.debates.courtroom.confidence import (
    ConfidenceWeights,
    Parts,
    confidence_fit,
    confidence_of,
    isotonic_fit,
)
from apg_engine.evaluating.panels import scores_mean
from apg_engine.evaluating.rows import Row

FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class Calibration:
    """Expected calibration errors over one run's decided claims; None where there is no basis.

    Attributes:
        stated: of the confidences the system gave.
        averaged: of the plain mean of its judges' own scores, the published baseline (0.18).
        paper: of the paper's weights on the stored parts.
        without_role_switch: the same with delta_rs = 0.
        without_reflection: the same with delta_ref = 0.
        fitted: of weights fitted by five folds, each claim by the folds it is not in.
        isotonic: of an isotonic map fitted the same way on the stated confidences.
        weights: of the folds.
    """

    stated: CalibrationReport | None
    averaged: CalibrationReport | None
    paper: CalibrationReport | None = None
    without_role_switch: CalibrationReport | None = None
    without_reflection: CalibrationReport | None = None
    fitted: CalibrationReport | None = None
    isotonic: CalibrationReport | None = None
    weights: tuple[ConfidenceWeights, ...] = ()


def calibration_of(rows: Sequence[Row]) -> Calibration:
    """Reckon all of them for the rows of one system and one seed."""
    eligible = len(rows)
    found = Calibration(
        stated=_report(rows, lambda row: row.opinion.confidence, eligible),
        averaged=_report(rows, lambda row: scores_mean(row.opinion.votes), eligible),
        isotonic=_isotonic(rows, eligible),
    )
    tried = [row for row in rows if row.opinion.label and row.opinion.parts]
    return _of_parts(found, tried, eligible) if tried else found


def _of_parts(found: Calibration, rows: Sequence[Row], eligible: int) -> Calibration:
    found = replace(
        found,
        paper=_report(rows, lambda row: confidence_of(_parts(row)), eligible),
        without_role_switch=_report(
            rows, lambda row: confidence_of(replace(_parts(row), role_switch=0.0)), eligible
        ),
        without_reflection=_report(
            rows, lambda row: confidence_of(replace(_parts(row), reflection=0.0)), eligible
        ),
    )
    if len(rows) < FOLDS:
        return found
    fit = confidence_fit([_parts(r) for r in rows], [r.is_correct for r in rows], folds=FOLDS)
    fitted = dict(zip([row.key for row in rows], fit.confidences, strict=True))
    return replace(
        found,
        fitted=_report(rows, lambda row: fitted[row.key], eligible),
        weights=fit.weights,
    )


def _isotonic(rows: Sequence[Row], eligible: int) -> CalibrationReport | None:
    sure = [row for row in rows if row.opinion.label and row.opinion.confidence is not None]
    if len(sure) < FOLDS:
        return None
    scores = [row.opinion.confidence or 0.0 for row in sure]
    mapped = isotonic_fit(scores, [row.is_correct for row in sure], folds=FOLDS)
    fitted = dict(zip([row.key for row in sure], mapped, strict=True))
    return _report(sure, lambda row: fitted[row.key], eligible)


def _report(
    rows: Sequence[Row], score: Callable[[Row], float | None], eligible: int
) -> CalibrationReport | None:
    decided = [(score(row), row.is_correct) for row in rows if row.opinion.label]
    known = [(value, right) for value, right in decided if value is not None]
    if not known:
        return None
    return calibration_report(
        [value for value, _ in known], [right for _, right in known], eligible=eligible
    )


def _parts(row: Row) -> Parts:
    if row.opinion.parts is None:
        raise ValueError(f"{row.key}: a row without parts")
    return row.opinion.parts
