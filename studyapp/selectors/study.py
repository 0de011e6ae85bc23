"""What the researcher's pages show of studies: only those the reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop

from studyapp.domain.lint import lint_notes
from studyapp.domain.measures import Measure, MeasureOption, measures_load
from studyapp.domain.permissions import ALLOWED, Action, Role
from studyapp.domain.states import ENDED
from studyapp.domain.warnings import warnings_tell
from studyapp.models import Participant, RunState, Scenario, Study, StudyKind, StudyState
from studyapp.seams import engine
from studyapp.selectors.arm_key import key_is_sealed, seed_is_secret
from studyapp.selectors.lint import study_lint
from studyapp.selectors.permissions import role_of, studies_of
from studyapp.selectors.rows import Rows

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    Reader = AbstractBaseUser | AnonymousUser


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


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One line of the list of studies."""

    slug: str
    title: str
    state: str
    is_demo: bool
    is_test: bool
    version: int
    scenarios: int
    scenarios_ready: int
    enrolled: int
    completed: int
    created_at: datetime


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
    stage: str
    pair_number: int
    pairs_allowed: int
    error: str
    outcome: str
    models: tuple[str, ...]
    wrote_offline: bool
    judged_offline: bool
    is_own: bool
    warnings: tuple[str, ...]
    telling: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One question of a study as the researcher's page lists it."""

    key: str
    kind: str
    question: str
    answers: str


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a study, as the pages of the others name it."""

    slug: str
    version: int
    state: str


@dataclass(frozen=True, slots=True)
class StudyPage:
    """Everything the page of a study shows besides its counts, and what its reader may do."""

    id: int
    role: Role
    actions: frozenset[Action]
    slug: str
    title: str
    state: str
    is_demo: bool
    is_test: bool
    takes_test_data: bool
    is_frozen: bool
    family: str
    version: int
    versions: tuple[VersionRow, ...]
    reference_arm: str
    treatment_arm: str
    seed: int | None
    is_sealed: bool
    design_sha256: str
    has_preregistration: bool
    opened_at: datetime | None
    scenarios: tuple[ScenarioRow, ...]
    measures: tuple[MeasureRow, ...]

    @property
    def is_generating(self) -> bool:
        """Whether a worker is busy for this study, so that its page should look again."""
        return any(row.state.moves for row in self.scenarios)

    @property
    def can_generate(self) -> bool:
        """Whether a scenario still waits to have its texts asked for."""
        wanted = (TextsState.NONE, TextsState.NOT_JUDGED)
        return self.is_buildable and any(row.state in wanted for row in self.scenarios)

    @property
    def can_open(self) -> bool:
        """Whether nothing is known that stands against opening."""
        if self.state == StudyState.PAUSED:
            return True
        ready = all(row.state is TextsState.READY for row in self.scenarios)
        return (
            self.state in (StudyState.DRAFT, StudyState.PILOTING) and bool(self.scenarios) and ready
        )

    @property
    def is_buildable(self) -> bool:
        """Whether the design can be edited now."""
        return self.state == StudyState.DRAFT and not self.is_frozen

    @property
    def has_ended(self) -> bool:
        """Whether data collection is over for good."""
        return self.state in ENDED

    @property
    def has_people(self) -> bool:
        """Whether somebody may have taken part, in a pilot or live."""
        return self.is_frozen or self.state == StudyState.PILOTING

    @property
    def offline_models(self) -> tuple[str, ...]:
        """Names of the models behind the texts that rules wrote or judged."""
        offline = (row for row in self.scenarios if row.wrote_offline or row.judged_offline)
        return tuple(dict.fromkeys(name for row in offline for name in row.models))

    @property
    def wrote_offline(self) -> bool:
        """Whether rules wrote texts of this study in place of a language model."""
        return any(row.wrote_offline for row in self.scenarios)

    @property
    def judged_offline(self) -> bool:
        """Whether rules judged texts of this study in place of a language model."""
        return any(row.judged_offline for row in self.scenarios)


def studies_list(reader: Reader) -> list[StudyRow]:
    """List the studies a reader may see, the newest first, and archived ones last."""
    return sorted(studies_rows(reader), key=lambda row: row.state == StudyState.ARCHIVED)


def studies_rows(
    reader: Reader,
    *,
    state: str | None = None,
    is_test: bool | None = None,
    order: str = "-created_at",
) -> Rows[StudyRow]:
    """Return the studies a reader may see, in a state or in the lane that was asked for."""
    scenarios = Scenario.objects.filter(study=OuterRef("pk"))
    people = Participant.objects.filter(study=OuterRef("pk"))
    rows = studies_of(reader).annotate(
        scenario_count=_counted(scenarios),
        ready_count=_counted(scenarios.filter(pair__isnull=False)),
        enrolled_count=_counted(people),
        completed_count=_counted(people.filter(completed_at__isnull=False)),
    )
    if state is not None:
        rows = rows.filter(state=state)
    if is_test is not None:
        rows = rows.filter(is_test=is_test)
    return Rows(rows.order_by(order, "-pk"), _study_row)


def _counted(rows: QuerySet[Any]) -> Coalesce:
    """Count apart from everything else that is counted: joined, the rows would multiply."""
    counted = rows.order_by().values("study").annotate(times=Count("pk")).values("times")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def study_find(reader: Reader, slug: str) -> StudyPage | None:
    """Return a study's page, or None where the reader may not even know that it exists."""
    study = studies_of(reader).filter(slug=slug).first()
    role = None if study is None else role_of(reader, study.pk)
    if study is None or role is None:
        return None
    return _study_page(study, role, versions=_versions(reader, study))


