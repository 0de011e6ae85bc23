"""A study's debates, runs and pairs as rows for programs: texts as stored, and nothing rendered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studyapp.models import Scenario
from studyapp.selectors.rows import Rows


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One debate of a study."""

    scenario: str
    title: str
    language: str
    conflict_level: str
    source_format: str
    source_file: str
    sha256: str
    warnings: tuple[str, ...]
    produced: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One debate with its content in the project's trace format, private traces included."""

    row: TraceRow
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunRow:
    """The run that a scenario's texts come from."""

    id: int
    scenario: str
    state: str
    stage: str
    outcome: str
    error: str
    attempts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class PairRecord:
    """A frozen pair: both texts under their arms, and the manifest that says how they came to be.

    Which of them stood left or right for whom is the arm key, and no part of it.
    """

    scenario: str
    sha256: str
    has_contrast: bool
    reference_arm: str
    treatment_arm: str
    reference_text: str
    treatment_text: str
    manifest: Mapping[str, Any]
    created_at: datetime


def traces_rows(study_id: int) -> Rows[TraceRow]:
    """Return a study's debates in the order of its scenarios."""
    rows = Scenario.objects.filter(study_id=study_id).select_related("trace")
    return Rows(rows.defer("trace__content").order_by("position"), _trace_row)


def trace_row(*, study_id: int, scenario: str) -> TraceRow | None:
    """Return one debate without its content, or None if the study has no such scenario."""
    row = traces_rows(study_id).stored.filter(key=scenario).first()
    return None if row is None else _trace_row(row)


def trace_record(*, study_id: int, scenario: str) -> TraceRecord | None:
    """Return one debate whole, or None if the study has no such scenario."""
    rows = Scenario.objects.filter(study_id=study_id, key=scenario).select_related("trace")
    row = rows.first()
    return None if row is None else TraceRecord(_trace_row(row), row.trace.content)


def runs_rows(study_id: int, *, state: str | None = None) -> Rows[RunRow]:
    """Return the runs of a study's scenarios, without what they found."""
    rows = Scenario.objects.filter(study_id=study_id, run__isnull=False).select_related("run")
    chosen = rows if state is None else rows.filter(run__state=state)
    return Rows(chosen.defer("run__result").order_by("position"), _run_row)


def pairs_rows(study_id: int) -> Rows[PairRecord]:
    """Return a study's frozen pairs in the order of its scenarios."""
    rows = Scenario.objects.filter(study_id=study_id, pair__isnull=False)
    return Rows(rows.select_related("pair", "study").order_by("position"), _pair)


def pair_record(*, study_id: int, scenario: str) -> PairRecord | None:
    """Return the frozen pair of a scenario, or None if there is none."""
    row = pairs_rows(study_id).stored.filter(key=scenario).first()
    return None if row is None else _pair(row)


def _trace_row(row: Scenario) -> TraceRow:
    trace = row.trace
    return TraceRow(
        scenario=row.key,
        title=row.label,
        language=trace.language,
        conflict_level=trace.conflict_level,
        source_format=trace.source_format,
        source_file=trace.source_file,
        sha256=trace.sha256,
        warnings=tuple(trace.warnings),
        produced=trace.produced,
    )


def _run_row(row: Scenario) -> RunRow:
    if row.run is None:
        raise ValueError(f"{row.key} has no run")
    run = row.run
    return RunRow(
        id=run.pk,
        scenario=row.key,
        state=run.state,
        stage=run.stage,
        outcome=run.outcome,
        error=run.error,
        attempts=run.attempts,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )


def _pair(row: Scenario) -> PairRecord:
    if row.pair is None:
        raise ValueError(f"{row.key} has no pair")
    return PairRecord(
        scenario=row.key,
        sha256=row.pair.sha256,
        has_contrast=row.pair.has_contrast,
        reference_arm=row.study.reference_arm,
        treatment_arm=row.study.treatment_arm,
        reference_text=row.pair.reference_text,
        treatment_text=row.pair.treatment_text,
        manifest=row.pair.manifest,
        created_at=row.pair.created_at,
    )
