"""A study's debates, each with where its two texts stand and what they have cost so far."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext_noop

from studyapp.domain.lint import lint_notes
from studyapp.domain.warnings import warnings_tell
from studyapp.models import RunState, Scenario, Study
from studyapp.seams import engine
from studyapp.selectors.lint import study_lint
from studyapp.selectors.spending import NOTHING, RunSpent, runs_spent
from studyapp.selectors.stage_words import stage_word


class TextsState(StrEnum):
    """Where a scenario's two texts stand."""

    NONE = gettext_noop("no texts yet")
    QUEUED = gettext_noop("waiting for a worker")
    RUNNING = gettext_noop("being generated")
    FREEZING = gettext_noop("being frozen")
    FAILED = gettext_noop("failed")
    CANCELLED = gettext_noop("cancelled")
    NOT_JUDGED = gettext_noop("not judged")
    NO_CONTRAST = gettext_noop("no contrast")
    READY = gettext_noop("ready")

    @property
    def moves(self) -> bool:
        """Whether a worker is expected to change it soon."""
        return self in (TextsState.QUEUED, TextsState.RUNNING, TextsState.FREEZING)

    @property
    def tone(self) -> str:
        """How a page colours it."""
        if self in (TextsState.FAILED, TextsState.NOT_JUDGED):
            return "error"
        if self in (TextsState.NO_CONTRAST, TextsState.CANCELLED):
            return "warning"
        return {TextsState.READY: "good", TextsState.NONE: ""}.get(self, "info")


_BY_RUN = {
    RunState.QUEUED: TextsState.QUEUED,
    RunState.RUNNING: TextsState.RUNNING,
    RunState.FINISHED: TextsState.FREEZING,
    RunState.FAILED: TextsState.FAILED,
    RunState.CANCELLED: TextsState.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """One debate of a study, with where its texts stand."""

    key: str
    title: str
    label: str
    trace_title: str
    conflict_level: str
    trace_warnings: int
    run_id: int | None
    state: TextsState
    run_state: str
    stage: str
    pair_number: int
    pairs_allowed: int
    spent: RunSpent
    error: str
    outcome: str
    models: tuple[str, ...]
    wrote_offline: bool
    judged_offline: bool
    is_own: bool
    warnings: tuple[str, ...]
    telling: tuple[str, ...]

    @property
    def doing(self) -> str:
        """What its run is at, in words."""
        return stage_word(self.stage)

    @property
    def can_cancel(self) -> bool:
        """Whether a run is waiting or under way."""
        return self.run_state in (RunState.QUEUED, RunState.RUNNING)

    @property
    def can_retry(self) -> bool:
        """Whether a run has stopped short and can be taken up."""
        return self.run_state in (RunState.FAILED, RunState.CANCELLED)


def scenario_rows(study: Study) -> tuple[ScenarioRow, ...]:
    """List a study's debates in their order."""
    scenarios = study.scenarios.select_related("trace", "run", "pair").order_by("position")
    # The debates and results themselves are large and not shown here.
    slim = scenarios.defer(
        "trace__content", "run__result", "pair__reference_text", "pair__treatment_text"
    )
    notes = {row.key: lint_notes(row.lint) for row in study_lint(study.pk)}
    spent = runs_spent(study.pk)
    return tuple(
        _scenario_row(
            row, telling=notes.get(row.key, ()), spent=spent.get(row.run_id or 0, NOTHING)
        )
        for row in slim
    )


def _scenario_row(row: Scenario, *, telling: tuple[str, ...], spent: RunSpent) -> ScenarioRow:
    run = row.run
    manifest = row.pair.manifest if row.pair else {}
    models = manifest.get("models", {})
    return ScenarioRow(
        key=row.key,
        title=row.title,
        label=row.label,
        trace_title=row.trace.title,
        conflict_level=row.trace.conflict_level,
        trace_warnings=len(row.trace.warnings),
        run_id=row.run_id,
        state=_texts_state(row),
        run_state=run.state if run else "",
        stage=run.stage if run else "",
        pair_number=run.pair_number if run else 0,
        pairs_allowed=int(run.config.get("pairs", 0)) if run else 0,
        spent=spent,
        error=run.error if run else "",
        outcome=run.outcome if run else "",
        models=tuple(models.get("names", ())),
        wrote_offline=models.get("mode") == engine.OFFLINE,
        judged_offline=models.get("auditor_offline", False),
        is_own=models.get("mode") == engine.OWN,
        warnings=warnings_tell(manifest.get("warnings", ())),
        telling=telling,
    )


def _texts_state(row: Scenario) -> TextsState:
    if row.pair is not None:
        return TextsState.READY if row.pair.has_contrast else TextsState.NO_CONTRAST
    if row.run is None:
        return TextsState.NONE
    if row.run.outcome == engine.NOT_JUDGED:
        return TextsState.NOT_JUDGED
    return _BY_RUN[RunState(row.run.state)]