def _versions(reader: Reader, study: Study) -> tuple[VersionRow, ...]:
    """List the versions of a study's family that the reader may see, where there are several."""
    family = Q(slug=study.family_slug) | Q(family=study.family_slug)
    rows = studies_of(reader).filter(family).order_by("version")
    found = tuple(VersionRow(row.slug, row.version, row.state) for row in rows)
    return found if len(found) > 1 else ()


def _study_row(row: Any) -> StudyRow:
    return StudyRow(
        slug=row.slug,
        title=row.title,
        state=row.state,
        is_demo=row.kind == StudyKind.DEMO,
        is_test=row.is_test,
        version=row.version,
        scenarios=row.scenario_count,
        scenarios_ready=row.ready_count,
        enrolled=row.enrolled_count,
        completed=row.completed_count,
        created_at=row.created_at,
    )


def _study_page(study: Study, role: Role, *, versions: tuple[VersionRow, ...]) -> StudyPage:
    scenarios = study.scenarios.select_related("trace", "run", "pair").order_by("position")
    # The debates and results themselves are large and not shown here.
    slim = scenarios.defer(
        "trace__content", "run__result", "pair__reference_text", "pair__treatment_text"
    )
    notes = {row.key: lint_notes(row.lint) for row in study_lint(study.pk)}
    return StudyPage(
        id=study.pk,
        role=role,
        actions=ALLOWED[role],
        slug=study.slug,
        title=study.title,
        state=study.state,
        is_demo=study.kind == StudyKind.DEMO,
        is_test=study.is_test,
        takes_test_data=study.takes_test_data,
        is_frozen=study.opened_at is not None,
        family=study.family_slug,
        version=study.version,
        versions=versions,
        reference_arm=study.reference_arm,
        treatment_arm=study.treatment_arm,
        seed=None if seed_is_secret(study) else study.seed,
        is_sealed=key_is_sealed(study),
        design_sha256=study.design_sha256,
        has_preregistration=study.preregistration is not None,
        opened_at=study.opened_at,
        scenarios=tuple(_scenario_row(row, telling=notes.get(row.key, ())) for row in slim),
        measures=_measure_rows(study.measures),
    )


def _scenario_row(row: Scenario, *, telling: tuple[str, ...]) -> ScenarioRow:
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
        stage=run.stage if run else "",
        pair_number=run.pair_number if run else 0,
        pairs_allowed=int(run.config.get("pairs", 0)) if run else 0,
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


_BY_RUN = {
    RunState.QUEUED: TextsState.QUEUED,
    RunState.RUNNING: TextsState.RUNNING,
    RunState.FINISHED: TextsState.FREEZING,
    RunState.FAILED: TextsState.FAILED,
    RunState.CANCELLED: TextsState.CANCELLED,
}


def _measure_rows(stored: Sequence[dict[str, Any]]) -> tuple[MeasureRow, ...]:
    return tuple(
        MeasureRow(
            key=measure.key,
            kind=measure.kind.value,
            question=measure.question,
            answers=_answers(measure),
        )
        for measure in measures_load(stored)
    )


def _answers(measure: Measure) -> str:
    if measure.anchors:
        return f"1 {measure.anchors[0]} … {len(measure.anchors)} {measure.anchors[-1]}"
    if measure.options:
        return ", ".join(_option(measure, option) for option in measure.options)
    names = {"left": "Report A", "right": "Report B"}
    return ", ".join(names.get(choice, choice) for choice in measure.choices) or "free text"


def _option(measure: Measure, option: MeasureOption) -> str:
    return f"{option.label} ✓" if option.value == measure.correct else option.label
